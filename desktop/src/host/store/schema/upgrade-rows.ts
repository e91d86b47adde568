/** Migrates rows that an earlier version of the app wrote. */
import { schemaFingerprint } from '@parley/contract';
import {
  initialClocks,
  entities,
  formatHybridTime,
  parseHybridTime,
  type Row,
  type SessionId,
  sessionInteractionId,
  toTurnFields,
  type TurnId,
  WORD_STATE_VERSION,
} from '@parley/domain';
import { eq, inArray, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { outbox, resyncSeen, syncState } from './device-tables.ts';
import { LEARNER_KEYS, type LearnerKey } from './learner-keys.ts';
import { keyColumn } from '../rows/row-values.ts';
import { pullWhole } from '../rows/missing-turns.ts';
import { updateConversation } from '../rows/project-session.ts';
import { carryCountsIntoLog, rebuildWords } from '../rows/project-words.ts';
import type { Store } from '../store.ts';
import { aiConversations, practiceHistory, tables, userCourseInteraction } from './tables.ts';

/**
 * The state to which this device's rows were last upgraded: the fields that the app knows, and the rules by which it
 * computes words. App versions without rules stored the fields only.
 */
export const ownSchema = (): string => `${schemaFingerprint()}+words${WORD_STATE_VERSION}`;

/**
 * Runs once after each upgrade. For new fields, everything is pulled again, including rows that were unreadable before.
 */
export function upgradeRows(store: Store): void {
  const state = store.db.select({ ownSchema: syncState.ownSchema }).from(syncState).get();
  if (state === undefined || state.ownSchema === ownSchema()) return;
  const [knownFields] = state.ownSchema?.split('+') ?? [];
  store.transaction(() => {
    if (state.ownSchema === null) {
      createTurnRows(store);
      continueRestoreAsEpoch(store);
    }
    if (knownFields !== schemaFingerprint()) {
      carryCountsIntoLog(store);
      pullWhole(store);
      store.db.update(syncState).set({ catalogueCursor: 0 }).run();
    }
    // Under different rules, a word may be due although its stored card says otherwise.
    rebuildWords(store);
    store.db.update(syncState).set({ ownSchema: ownSchema() }).run();
  });
}

/**
 * A protocol 2 app may have been interrupted while restoring rows to a server (`lost`). The restore continues as a new
 * epoch, in which no row counts as confirmed.
 */
function continueRestoreAsEpoch(store: Store): void {
  const resync = store.sqlite.prepare<[], string | null>('SELECT resync FROM sync_state').pluck().get() ?? null;
  if (resync !== 'lost') return;
  for (const key of LEARNER_KEYS) {
    setFieldTimes(store, key);
    const table: SQLiteTable = tables[key];
    store.db.update(table).set({ syncVersion: 0 }).run();
  }
  store.db.update(outbox).set({ base: 0, state: 'waiting', deviceSeq: null }).run();
  // Everything is pulled again, because the server may have lost more since.
  store.db.delete(resyncSeen).run();
  store.db.update(syncState).set({ resync: 'epoch', nextDeviceSeq: 0 }).run();
}

/**
 * Protocol 2 rows have no field times. A confirmed row gets its update time, or the time just before its first unsent
 * edit, because otherwise the server's rows would always count as newer.
 */
function setFieldTimes(store: Store, key: LearnerKey): void {
  const { deviceId } = store.identity();
  const waiting = store.db.select().from(outbox).where(eq(outbox.tableName, entities[key].name)).all();
  const firstByRow = new Map<string, (typeof waiting)[number]>();
  for (const change of waiting) if (!firstByRow.has(change.rowId)) firstByRow.set(change.rowId, change);
  const rows = store.db
    .select({ id: keyColumn(key), updatedAt: tables[key].updatedAt })
    .from(tables[key] as SQLiteTable)
    .all() as { id: string; updatedAt: Date }[];
  for (const { id, updatedAt } of rows) {
    const first = firstByRow.get(id);
    if (first?.creates === true) continue;
    const editedMs = first === undefined ? Number.POSITIVE_INFINITY : parseHybridTime(first.at).ms - 1;
    const time = formatHybridTime({ ms: Math.min(updatedAt.getTime(), editedMs), counter: 0, deviceId });
    store.db
      .update(tables[key] as SQLiteTable)
      .set({ fieldClocks: initialClocks(time) })
      .where(eq(keyColumn(key), id))
      .run();
  }
}

/** Creates turn rows from the conversation field, as the server does with its copy. */
function createTurnRows(store: Store): void {
  const sessions = store.db
    .select({ id: practiceHistory.id })
    .from(practiceHistory)
    .where(sql`json_array_length(${practiceHistory.entireConversation}) > 0`)
    .all();
  for (const { id } of sessions) {
    const session = store.db.select().from(practiceHistory).where(eq(practiceHistory.id, id)).get();
    if (session === undefined) continue;
    createTurnRowsOf(store, session);
    updateConversation(store, id);
  }
}

function createTurnRowsOf(store: Store, session: Row<'practiceHistory'>): void {
  const ids = session.entireConversation.map(({ turnId }) => turnId);
  const rows = store.db.select().from(aiConversations).where(inArray(aiConversations.conversationId, ids)).all();
  const rowById = new Map(rows.map((row) => [row.conversationId, row]));
  let previousTurnId: TurnId | null = null;
  for (const turn of session.entireConversation) {
    const { conversationId, content, role, ...fields } = toTurnFields(turn, { sessionId: session.id, previousTurnId });
    const row = rowById.get(conversationId);
    if (row === undefined)
      store.db
        .insert(aiConversations)
        .values({
          conversationId,
          content,
          role,
          ...fields,
          interactionId: findOrCreateInteraction(store, session),
          userId: session.userId,
          courseId: null,
          createdAt: fields.saidAt ?? session.createdAt,
          updatedAt: session.updatedAt,
          syncVersion: 0,
          deletedAt: null,
        })
        .run();
    else
      store.db
        .update(aiConversations)
        .set({ ...fields, content: row.content === '' ? content : row.content })
        .where(eq(aiConversations.conversationId, conversationId))
        .run();
    previousTurnId = turn.turnId;
  }
}

/** Returns the interaction of a session's turns, or creates it with the id that the server would use. */
function findOrCreateInteraction(store: Store, session: Row<'practiceHistory'>): string {
  const found = store.db
    .select({ interactionId: userCourseInteraction.interactionId })
    .from(userCourseInteraction)
    .where(sql`details ->> '$.sessionId' = ${session.id}`)
    .get();
  if (found !== undefined) return found.interactionId;
  const interactionId = sessionInteractionId(session.id);
  const { userId, practiceId, createdAt, updatedAt } = session;
  const sessionId: SessionId = session.id;
  store.db
    .insert(userCourseInteraction)
    .values({
      interactionId,
      userId,
      courseId: null,
      interactionType: 'practice',
      timestamp: createdAt,
      details: { sessionId, practiceId, videoId: null, courseSectionId: null },
      createdAt,
      updatedAt,
      syncVersion: 0,
      deletedAt: null,
    })
    .run();
  return interactionId;
}
