/** Whether the learner has left any work in this store. */
import { eq } from 'drizzle-orm';
import { drillAttempts } from './schema/device-tables.ts';
import { practiceHistory } from './schema/tables.ts';
import type { Store } from './store.ts';

export function hasPractised({ db, identity }: Store): boolean {
  const { userId } = identity();
  const isTheirs = eq(practiceHistory.userId, userId);
  if (db.select({ id: practiceHistory.id }).from(practiceHistory).where(isTheirs).get() !== undefined) return true;
  const drilled = db.select({ id: drillAttempts.userId }).from(drillAttempts).where(eq(drillAttempts.userId, userId));
  return drilled.get() !== undefined;
}
