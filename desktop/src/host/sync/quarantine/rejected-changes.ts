/** Changes that the server rejected, kept with their content until the learner has seen them. */
import { type RefusedField, type RejectedChange, type RejectionCode } from '@parley/contract';
import { and, asc, count, eq, inArray, isNotNull, isNull, ne, or, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { outbox, rejectedChanges, type Store, syncState } from '../../store/index.ts';
import { keepChangeTime } from '../push/keep-change-time.ts';
import type { OutboxRow } from '../push/outbox-row.ts';

const belongsToLearner = (store: Store): SQL => eq(rejectedChanges.userId, store.identity().userId);

export const rejectedCount = (store: Store): number =>
  store.db.select({ total: count() }).from(rejectedChanges).where(belongsToLearner(store)).get()?.total ?? 0;

/** Oldest first. */
export const listRejected = (store: Store): RejectedChange[] =>
  store.db
    .select()
    .from(rejectedChanges)
    .where(belongsToLearner(store))
    .orderBy(asc(rejectedChanges.at))
    .all()
    .map(({ id, tableName: table, code, field, fields, at }) => ({ id, table, code, field, fields, at }));

export function dismissRejected(store: Store, id: string): void {
  store.db
    .delete(rejectedChanges)
    .where(and(belongsToLearner(store), eq(rejectedChanges.id, id)))
    .run();
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
      triedBetween: currentVersions(store),
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

/** Another version of the app or the server may accept these; changes that refer to them are retried with them. */
const RETRYABLE_CODES: readonly RejectionCode[] = [
  'unknown_field',
  'unknown_table',
  'internal_error',
  'missing_reference',
];

const isRetryable = (store: Store): SQL | undefined =>
  and(belongsToLearner(store), isNotNull(rejectedChanges.change), inArray(rejectedChanges.code, [...RETRYABLE_CODES]));

export const hasRetryable = (store: Store): boolean =>
  store.db.select({ id: rejectedChanges.id }).from(rejectedChanges).where(isRetryable(store)).limit(1).get() !==
  undefined;

export const storeServerSchema = (store: Store, schema: string): void =>
  void store.db
    .update(syncState)
    .set({ serverSchema: schema })
    .where(or(isNull(syncState.serverSchema), ne(syncState.serverSchema, schema)))
    .run();

/** The current versions of the app and the server. */
function currentVersions(store: Store): string {
  const schema = store.db.select({ schema: syncState.serverSchema }).from(syncState).get()?.schema ?? '';
  return `${store.appVersion} ${schema}`;
}

/** Queues changes again that failed between other versions than the current ones. `offsetMs` is as in `atOwnTime`. */
export function retryAfterUpgrade(store: Store, offsetMs: number): void {
  const { triedBetween } = rejectedChanges;
  const failed = store.db
    .select()
    .from(rejectedChanges)
    .where(and(isRetryable(store), or(isNull(triedBetween), ne(triedBetween, currentVersions(store)))))
    .orderBy(asc(rejectedChanges.at), asc(rejectedChanges.id))
    .all();
  if (failed.length === 0) return;
  store.transaction(() => {
    for (const { id, tableName, rowId, fields, change } of failed) {
      if (change === null) continue;
      store.db
        .insert(outbox)
        .values({
          mutationId: store.newId(),
          tableName,
          rowId,
          fields,
          creates: change.creates,
          at: change.at,
          ...keepChangeTime(change, { fields, offsetMs }),
          base: 0,
          state: 'waiting',
        })
        .run();
      store.db.delete(rejectedChanges).where(eq(rejectedChanges.id, id)).run();
    }
  });
}

/**
 * Interprets a rejection. A full account is reported without a field; a change that refers to such a change waits with
 * it.
 */
export function interpretRejection(
  store: Store,
  { code, field }: { code: RejectionCode; field: string | null },
): { code: RejectionCode; field: string | null } {
  const isFull = code === 'limit_exceeded' && field === null;
  if (isFull || (code === 'missing_reference' && listRejectedFor(store, ['storage_full']).length > 0))
    return { code: 'storage_full', field: null };
  return { code, field };
}

/** Call this when the account may have room again: after a deletion, a plan change or a long time. */
export const retryWhenRoom = (store: Store): void => requeue(store, listRejectedFor(store, ['storage_full']));

type StoredRejection = typeof rejectedChanges.$inferSelect;

/** Ordered by time, so that a change follows the one it refers to. */
const listRejectedFor = (store: Store, codes: readonly RejectionCode[]): StoredRejection[] =>
  store.db
    .select()
    .from(rejectedChanges)
    .where(and(belongsToLearner(store), inArray(rejectedChanges.code, [...codes])))
    .all()
    .toSorted((a, b) => ((a.change?.at ?? '') < (b.change?.at ?? '') ? -1 : 1));

function requeue(store: Store, refused: readonly StoredRejection[]): void {
  for (const { id, tableName, rowId, fields, change } of refused) {
    if (change === null) continue;
    const { op, at, creates, clocks = null } = change;
    store.db
      .insert(outbox)
      .values({
        mutationId: store.newId(),
        tableName,
        rowId,
        op,
        fields,
        creates,
        at,
        clocks,
        base: 0,
        state: 'waiting',
      })
      .run();
    store.db.delete(rejectedChanges).where(eq(rejectedChanges.id, id)).run();
  }
}
