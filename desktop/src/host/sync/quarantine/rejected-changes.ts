/** Changes that the server rejected, kept with their content until it accepts them. The learner may remove them from the list. */
import { type RefusedField, type RejectedChange, type RejectionCode } from '@parley/contract';
import { and, asc, count, eq, inArray, isNull, ne, or, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { prepareOnce, readSyncState, rejectedChanges, type Store, syncState } from '../../store/index.ts';
import type { OutboxRow } from '../push/outbox-row.ts';

const belongsToLearner = (store: Store): SQL => eq(rejectedChanges.userId, store.identity().userId);

const isListed = (store: Store): SQL | undefined =>
  and(belongsToLearner(store), eq(rejectedChanges.isDismissed, false));

export const rejectedCount = (store: Store): number =>
  store.db.select({ total: count() }).from(rejectedChanges).where(isListed(store)).get()?.total ?? 0;

/** Oldest first. */
export const listRejected = (store: Store): RejectedChange[] =>
  store.db
    .select()
    .from(rejectedChanges)
    .where(isListed(store))
    .orderBy(asc(rejectedChanges.at))
    .all()
    .map(({ id, tableName: table, code, field, fields, at }) => ({ id, table, code, field, fields, at }));

/** Removes it from the list only: its row may exist nowhere else, and is still sent when the server may accept it. */
export function dismissRejected(store: Store, id: string): void {
  store.db
    .update(rejectedChanges)
    .set({ isDismissed: true })
    .where(and(belongsToLearner(store), eq(rejectedChanges.id, id)))
    .run();
}

/**
 * Rows for which a dismissed change is being sent again. If it is rejected once more, the learner need not be told
 * again.
 */
const dismissedRows = new WeakMap<Store, Set<string>>();

const rowOf = ({ tableName, rowId }: Pick<OutboxRow, 'tableName' | 'rowId'>): string => `${tableName} ${rowId}`;

/** Call this when the rejected changes of a row are sent again. */
export function noteSentAgain(store: Store, rejection: StoredRejection): void {
  if (!rejection.isDismissed) return;
  const rows = dismissedRows.get(store) ?? new Set();
  dismissedRows.set(store, rows.add(rowOf(rejection)));
}

const Fields = z.record(z.string(), z.json());
const Clocks = z.record(z.string(), z.string());

export function storeRejected(
  store: Store,
  row: OutboxRow,
  refusal: { code: RejectionCode; field: string | null },
  fields: z.infer<typeof Fields> = Fields.parse(JSON.parse(row.fields)),
): void {
  const { mutationId: id, tableName, rowId, op, at: madeAt, creates } = row;
  const clocks = row.clocks === null ? {} : { clocks: Clocks.parse(JSON.parse(row.clocks)) };
  store.db
    .insert(rejectedChanges)
    .values({
      id,
      userId: store.identity().userId,
      tableName,
      rowId,
      fields,
      code: refusal.code,
      field: refusal.field,
      change: { op, at: madeAt, creates, ...clocks },
      triedVersions: currentVersions(store, refusal.code),
      isDismissed: op === 'restore' && dismissedRows.get(store)?.has(rowOf(row)) === true,
      at: store.clock.now(),
    })
    .onConflictDoNothing()
    .run();
}

/** The server accepted the rest of the change. */
export function storeRejectedFields(store: Store, row: OutboxRow, refused: readonly RefusedField[]): void {
  const [first] = refused;
  if (first === undefined) return;
  const names = new Set(refused.map(({ field }) => field));
  const fields = Fields.parse(JSON.parse(row.fields));
  const kept = Object.fromEntries(Object.entries(fields).filter(([name]) => names.has(name)));
  storeRejected(store, { ...row, creates: false }, first, kept);
}

export const storeServerSchema = (store: Store, schema: string): void =>
  void store.db
    .update(syncState)
    .set({ serverSchema: schema })
    .where(or(isNull(syncState.serverSchema), ne(syncState.serverSchema, schema)))
    .run();

/**
 * The current versions on which a rejection depends: those of the app and the server, and of the catalogue if a
 * referenced row is missing.
 */
export function currentVersions(store: Store, code: RejectionCode): string {
  const { serverSchema, catalogueCursor } = readSyncState(store);
  const versions = `${store.appVersion} ${serverSchema ?? ''}`;
  return code === 'missing_reference' ? `${versions} ${catalogueCursor}` : versions;
}

/**
 * Interprets a rejection. If the account is full, no field is reported. A change that refers to such a change, or edits
 * a row whose creation was rejected, waits with it.
 */
export function interpretRejection(
  store: Store,
  change: Pick<OutboxRow, 'tableName' | 'rowId'>,
  { code, field }: { code: RejectionCode; field: string | null },
): { code: RejectionCode; field: string | null } {
  const isFull = code === 'limit_exceeded' && field === null;
  if (isFull || (code === 'missing_reference' && listRejectedFor(store, ['storage_full']).length > 0))
    return { code: 'storage_full', field: null };
  // To the server, an edit of a missing row looks like a new row without an owner.
  const creation = code === 'invalid_value' ? rejectionsOfRow(store, change).find(isRejectedCreation) : undefined;
  return creation === undefined ? { code, field } : { code: creation.code, field: creation.field };
}

export type StoredRejection = typeof rejectedChanges.$inferSelect;

export const isRejectedCreation = ({ change }: StoredRejection): boolean =>
  change !== null && change.creates && change.op !== 'delete';

const isOfRow = (store: Store, { tableName, rowId }: Pick<OutboxRow, 'tableName' | 'rowId'>): SQL | undefined =>
  and(belongsToLearner(store), eq(rejectedChanges.tableName, tableName), eq(rejectedChanges.rowId, rowId));

/** All rejected changes of one row. */
export const rejectionsOfRow = (store: Store, row: Pick<OutboxRow, 'tableName' | 'rowId'>): StoredRejection[] =>
  byTime(store.db.select().from(rejectedChanges).where(isOfRow(store, row)).all());

export const listRejectedCreations = (store: Store, tableName: string): StoredRejection[] =>
  store.db
    .select()
    .from(rejectedChanges)
    .where(and(belongsToLearner(store), eq(rejectedChanges.tableName, tableName)))
    .all()
    .filter(isRejectedCreation);

/** Call this when the row was deleted: its rejected changes are no longer wanted. */
export const forgetRejectionsOfRow = (
  store: Store,
  { tableName, rowId }: Pick<OutboxRow, 'tableName' | 'rowId'>,
): void => void deleteRejections(store).run({ userId: store.identity().userId, tableName, rowId });

const deleteRejections = prepareOnce(({ db }) =>
  db
    .delete(rejectedChanges)
    .where(
      and(
        eq(rejectedChanges.userId, sql.placeholder('userId')),
        eq(rejectedChanges.tableName, sql.placeholder('tableName')),
        eq(rejectedChanges.rowId, sql.placeholder('rowId')),
      ),
    )
    .prepare(),
);

export const listRejectedFor = (store: Store, codes: readonly RejectionCode[], where?: SQL): StoredRejection[] =>
  byTime(
    store.db
      .select()
      .from(rejectedChanges)
      .where(and(belongsToLearner(store), inArray(rejectedChanges.code, [...codes]), where))
      .all(),
  );

/** Ordered by time, so that a change follows the one it refers to. */
const byTime = (rejections: readonly StoredRejection[]): StoredRejection[] =>
  rejections.toSorted((a, b) => ((a.change?.at ?? '') < (b.change?.at ?? '') ? -1 : 1));
