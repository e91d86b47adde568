/** What is left of a plan stands in the learner's row: it is reckoned anew from the ledger in the transaction that has used some of it. */
import { eq } from 'drizzle-orm';
import { nextVersion } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { tables } from '../db/tables.ts';
import { type ApplyParts, minutesOf } from './apply-customer.ts';

/** Returns what is to be done once the transaction is through: telling the learner's devices. */
export type Recount = (tx: Database, userId: string) => Promise<() => void>;

const NOTHING_TO_TELL = (): void => undefined;

export function createRecount({ now, changed }: Pick<ApplyParts, 'now' | 'changed'>): Recount {
  const { subscriptions } = tables;
  return async (tx, userId) => {
    const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.userId, userId));
    if (row === undefined) return NOTHING_TO_TELL;
    const minutes = await minutesOf(tx, { userId, now: now(), row });
    if (minutes.quota === row.quota && minutes.remainingTime === row.remainingTime) return NOTHING_TO_TELL;
    const version = await nextVersion(tx, userId);
    if (version === null) return NOTHING_TO_TELL;
    await tx
      .update(subscriptions)
      .set({ ...minutes, updatedAt: now(), syncVersion: version })
      .where(eq(subscriptions.userId, userId));
    return () => changed(userId, version);
  };
}
