/** What the server refused of this learner: kept with its content until they have seen it. */
import { type RefusedField, type RejectedChange, type RejectionCode } from '@parley/contract';
import { and, asc, count, eq, inArray, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { outbox, rejectedChanges, type Store, syncState } from '../store/index.ts';
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

/** What another version of the server may take. */
const WORTH_ANOTHER_TRY: readonly RejectionCode[] = ['unknown_field', 'unknown_table', 'internal_error'];

/** A server that knows other fields than before is sent again what it did not know, or failed on. */
export function retryAfterServerUpgrade(store: Store, schema: string): void {
  const known = store.db.select({ schema: syncState.serverSchema }).from(syncState).get()?.schema ?? null;
  if (known === schema) return;
  store.db.update(syncState).set({ serverSchema: schema }).run();
  if (known === null) return;
  sendAgain(store, refusedFor(store, WORTH_ANOTHER_TRY));
}

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
