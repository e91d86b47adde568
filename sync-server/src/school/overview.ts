/**
 * Reads what the frame of the admin panel shows: the signed-in admin, the school, and how many decisions are pending.
 */
import type { AdminOverview } from '@parley/contract';
import { and, eq, gte, inArray } from 'drizzle-orm';
import { readWaitingLearners } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { crashReports } from '../db/crash-tables.ts';
import { mails } from '../db/mail-tables.ts';
import { tables } from '../db/tables.ts';
import { countOpenReports } from '../practice-reports/index.ts';
import { readSchoolIdentity } from './identity.ts';
import { readSchoolSettings } from './settings.ts';
import { readUnscheduledPosts } from './unscheduled-posts.ts';

/** For how long undelivered mail is listed. */
export const UNDELIVERED_MS = 30 * 24 * 3_600_000;

/** For how long crash reports are listed. */
export const RECENT_CRASH_MS = 7 * 24 * 3_600_000;

export async function readOverview(
  db: Database,
  { userId, now, isMailWritten }: { userId: string; now: Date; isMailWritten: boolean },
): Promise<AdminOverview> {
  const { users, subscriptions } = tables;
  const since = new Date(now.getTime() - UNDELIVERED_MS);
  const [[me], { timeZone }, { name, colour, logo }, access, mail, payments, reports, crashes, posts] =
    await Promise.all([
      db
        .select({ userId: users.userId, email: users.email, firstName: users.firstName, lastName: users.lastName })
        .from(users)
        .where(eq(users.userId, userId)),
      readSchoolSettings(db),
      readSchoolIdentity(db),
      // The clock may have been set back since a request, so its time does not matter.
      readWaitingLearners(db),
      db.$count(mails, and(inArray(mails.state, ['failed', 'bounced']), gte(mails.createdAt, since))),
      db.$count(subscriptions, eq(subscriptions.status, 'past_due')),
      countOpenReports(db),
      db.$count(crashReports, gte(crashReports.receivedAt, new Date(now.getTime() - RECENT_CRASH_MS))),
      readUnscheduledPosts(db, now),
    ]);
  if (me === undefined) throw new Error('the admin’s account was erased during the call');
  return {
    me,
    school: { name, timeZone, colour, logo },
    isMailWritten,
    waiting: { access: access?.count ?? 0, mail, payments, reports, crashes, posts: posts.length },
  };
}
