/** What the server refused: kept with its content until the learner has seen it. */
import type { RejectedChange } from '@parley/contract';
import { asc, count, eq } from 'drizzle-orm';
import { rejectedChanges, type Store } from '../store/index.ts';

export const rejectedCount = ({ db }: Store): number =>
  db.select({ total: count() }).from(rejectedChanges).get()?.total ?? 0;

/** Oldest first. */
export const listRejected = ({ db }: Store): RejectedChange[] =>
  db
    .select()
    .from(rejectedChanges)
    .orderBy(asc(rejectedChanges.at))
    .all()
    .map(({ id, tableName: table, code, field, fields, at }) => ({ id, table, code, field, fields, at }));

export function dismissRejected({ db }: Store, id: string): void {
  db.delete(rejectedChanges).where(eq(rejectedChanges.id, id)).run();
}
