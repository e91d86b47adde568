/** What the server refused of this learner: kept with its content until they have seen it. */
import type { RejectedChange } from '@parley/contract';
import { and, asc, count, eq, type SQL } from 'drizzle-orm';
import { rejectedChanges, type Store } from '../store/index.ts';

const isOwn = (store: Store): SQL => eq(rejectedChanges.userId, store.identity().userId);

export const rejectedCount = (store: Store): number =>
  store.db.select({ total: count() }).from(rejectedChanges).where(isOwn(store)).get()?.total ?? 0;

/** Oldest first. */
export const listRejected = (store: Store): RejectedChange[] =>
  store.db
    .select()
    .from(rejectedChanges)
    .where(isOwn(store))
    .orderBy(asc(rejectedChanges.at))
    .all()
    .map(({ id, tableName: table, code, field, fields, at }) => ({ id, table, code, field, fields, at }));

export function dismissRejected(store: Store, id: string): void {
  store.db
    .delete(rejectedChanges)
    .where(and(isOwn(store), eq(rejectedChanges.id, id)))
    .run();
}
