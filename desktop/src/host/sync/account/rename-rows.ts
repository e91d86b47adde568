/** Gives anonymous rows new ids for another account, deterministically and wherever they are referenced. */
import { enrolmentId, entities, type Field } from '@parley/domain';
import { and, eq } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { createHash } from 'node:crypto';
import {
  keyColumn,
  LEARNER_KEYS,
  type LearnerKey,
  recordingCopies,
  recordings,
  rejectedChanges,
  scoringAttempts,
  sessionClocks,
  sessionDrafts,
  sessionHints,
  type Store,
  tables,
} from '../../store/index.ts';

type Values = Record<string, unknown>;

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** These rows use the learner's id. */
const KEYED_BY_LEARNER: readonly LearnerKey[] = ['users', 'pronunciationImprovementSummary'];
const RENAMED_KEYS = LEARNER_KEYS.filter((key) => !KEYED_BY_LEARNER.includes(key));

/**
 * Derives a version 8 UUID (RFC 9562) from the old id and the account, so that repeating a move after a crash or from
 * an old backup does not duplicate rows. An imported row must not get the id that it has in the account from which it came, as an import
 * gives it: moved rows are sent as new ones, and would replace what is newer there.
 */
function deriveRowId(id: string, accountId: string): string {
  const hex = createHash('sha256').update(`${accountId}/${id}`).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/** An enrolment's id is built from its account and course; other ids are derived. */
const newRowId = (key: LearnerKey, { id, row, accountId }: { id: string; row: Values; accountId: string }): string =>
  key === 'enrollments' ? enrolmentId(accountId, String(row['courseId'])) : deriveRowId(id, accountId);

/** Call this inside a transaction with deferred foreign keys. */
export function renameRows(store: Store, accountId: string): void {
  const { db } = store;
  const newIds = new Map<string, string>();
  const rowsByKey = RENAMED_KEYS.map((key) => {
    const table: SQLiteTable = tables[key];
    const rows: Values[] = db.select().from(table).all();
    for (const row of rows) {
      const id = String(row[entities[key].key]);
      newIds.set(id, newRowId(key, { id, row, accountId }));
    }
    return { key, rows };
  });
  const rename = (text: string): string => text.replaceAll(UUID, (id) => newIds.get(id) ?? id);

  for (const { key, rows } of rowsByKey) {
    const table: SQLiteTable = tables[key];
    for (const row of rows)
      db.update(table)
        .set(renameIds(key, row, rename))
        .where(eq(keyColumn(key), String(row[entities[key].key])))
        .run();
    store.markChanged(entities[key].name);
  }
  for (const { recordingId, sessionId, turnId } of db.select().from(recordings).all())
    db.update(recordings)
      .set({ sessionId: rename(sessionId), turnId: rename(turnId) })
      .where(eq(recordings.recordingId, recordingId))
      .run();
  for (const { userId, recordingId, sessionId } of db.select().from(recordingCopies).all()) {
    const renamed = rename(sessionId);
    if (renamed === sessionId) continue;
    db.update(recordingCopies)
      .set({ sessionId: renamed })
      .where(and(eq(recordingCopies.userId, userId), eq(recordingCopies.recordingId, recordingId)))
      .run();
  }
  for (const { id, rowId, fields } of db.select().from(rejectedChanges).all())
    db.update(rejectedChanges)
      .set({ rowId: rename(rowId), fields: JSON.parse(rename(JSON.stringify(fields))) as typeof fields })
      .where(eq(rejectedChanges.id, id))
      .run();
  for (const table of [scoringAttempts, sessionClocks, sessionDrafts, sessionHints])
    for (const { sessionId } of db.select({ sessionId: table.sessionId }).from(table).all())
      db.update(table)
        .set({ sessionId: rename(sessionId) })
        .where(eq(table.sessionId, sessionId))
        .run();
}

/** Renames the row's ids and those inside its JSON. Text written by the learner stays unchanged. */
function renameIds(key: LearnerKey, row: Values, rename: (text: string) => string): Values {
  return Object.fromEntries(
    Object.entries(entities[key].fields as Record<string, Field>).flatMap(([name, field]) => {
      const value = row[name];
      if (field.kind === 'id' && typeof value === 'string') return [[name, rename(value)]];
      if (field.kind === 'json' && value !== null)
        return [[name, JSON.parse(rename(JSON.stringify(value))) as unknown]];
      return [];
    }),
  );
}
