/** Gives this learner's rows ids of their own on another account, everywhere that they are named, the same at every try. */
import { enrolmentId, entities, type Field } from '@parley/domain';
import { eq } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { createHash } from 'node:crypto';
import {
  keyColumn,
  LEARNER_KEYS,
  type LearnerKey,
  recordings,
  scoringAttempts,
  sessionClocks,
  sessionDrafts,
  sessionHints,
  type Store,
  tables,
} from '../store/index.ts';

type Values = Record<string, unknown>;

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Their one row is named after the learner. */
const NAMED_AFTER_LEARNER: readonly LearnerKey[] = ['users', 'pronunciationImprovementSummary'];
const RENAMED_KEYS = LEARNER_KEYS.filter((key) => !NAMED_AFTER_LEARNER.includes(key));

/**
 * A UUID of version 8 (RFC 9562): drawn from the old id and the account, so that a move which is done twice, after a crash or
 * from an old backup, names the same rows again instead of doubling them.
 */
export function renamedId(id: string, accountId: string): string {
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

/** An enrolment's id says whose and in what; others are drawn. */
const newIdOf = (key: LearnerKey, { id, row, accountId }: { id: string; row: Values; accountId: string }): string =>
  key === 'enrollments' ? enrolmentId(accountId, String(row['courseId'])) : renamedId(id, accountId);

/** Call it inside a transaction whose foreign keys are deferred. */
export function renameRows(store: Store, accountId: string): void {
  const { db } = store;
  const newIds = new Map<string, string>();
  const rowsByKey = RENAMED_KEYS.map((key) => {
    const table: SQLiteTable = tables[key];
    const rows: Values[] = db.select().from(table).all();
    for (const row of rows) {
      const id = String(row[entities[key].key]);
      newIds.set(id, newIdOf(key, { id, row, accountId }));
    }
    return { key, rows };
  });
  const rename = (text: string): string => text.replaceAll(UUID, (id) => newIds.get(id) ?? id);

  for (const { key, rows } of rowsByKey) {
    const table: SQLiteTable = tables[key];
    for (const row of rows)
      db.update(table)
        .set(renameIn(key, row, rename))
        .where(eq(keyColumn(key), String(row[entities[key].key])))
        .run();
    store.touch(entities[key].name);
  }
  for (const { recordingId, sessionId, turnId } of db.select().from(recordings).all())
    db.update(recordings)
      .set({ sessionId: rename(sessionId), turnId: rename(turnId) })
      .where(eq(recordings.recordingId, recordingId))
      .run();
  for (const table of [scoringAttempts, sessionClocks, sessionDrafts, sessionHints])
    for (const { sessionId } of db.select({ sessionId: table.sessionId }).from(table).all())
      db.update(table)
        .set({ sessionId: rename(sessionId) })
        .where(eq(table.sessionId, sessionId))
        .run();
}

/** The row's ids, and those inside its JSON: turns, sessions, objectives' proofs. Text that a learner wrote is left alone. */
function renameIn(key: LearnerKey, row: Values, rename: (text: string) => string): Values {
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
