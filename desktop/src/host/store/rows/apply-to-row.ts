/** Repeats a change on its row: in a database restored from a backup, or for a learner who has signed in again. */
import type { Mutation } from '@parley/contract';
import { entities, isProjection, mergePronunciationWords, wireSchema } from '@parley/domain';
import { eq } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { isConstraintFailure } from '../connection.ts';
import { updateConversation } from './project-session.ts';
import { accountDefaults, initialValues, keyColumn, type Values } from './row-values.ts';
import { insertStatement, readRow } from './write-row.ts';
import type { LearnerKey } from '../schema/learner-keys.ts';
import { tables } from '../schema/tables.ts';
import type { Store } from '../store.ts';

export interface AppliedChange extends Pick<Mutation, 'rowId' | 'op' | 'fields' | 'clocks'> {
  creates: boolean;
}

/** Applies the change to its row. Returns whether the row now shows it. */
export function applyToRow(
  store: Store,
  key: LearnerKey,
  { rowId, op, fields, creates, clocks }: AppliedChange,
): boolean {
  const { shape } = wireSchema(entities[key]);
  const values: Values = {};
  for (const [name, value] of Object.entries(fields)) {
    if (isProjection(entities[key], name)) continue;
    const parsed = Object.hasOwn(shape, name) ? shape[name]?.safeParse(value) : undefined;
    if (parsed?.success === true) values[name] = parsed.data;
  }
  const now = store.clock.now();
  const current = readRow(store, key, rowId);
  try {
    if (current === undefined) {
      if (!creates) return false;
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
    }
    const table: SQLiteTable = tables[key];
    const changed = op === 'delete' ? { deletedAt: now } : mergeAllWords(current, values);
    store.db
      .update(table)
      .set({ ...changed, updatedAt: now })
      .where(eq(keyColumn(key), rowId))
      .run();
    return true;
  } catch (error) {
    if (isConstraintFailure(error)) return false;
    throw error;
  }
}

/** Computes the session again of which the row is a turn. */
export function updateSessionOf(store: Store, key: LearnerKey, rowId: string): void {
  const sessionId = key === 'aiConversations' ? readRow(store, key, rowId)?.['sessionId'] : undefined;
  if (typeof sessionId === 'string') updateConversation(store, sessionId);
  store.markChanged(entities[key].name);
}

/** A change of a word list contains only the changed entries. */
function mergeAllWords(row: Values | undefined, values: Values): Values {
  const [known, changed] = [row?.['words'], values['words']];
  return Array.isArray(known) && Array.isArray(changed)
    ? { ...values, words: mergePronunciationWords(known, changed) }
    : values;
}
