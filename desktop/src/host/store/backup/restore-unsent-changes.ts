/** Restores unsent changes from a damaged database into the outbox and their rows. */
import { entities, isLater, isProjection, mergePronunciationWords, wireSchema } from '@parley/domain';
import { eq, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { isConstraintFailure } from '../connection.ts';
import { outbox } from '../schema/device-tables.ts';
import { LEARNER_KEYS, type LearnerKey } from '../schema/learner-keys.ts';
import { lastHybridTimeOf, setLastHybridTime } from '../rows/queue-change.ts';
import { accountDefaults, keyColumn, initialValues, type Values } from '../rows/row-values.ts';
import type { Salvaged, UnsentChange } from './salvage.ts';
import { updateConversation } from '../rows/project-session.ts';
import { pullWhole } from '../rows/missing-turns.ts';
import { rebuildWords } from '../rows/project-words.ts';
import type { Store } from '../store.ts';
import { tables } from '../schema/tables.ts';
import { insertStatement, readRow } from '../rows/write-row.ts';

/**
 * Restores the changes with their original times. A row that they refer to may be lost; it then returns with the next
 * pull after the server has the change.
 */
export function restoreUnsentChanges(store: Store, salvaged: Salvaged): void {
  const { identity, lastHybridTime, unsent } = salvaged;
  const { userId } = store.identity();
  store.transaction(() => {
    deleteAnsweredChanges(store, salvaged);
    for (const change of unsent) {
      const owner = change.putAwayFor ?? identity?.userId ?? userId;
      restoreUnsentChange(store, { ...change, putAwayFor: owner === userId ? null : owner });
    }
    // The next edit must be later than every change this device has made, including those missing from the backup.
    const known = lastHybridTimeOf(store);
    const latest = [known, lastHybridTime, ...unsent.map(({ at }) => at)].reduce<string | null>(
      (last, at) => (at !== null && isLater(at, last) ? at : last),
      null,
    );
    if (latest !== null) setLastHybridTime(store, latest);
    rebuildWords(store);
  });
}

/**
 * Deletes changes that the server has already answered. Sent again, a change from a fast clock could count as new and
 * overwrite later edits.
 */
function deleteAnsweredChanges(store: Store, { identity, unsent, isComplete }: Salvaged): void {
  const own = store.identity();
  if (!isComplete || identity?.deviceId !== own.deviceId || identity.userId !== own.userId) return;
  const ids = JSON.stringify(unsent.map(({ id }) => id));
  const { changes } = store.db
    .delete(outbox)
    .where(sql`${outbox.mutationId} not in (select value from json_each(${ids}))`)
    .run();
  // The rows still show these changes, but the server may have kept its own values, so they are pulled again.
  if (changes > 0) pullWhole(store);
}

function restoreUnsentChange(store: Store, change: UnsentChange): void {
  const key = LEARNER_KEYS.find((each) => entities[each].name === change.table);
  if (key === undefined) return;
  const { id: mutationId, table: tableName, rowId, op, fields, creates, at, base, putAwayFor } = change;
  const clocks = change.clocks ?? null;
  const queued = store.db
    .insert(outbox)
    .values({
      mutationId,
      tableName,
      rowId,
      op,
      fields,
      creates,
      at,
      base,
      clocks,
      putAwayFor,
      deviceSeq: null,
      state: 'waiting',
    })
    .onConflictDoNothing()
    .run();
  if (queued.changes === 0 || putAwayFor !== null) return;
  // The backup may lack rows that the server has, so everything is pulled again.
  pullWhole(store);
  // If the row is missing here, later edits do not know of this change, so none may absorb its fields.
  if (!applyToRow(store, key, change))
    store.db.update(outbox).set({ creates: true }).where(eq(outbox.mutationId, mutationId)).run();
  const sessionId = key === 'aiConversations' ? readRow(store, key, rowId)?.['sessionId'] : undefined;
  if (typeof sessionId === 'string') updateConversation(store, sessionId);
  store.markChanged(tableName);
}

/** A change of a word list contains only the changed entries. */
function mergeAllWords(row: Values | undefined, values: Values): Values {
  const [known, changed] = [row?.['words'], values['words']];
  return Array.isArray(known) && Array.isArray(changed)
    ? { ...values, words: mergePronunciationWords(known, changed) }
    : values;
}

/** Applies the change to its row. Returns whether the row now shows it. */
function applyToRow(store: Store, key: LearnerKey, { rowId, op, fields, creates, clocks }: UnsentChange): boolean {
  const { shape } = wireSchema(entities[key]);
  const values: Values = {};
  for (const [name, value] of Object.entries(fields)) {
    if (isProjection(entities[key], name)) continue;
    const parsed = Object.hasOwn(shape, name) ? shape[name]?.safeParse(value) : undefined;
    if (parsed?.success === true) values[name] = parsed.data;
  }
  const now = store.clock.now();
  const table: SQLiteTable = tables[key];
  const changed = op === 'delete' ? { deletedAt: now } : mergeAllWords(readRow(store, key, rowId), values);
  try {
    const { changes } = store.db
      .update(table)
      .set({ ...changed, updatedAt: now })
      .where(eq(keyColumn(key), rowId))
      .run();
    if (changes > 0 || !creates) return changes > 0;
    const fresh = {
      ...initialValues(key),
      [entities[key].key]: rowId,
      createdAt: now,
      ...values,
      updatedAt: now,
      syncVersion: 0,
      deletedAt: null,
    };
    insertStatement(store, key)({ ...fresh, ...accountDefaults(key), fieldClocks: clocks ?? {} });
    return true;
  } catch (error) {
    if (isConstraintFailure(error)) return false;
    throw error;
  }
}
