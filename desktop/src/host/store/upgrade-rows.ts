/** Rows that an earlier version of the app wrote, brought to what this version knows. */
import { schemaFingerprint } from '@parley/contract';
import {
  clocksOfCreation,
  entities,
  formatHybridTime,
  parseHybridTime,
  type Row,
  type SessionId,
  sessionInteractionId,
  toTurnFields,
  type TurnId,
} from '@parley/domain';
import { eq, inArray, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { outbox, resyncSeen, syncState } from './device-tables.ts';
import { LEARNER_KEYS, type LearnerKey } from './learner-keys.ts';
import { keyColumn } from './row-values.ts';
import { projectSession } from './session-turns.ts';
import type { Store } from './store.ts';
import { aiConversations, practiceHistory, tables, userCourseInteraction } from './tables.ts';

/** Once after each upgrade. The server is asked for everything again: for fields that were not known, and rows that could not be read. */
export function upgradeRows(store: Store): void {
  const known = schemaFingerprint();
  const state = store.db.select({ ownSchema: syncState.ownSchema }).from(syncState).get();
  if (state === undefined || state.ownSchema === known) return;
  store.transaction(() => {
    if (state.ownSchema === null) {
      fillTurns(store);
      goOnAsEpoch(store);
    }
    store.db.update(syncState).set({ ownSchema: known, userCursor: 0, olderCursor: null, catalogueCursor: 0 }).run();
  });
}

/**
 * An app of protocol 2 may have been about to give a restored server back what it had lost (`lost`): that goes on as in a new epoch, in
 * which no row counts as confirmed.
 */
function goOnAsEpoch(store: Store): void {
  const resync = store.sqlite.prepare<[], string | null>('SELECT resync FROM sync_state').pluck().get() ?? null;
  if (resync !== 'lost') return;
  for (const key of LEARNER_KEYS) {
    timeRows(store, key);
    const table: SQLiteTable = tables[key];
    store.db.update(table).set({ syncVersion: 0 }).run();
  }
  store.db.update(outbox).set({ base: 0, state: 'waiting', deviceSeq: null }).run();
  // Everything comes once more, and the server may have lost more since.
  store.db.delete(resyncSeen).run();
  store.db.update(syncState).set({ resync: 'epoch', nextDeviceSeq: 0 }).run();
}

/**
 * Rows of protocol 2 have no times of their fields: what the server had confirmed counts as of when it was written, or, under edits that were
 * not sent yet, as of just before the first of them. Otherwise whatever the server still has would count as newer.
 */
function timeRows(store: Store, key: LearnerKey): void {
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
      .set({ fieldClocks: clocksOfCreation(time) })
      .where(eq(keyColumn(key), id))
      .run();
  }
}

/** Before turns were rows, a session kept its whole conversation in one field. The server does the same with its copy. */
function fillTurns(store: Store): void {
  const sessions = store.db
    .select({ id: practiceHistory.id })
    .from(practiceHistory)
    .where(sql`json_array_length(${practiceHistory.entireConversation}) > 0`)
    .all();
  for (const { id } of sessions) {
    const session = store.db.select().from(practiceHistory).where(eq(practiceHistory.id, id)).get();
    if (session === undefined) continue;
    fillTurnsOf(store, session);
    projectSession(store, id);
  }
}

function fillTurnsOf(store: Store, session: Row<'practiceHistory'>): void {
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
          interactionId: interactionOf(store, session),
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

/** The interaction that a session's turns hang on; where none was kept, the same as the server makes for them. */
function interactionOf(store: Store, session: Row<'practiceHistory'>): string {
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
