/** After a database was damaged: what only the damaged file had is put back into the outbox and into its rows. */
import { entities, isLater, isProjection, mergePronunciationWords, wireSchema } from '@parley/domain';
import { eq, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { isConstraintFailure } from './connection.ts';
import { outbox, syncState } from './device-tables.ts';
import { LEARNER_KEYS, type LearnerKey } from './learner-keys.ts';
import { lastHybridTimeOf, setLastHybridTime } from './queue-change.ts';
import { accountDefaults, keyColumn, startingValues, type Values } from './row-values.ts';
import type { Salvaged, UnsentChange } from './salvage.ts';
import { projectSession } from './session-turns.ts';
import type { Store } from './store.ts';
import { tables } from './tables.ts';
import { insertStatement, readRow } from './write-row.ts';

/**
 * Puts back what only a damaged database had: its changes into the outbox, under the times at which they were made, and into their
 * rows. What they refer to may be gone with the damage; then a row comes with the next pull, once the server has the change.
 */
export function takeBackChanges(store: Store, salvaged: Salvaged): void {
  const { identity, lastHybridTime, unsent } = salvaged;
  const { userId } = store.identity();
  store.transaction(() => {
    forgetWhatWasAnswered(store, salvaged);
    for (const change of unsent) {
      const owner = change.putAwayFor ?? identity?.userId ?? userId;
      takeBackChange(store, { ...change, putAwayFor: owner === userId ? null : owner });
    }
    // The next edit must be later than all that this device has made, also than those that the backup does not know.
    const known = lastHybridTimeOf(store);
    const latest = [known, lastHybridTime, ...unsent.map(({ at }) => at)].reduce<string | null>(
      (last, at) => (at !== null && isLater(at, last) ? at : last),
      null,
    );
    if (latest !== null) setLastHybridTime(store, latest);
  });
}

/** Sent once more, a change by a clock that ran ahead would be taken for a new one, and win over what came after it. */
function forgetWhatWasAnswered(store: Store, { identity, unsent, isComplete }: Salvaged): void {
  const own = store.identity();
  if (!isComplete || identity?.deviceId !== own.deviceId || identity.userId !== own.userId) return;
  const ids = JSON.stringify(unsent.map(({ id }) => id));
  const { changes } = store.db
    .delete(outbox)
    .where(sql`${outbox.mutationId} not in (select value from json_each(${ids}))`)
    .run();
  // Their rows still show them, though the server may have kept what it had: it is asked for them again.
  if (changes > 0) askForEverything(store);
}

/** The server's rows come over what this device holds, also those that are no newer. */
const askForEverything = ({ db }: Store): void =>
  void db.update(syncState).set({ userCursor: 0, olderCursor: null }).run();

function takeBackChange(store: Store, change: UnsentChange): void {
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
  // Whatever this device held beyond the backup is to come back.
  askForEverything(store);
  // Where its row is not here, later edits are made without knowing of it: none may take its fields over.
  if (!redo(store, key, change))
    store.db.update(outbox).set({ creates: true }).where(eq(outbox.mutationId, mutationId)).run();
  const sessionId = key === 'aiConversations' ? readRow(store, key, rowId)?.['sessionId'] : undefined;
  if (typeof sessionId === 'string') projectSession(store, sessionId);
  store.touch(tableName);
}

/** A change of a list of words brings only the entries that changed. */
function withAllWords(row: Values | undefined, values: Values): Values {
  const [known, changed] = [row?.['words'], values['words']];
  return Array.isArray(known) && Array.isArray(changed)
    ? { ...values, words: mergePronunciationWords(known, changed) }
    : values;
}

/** Whether the row then shows it. */
function redo(store: Store, key: LearnerKey, { rowId, op, fields, creates, clocks }: UnsentChange): boolean {
  const { shape } = wireSchema(entities[key]);
  const values: Values = {};
  for (const [name, value] of Object.entries(fields)) {
    if (isProjection(entities[key], name)) continue;
    const parsed = Object.hasOwn(shape, name) ? shape[name]?.safeParse(value) : undefined;
    if (parsed?.success === true) values[name] = parsed.data;
  }
  const now = store.clock.now();
  const table: SQLiteTable = tables[key];
  const changed = op === 'delete' ? { deletedAt: now } : withAllWords(readRow(store, key, rowId), values);
  try {
    const { changes } = store.db
      .update(table)
      .set({ ...changed, updatedAt: now })
      .where(eq(keyColumn(key), rowId))
      .run();
    if (changes > 0 || !creates) return changes > 0;
    const fresh = {
      ...startingValues(key),
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
