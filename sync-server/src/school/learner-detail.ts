/**
 * Reads what an admin sees of a learner: account, plan, devices, mail and numbers. It never reads what the learner
 * said.
 */
import type { LearnerDetail } from '@parley/contract';
import { and, desc, eq, isNull } from 'drizzle-orm';
import { readWaitingSince } from '../account/index.ts';
import { DomainError } from '../domain-error.ts';
import type { Database } from '../db/client.ts';
import { mails } from '../db/mail-tables.ts';
import { accountDeletions, devices, tables } from '../db/tables.ts';
import { mailColumns, toMailRow } from './mail-log.ts';
import { readPracticeTotals, readWeeks } from './practice-numbers.ts';
import { readSchoolSettings } from './settings.ts';

const WEEKS = 8;
const MAILS = 20;

export async function readLearnerDetail(
  db: Database,
  { userId, now }: { userId: string; now: Date },
): Promise<LearnerDetail> {
  const { users, subscriptions } = tables;
  const { timeZone } = await readSchoolSettings(db);
  const [[user], [subscription], [deletion], waiting, theirDevices, theirMails, totals, weeks] = await Promise.all([
    db.select().from(users).where(eq(users.userId, userId)),
    db
      .select()
      .from(subscriptions)
      .where(and(eq(subscriptions.userId, userId), isNull(subscriptions.deletedAt))),
    db
      .select()
      .from(accountDeletions)
      .where(and(eq(accountDeletions.userId, userId), isNull(accountDeletions.leftFor))),
    readWaitingSince(db, [userId]),
    db
      .select()
      .from(devices)
      .where(and(eq(devices.userId, userId), isNull(devices.revokedAt)))
      .orderBy(desc(devices.lastSeenAt)),
    db.select(mailColumns).from(mails).where(eq(mails.userId, userId)).orderBy(desc(mails.createdAt)).limit(MAILS),
    readPracticeTotals(db, userId),
    readWeeks(db, { weeks: WEEKS, timeZone, now, userId }),
  ]);
  if (user === undefined) throw new DomainError('request.invalid', { field: 'userId' });
  const { email, firstName, lastName, jobTitle, englishLevel, isAdmin, hasAccess, emailNotifications } = user;
  return {
    userId,
    email,
    firstName,
    lastName,
    jobTitle,
    englishLevel,
    isAdmin,
    hasAccess,
    emailNotifications,
    accessDate: toIsoString(user.accessDate),
    waitingSince: hasAccess ? null : toIsoString(waiting.get(userId) ?? null),
    createdAt: user.createdAt.toISOString(),
    lastLoginAt: toIsoString(user.lastLoginAt),
    eraseAt: toIsoString(deletion?.eraseAt ?? null),
    plan:
      subscription === undefined
        ? null
        : {
            type: subscription.planType,
            status: subscription.status,
            currentPeriodEnd: toIsoString(subscription.currentPeriodEnd),
          },
    practice: {
      ...totals,
      weeks: weeks.map(({ start, practices, minutes, score }) => ({ start, practices, minutes, score })),
    },
    devices: theirDevices.map(({ name, platform, createdAt, lastSeenAt }) => ({
      name,
      platform,
      createdAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
    })),
    mails: theirMails.map(toMailRow),
  };
}

const toIsoString = (at: Date | null): string | null => at?.toISOString() ?? null;
