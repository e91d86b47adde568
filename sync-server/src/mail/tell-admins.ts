/** What admins are told by e-mail: that somebody whom they let in cannot get in, and that somebody waits to be let in. By day, and once. */
import { isDaytime } from '@parley/domain';
import { and, eq, isNotNull, isNull, max, sql } from 'drizzle-orm';
import { readWaiting } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { mails, tables } from '../db/tables.ts';
import type { Enqueue } from './enqueue.ts';
import type { LearnerToRemind } from './reminder-facts.ts';

export interface TellAdminsParts {
  db: Database;
  now: () => Date;
  /** Where admins are taken to be. */
  fallbackTimeZone: string;
  enqueue: Enqueue;
}

const HOUR_MS = 3_600_000;
/** A request may carry an earlier time than that at which its transaction ends: younger ones are left for the next look. */
const SETTLED_AFTER_MS = 60_000;

/** Writes to each admin of this moment, unless somebody was told of this learner before. Returns how many were told. */
export async function tellOfLostLink(parts: TellAdminsParts, learner: LearnerToRemind): Promise<number> {
  const { db, now, fallbackTimeZone: timeZone } = parts;
  const { userId, email, facts } = learner;
  if (!isDaytime(now(), timeZone)) return 0;
  return db.transaction(async (tx) => {
    const before = and(eq(mails.kind, 'link_lost'), eq(mails.step, userId));
    if ((await tx.$count(mails, before)) > 0) return 0;
    const data = { email, letInAt: facts.accessGrantedAt ?? now(), timeZone };
    return toEachAdmin(tx, (admin) => parts.enqueue(tx, { ...admin, step: userId, kind: 'link_lost', data }));
  });
}

/** Writes to each admin of this moment when somebody has asked for access whom no mail has counted yet, at most once an hour. */
export async function tellWhoWaits(parts: TellAdminsParts): Promise<number> {
  const { db, now, fallbackTimeZone: timeZone } = parts;
  const at = now();
  if (!isDaytime(at, timeZone)) return 0;
  return db.transaction(async (tx) => {
    // Another node looks after this one has written, or not at all: its hour is the same step.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('tell who waits', 0))`);
    const toldAt = await lastToldAt(tx);
    if (toldAt !== null && at.getTime() - toldAt.getTime() < HOUR_MS) return 0;
    const waiting = await readWaiting(tx, settledAt(at));
    if (waiting === null || (toldAt !== null && waiting.lastAskedAt <= settledAt(toldAt))) return 0;
    const { count, firstAskedAt } = waiting;
    const step = at.toISOString().slice(0, 'yyyy-mm-ddThh'.length);
    const data = { count, firstAskedAt, timeZone };
    return toEachAdmin(tx, (admin) => parts.enqueue(tx, { ...admin, step, kind: 'access_waiting', data }));
  });
}

const settledAt = (at: Date): Date => new Date(at.getTime() - SETTLED_AFTER_MS);

async function lastToldAt(tx: Database): Promise<Date | null> {
  const [last] = await tx
    .select({ at: max(mails.createdAt) })
    .from(mails)
    .where(eq(mails.kind, 'access_waiting'));
  return last?.at ?? null;
}

/** How many of them are written to. */
async function toEachAdmin(
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
