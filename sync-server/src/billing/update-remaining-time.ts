/** Recalculates the remaining time in the learner's row from the ledger, in the transaction that used some of it. */
import { eq } from 'drizzle-orm';
import { nextVersion, readStoredSubscriptions } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { tables } from '../db/tables.ts';
import { type CustomerSyncParts, readPlanMinutes } from './sync-customer.ts';

/** Returns what must run after the commit: poking the learner's devices. */
export type UpdateRemainingTime = (tx: Database, userId: string) => Promise<() => void>;

const NO_NOTIFICATION = (): void => undefined;

export function createRemainingTimeUpdater({
  now,
  changed,
}: Pick<CustomerSyncParts, 'now' | 'changed'>): UpdateRemainingTime {
  const { subscriptions } = tables;
  return async (tx, userId) => {
    const [row] = await readStoredSubscriptions(tx, eq(subscriptions.userId, userId));
    if (row === undefined) return NO_NOTIFICATION;
    const minutes = await readPlanMinutes(tx, { userId, now: now(), row });
    if (minutes.quota === row.quota && minutes.remainingTime === row.remainingTime) return NO_NOTIFICATION;
    const version = await nextVersion(tx, userId);
    if (version === null) return NO_NOTIFICATION;
    await tx
      .update(subscriptions)
      .set({ ...minutes, updatedAt: now(), syncVersion: version })
      .where(eq(subscriptions.userId, userId));
    return () => changed(userId, version);
  };
}
