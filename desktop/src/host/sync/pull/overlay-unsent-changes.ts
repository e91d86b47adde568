/** Applies this device's unsent changes to a server row by the same rules as the server's merge. */
import type { Mutation } from '@parley/contract';
import { entities, type FieldClocks, isDeletedBy, mergeEdit, mergeCopies, wireSchema } from '@parley/domain';
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { outbox, prepareOnce, type Store, type StoredKey } from '../../store/index.ts';

export type Values = Record<string, unknown>;

export const clocksOf = (values: Values): FieldClocks => (values['fieldClocks'] ?? {}) as FieldClocks;

/** A pull, or a move to another account, calls this for each of thousands of rows. */
const selectChanges = prepareOnce(({ db }) =>
  db
    .select({ op: outbox.op, fields: outbox.fields, at: outbox.at, clocks: outbox.clocks })
    .from(outbox)
    .where(
      and(
        eq(outbox.tableName, sql.placeholder('tableName')),
        eq(outbox.rowId, sql.placeholder('rowId')),
        isNull(outbox.parkedFor),
      ),
    )
    .orderBy(asc(outbox.position))
    .prepare(),
);

export function overlayUnsentChanges(store: Store, key: StoredKey, row: { rowId: string; values: Values }): Values {
  const waiting = selectChanges(store).all({ tableName: entities[key].name, rowId: row.rowId });
  return waiting.reduce<Values>((values, change) => {
    if (change.op === 'delete') return { ...values, deletedAt: store.clock.now() };
    const current = { values, clocks: clocksOf(values) };
    const fields = decodeFields(key, change.fields);
    if (change.op === 'restore') {
      const merged = mergeCopies(key, current, { values: fields, clocks: change.clocks ?? {} });
      return { ...merged.values, deletedAt: merged.isDeleted ? (values['deletedAt'] ?? store.clock.now()) : null };
    }
    // Either the edit was based on this state of the row, or the server will merge it as if it had been.
    const merged = mergeEdit(key, current, { op: 'upsert', fields, at: change.at, hasSeenRow: true, isNewest: true });
    if (merged === null) return values;
    const deletedAt = isDeletedBy(merged.clocks) ? values['deletedAt'] : null;
    return { ...values, ...merged.changes, deletedAt };
  }, row.values);
}

/**
 * Skips fields that are unreadable, because of a damaged file or another version; the server reports what is wrong with
 * them.
 */
function decodeFields(key: StoredKey, fields: Mutation['fields']): Values {
  const { shape } = wireSchema(entities[key]);
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const parsed = Object.hasOwn(shape, name) ? shape[name]?.safeParse(value) : undefined;
      return parsed?.success === true ? [[name, parsed.data]] : [];
    }),
  );
}
