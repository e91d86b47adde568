/** E-mails to admins about undeliverable access links and waiting learners, in the daytime and once each. */
import { isDaytime } from '@parley/domain';
import { and, eq, isNotNull, isNull, max, sql } from 'drizzle-orm';
import { readWaitingLearners } from '../../account/index.ts';
import type { Database } from '../../db/client.ts';
import { mails } from '../../db/mail-tables.ts';
import { tables } from '../../db/tables.ts';
import type { Enqueue } from '../queue/enqueue.ts';
import type { LearnerToRemind } from './reminder-facts.ts';

export interface AdminNoticeParts {
  db: Database;
  now: () => Date;
  /** The assumed time zone of admins. */
  fallbackTimeZone: string;
  enqueue: Enqueue;
  /** The address of the waiting learners in the admin panel. */
  requestsUrl: string;
}

const HOUR_MS = 3_600_000;
/** A request's time may be earlier than its commit, so the newest requests are left for the next run. */
const COMMIT_DELAY_MS = 60_000;

/** Writes to every admin unless this learner was reported before. Returns how many mails were enqueued. */
export async function notifyOfUndeliveredLink(parts: AdminNoticeParts, learner: LearnerToRemind): Promise<number> {
  const { db, now, fallbackTimeZone: timeZone } = parts;
  const { userId, email, facts } = learner;
  if (!isDaytime(now(), timeZone)) return 0;
  return db.transaction(async (tx) => {
    const before = and(eq(mails.kind, 'link_lost'), eq(mails.step, userId));
    if ((await tx.$count(mails, before)) > 0) return 0;
    const data = { email, accessGrantedAt: facts.accessGrantedAt ?? now(), timeZone };
    return enqueueForEachAdmin(tx, (admin) => parts.enqueue(tx, { ...admin, step: userId, kind: 'link_lost', data }));
  });
}

/** Writes to every admin if a learner has requested access since the last mail, at most once an hour. */
export async function notifyOfWaitingLearners(parts: AdminNoticeParts): Promise<number> {
  const { db, now, fallbackTimeZone: timeZone, requestsUrl } = parts;
  const at = now();
  if (!isDaytime(at, timeZone)) return 0;
  return db.transaction(async (tx) => {
    // The lock makes other nodes wait, which then find this hour's mail.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('tell who waits', 0))`);
    const lastNoticeAt = await readLastNoticeAt(tx);
    if (lastNoticeAt !== null && at.getTime() - lastNoticeAt.getTime() < HOUR_MS) return 0;
    const waiting = await readWaitingLearners(tx, latestCommittedAt(at));
    if (waiting === null || (lastNoticeAt !== null && waiting.lastAskedAt <= latestCommittedAt(lastNoticeAt))) return 0;
    const { count, firstAskedAt } = waiting;
    const step = at.toISOString().slice(0, 'yyyy-mm-ddThh'.length);
    const data = { count, firstAskedAt, timeZone, requestsUrl };
    return enqueueForEachAdmin(tx, (admin) => parts.enqueue(tx, { ...admin, step, kind: 'access_waiting', data }));
  });
}

const latestCommittedAt = (at: Date): Date => new Date(at.getTime() - COMMIT_DELAY_MS);

async function readLastNoticeAt(tx: Database): Promise<Date | null> {
  const [last] = await tx
    .select({ at: max(mails.createdAt) })
    .from(mails)
    .where(eq(mails.kind, 'access_waiting'));
  return last?.at ?? null;
}

/** Returns how many mails were enqueued. */
async function enqueueForEachAdmin(
  tx: Database,
  write: (admin: { userId: string; to: string }) => Promise<boolean>,
): Promise<number> {
  const { users } = tables;
  const admins = await tx
    .select({ userId: users.userId, to: users.email })
    .from(users)
    .where(and(eq(users.isAdmin, true), isNotNull(users.email), isNull(users.deletedAt)));
  let told = 0;
  for (const { userId, to } of admins) if (to !== null && (await write({ userId, to }))) told += 1;
  return told;
}
