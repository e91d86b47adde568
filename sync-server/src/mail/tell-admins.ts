/** What admins are told by e-mail: that somebody whom they let in cannot get in. By day, and once. */
import { isDaytime } from '@parley/domain';
import { and, eq, isNotNull, isNull } from 'drizzle-orm';
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

/** Writes to each admin of this moment, unless somebody was told of this learner before. Returns how many were told. */
export async function tellOfLostLink(
  { db, now, fallbackTimeZone: timeZone, enqueue }: TellAdminsParts,
  { userId, email, facts }: LearnerToRemind,
): Promise<number> {
  const { users } = tables;
  if (!isDaytime(now(), timeZone)) return 0;
  return db.transaction(async (tx) => {
    const before = and(eq(mails.kind, 'link_lost'), eq(mails.step, userId));
    if ((await tx.$count(mails, before)) > 0) return 0;
    const admins = await tx
      .select({ userId: users.userId, email: users.email })
      .from(users)
      .where(and(eq(users.isAdmin, true), isNotNull(users.email), isNull(users.deletedAt)));
    let told = 0;
    for (const admin of admins) {
      const whom = { userId: admin.userId, to: admin.email ?? '', step: userId };
      const data = { email, letInAt: facts.accessGrantedAt ?? now(), timeZone };
      if (await enqueue(tx, { ...whom, kind: 'link_lost', data })) told += 1;
    }
    return told;
  });
}
