/** What the server refused of this learner: kept with its content until they have seen it. */
import { type RefusedField, type RejectedChange, type RejectionCode } from '@parley/contract';
import { and, asc, count, eq, inArray, isNotNull, isNull, ne, or, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { outbox, rejectedChanges, type Store, syncState } from '../store/index.ts';
import { atOwnTime } from './at-own-time.ts';
import type { OutboxRow } from './push-changes.ts';

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

const Fields = z.record(z.string(), z.json());
const Clocks = z.record(z.string(), z.string());

export function keepRejected(
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
      triedBetween: versionsNow(store),
      at: store.clock.now(),
    })
    .onConflictDoNothing()
    .run();
}

/** The rest of the change was taken in. */
export function keepRefusedFields(store: Store, row: OutboxRow, refused: readonly RefusedField[]): void {
  const [first] = refused;
  if (first === undefined) return;
  const names = new Set(refused.map(({ field }) => field));
  const fields = Fields.parse(JSON.parse(row.fields));
  const kept = Object.fromEntries(Object.entries(fields).filter(([name]) => names.has(name)));
  keepRejected(store, { ...row, creates: false }, first, kept);
}

/** What another version of the app or of the server may take; what refers to such a change goes along with it. */
const WORTH_ANOTHER_TRY: readonly RejectionCode[] = [
  'unknown_field',
  'unknown_table',
  'internal_error',
  'missing_reference',
];

const isWorthAnotherTry = (store: Store): SQL | undefined =>
  and(isOwn(store), isNotNull(rejectedChanges.change), inArray(rejectedChanges.code, [...WORTH_ANOTHER_TRY]));

export const hasWorthAnotherTry = (store: Store): boolean =>
  store.db.select({ id: rejectedChanges.id }).from(rejectedChanges).where(isWorthAnotherTry(store)).limit(1).get() !==
  undefined;

export const noteServerSchema = (store: Store, schema: string): void =>
  void store.db
    .update(syncState)
    .set({ serverSchema: schema })
    .where(or(isNull(syncState.serverSchema), ne(syncState.serverSchema, schema)))
    .run();

/** The versions of the app and of the server that speak with each other now. */
function versionsNow(store: Store): string {
  const schema = store.db.select({ schema: syncState.serverSchema }).from(syncState).get()?.schema ?? '';
  return `${store.appVersion} ${schema}`;
}

/** What failed between other versions than those that speak with each other now is queued once more; `offsetMs` as `atOwnTime` takes it. */
export function retryAfterUpgrade(store: Store, offsetMs: number): void {
  const { triedBetween } = rejectedChanges;
  const failed = store.db
    .select()
    .from(rejectedChanges)
    .where(and(isWorthAnotherTry(store), or(isNull(triedBetween), ne(triedBetween, versionsNow(store)))))
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
          ...atOwnTime(change, { fields, offsetMs }),
          base: 0,
          state: 'waiting',
        })
        .run();
      store.db.delete(rejectedChanges).where(eq(rejectedChanges.id, id)).run();
    }
  });
}

/**
 * What the server's answer means here. A change without room in the account is refused without a field; one that refers to such a change
 * waits with it.
 */
export function rejectionOf(
  store: Store,
  { code, field }: { code: RejectionCode; field: string | null },
): { code: RejectionCode; field: string | null } {
  const isFull = code === 'limit_exceeded' && field === null;
  if (isFull || (code === 'missing_reference' && refusedFor(store, ['storage_full']).length > 0))
    return { code: 'storage_full', field: null };
  return { code, field };
}

/** There may be room now: something was deleted, the plan is another one, or it is long ago. */
export const retryWhenRoom = (store: Store): void => sendAgain(store, refusedFor(store, ['storage_full']));

type Refused = typeof rejectedChanges.$inferSelect;

/** In the order in which they were made: what refers to another stands behind it. */
const refusedFor = (store: Store, codes: readonly RejectionCode[]): Refused[] =>
  store.db
    .select()
    .from(rejectedChanges)
    .where(and(isOwn(store), inArray(rejectedChanges.code, [...codes])))
    .all()
    .toSorted((a, b) => ((a.change?.at ?? '') < (b.change?.at ?? '') ? -1 : 1));

function sendAgain(store: Store, refused: readonly Refused[]): void {
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
