/**
 * Applies a queued change to its row again: in a database restored from a backup, or for a learner who has signed in
 * again.
 */
import type { Mutation } from '@parley/contract';
import { entities, isProjection, mergePronunciationWords, wireFieldsDecoder, wireSchema } from '@parley/domain';
import { eq } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { isConstraintFailure } from '../connection.ts';
import { updateConversation } from './project-session.ts';
import { accountDefaults, initialValues, keyColumn, type Values } from './row-values.ts';
import { prepareForEachTable, prepareRowStatement, valuePlaceholder } from './prepared-statements.ts';
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
  const sent = Object.fromEntries(Object.entries(fields).filter(([name]) => !isProjection(entities[key], name)));
  const values = wireFieldsDecoder(entities[key])(sent) ?? decodeReadable(key, sent);
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
    const changed = op === 'delete' ? { deletedAt: now } : mergeAllWords(current, values);
    setFields(store, key, rowId, { ...changed, updatedAt: now });
    return true;
  } catch (error) {
    if (isConstraintFailure(error)) return false;
    throw error;
  }
}

const updatesOf = prepareForEachTable(() => new Map<string, (values: Values) => void>());

/** Prepares one statement for each set of fields; thousands of changes have only a few different sets. */
function setFields(store: Store, key: LearnerKey, rowId: string, changed: Values): void {
  const updates = updatesOf(store, key);
  const names = Object.keys(changed).filter((name) => name !== entities[key].key);
  const known = updates.get(names.join());
  const update = known ?? prepareUpdate(store, key, names);
  updates.set(names.join(), update);
  update({ ...changed, [entities[key].key]: rowId });
}

function prepareUpdate(store: Store, key: LearnerKey, names: readonly string[]): (values: Values) => void {
  const table: SQLiteTable = tables[key];
  const update = store.db
    .update(table)
    .set(Object.fromEntries(names.map((name) => [name, valuePlaceholder(name)])))
    .where(eq(keyColumn(key), valuePlaceholder(entities[key].key)));
  return prepareRowStatement(store, table, update.toSQL());
}

function decodeReadable(key: LearnerKey, fields: Values): Values {
  const { shape } = wireSchema(entities[key]);
  const values: Values = {};
  for (const [name, value] of Object.entries(fields)) {
    const parsed = Object.hasOwn(shape, name) ? shape[name]?.safeParse(value) : undefined;
    if (parsed?.success === true) values[name] = parsed.data;
  }
  return values;
}

/** Recomputes the session to which the turn belongs. */
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
