/**
 * Restores missing rows of recordings. A damaged database may have lost the row of a recording whose file is still
 * here; the turn or drill that refers to the recording says what it was.
 */
import { SessionId } from '@parley/domain';
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../logger.ts';
import {
  aiConversations,
  countMissingTurns,
  drillAttempts,
  practiceHistory,
  readSyncState,
  recordings,
  type Store,
} from '../store/index.ts';
import { recoverWav } from './wav-file.ts';

/** Recordings of drills belong to no session, so they are stored under this id. */
export const DRILL_SESSION_ID: SessionId = SessionId.parse('00000000-0000-7000-8000-0000000d1115');

export interface FileAdopter {
  /**
   * Adopts all files to which a turn or drill of the signed-in learner refers. `isUpToDate` says that everything has
   * been pulled, so later calls need not search the learner's turns again.
   */
  adoptAll(options: { isUpToDate: boolean }): void;
  /**
   * Adopts the file of this recording. Returns false if there is none, nothing here refers to it, or it cannot be
   * opened.
   */
  adopt(recordingId: string): boolean;
}

const RECORDING_FILE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.wav$/;

/** Call this before the first recording is made. */
export function createFileAdopter(store: Store, { folder, logger }: { folder: string; logger: Logger }): FileAdopter {
  const { db } = store;
  const idsWithoutRow = listIdsWithoutRow(store, folder);
  /** The learner whose turns have all been pulled, so that no further ones can refer to these files. */
  let completeFor: string | null = null;
  const failed = new Set<string>();

  function adoptThese(ids: readonly string[]): void {
    if (ids.length === 0) return;
    for (const named of [...findTurns(store, ids), ...findDrills(store, ids)])
      try {
        adoptFile(named);
        idsWithoutRow.delete(named.recordingId);
      } catch (error) {
        // Another program may have the file open, or the learner may lack write permission.
        if (!failed.has(named.recordingId)) logger.warn({ err: error }, 'recording_not_adopted');
        failed.add(named.recordingId);
      }
  }

  function adoptFile(named: NamedRecording): void {
    const fileName = `${named.recordingId}.wav`;
    const { sampleCount } = recoverWav(join(folder, fileName));
    store.transaction(() => {
      db.insert(recordings)
        .values({ ...named, fileName, sampleCount, nextSeq: 0 })
        .onConflictDoNothing()
        .run();
      store.markChanged('recordings');
    });
  }

  return {
    adoptAll({ isUpToDate }) {
      const { userId } = store.identity();
      if (completeFor === userId) return;
      adoptThese([...idsWithoutRow]);
      if (isUpToDate && isHistoryComplete(store)) completeFor = userId;
    },
    adopt(recordingId) {
      if (!idsWithoutRow.has(recordingId)) return false;
      adoptThese([recordingId]);
      return !idsWithoutRow.has(recordingId);
    },
  };
}

/** Whether the older rows and turns, which may arrive after a pull, are here too. */
function isHistoryComplete(store: Store): boolean {
  const { olderCursor, resync } = readSyncState(store);
  return olderCursor === null && resync === null && countMissingTurns(store) === 0;
}

function listIdsWithoutRow({ db }: Store, folder: string): Set<string> {
  const known = new Set(
    db
      .select({ id: recordings.recordingId })
      .from(recordings)
      .all()
      .map(({ id }) => id),
  );
  const ids = readdirSync(folder).flatMap((name) => RECORDING_FILE.exec(name)?.[1] ?? []);
  return new Set(ids.filter((id) => !known.has(id)));
}

interface NamedRecording extends Pick<
  typeof recordings.$inferInsert,
  'recordingId' | 'userId' | 'sessionId' | 'turnId' | 'state' | 'hintLevel' | 'createdAt'
> {}

const isOneOf = (column: AnySQLiteColumn, ids: readonly string[]): SQL =>
  sql`${column} in (select value from json_each(${JSON.stringify(ids)}))`;

/** The recordings of a deleted session have been deleted, or will be soon. */
const findTurns = (store: Store, ids: readonly string[]): NamedRecording[] =>
  store.db
    .select({
      recordingId: aiConversations.recordingId,
      userId: aiConversations.userId,
      sessionId: aiConversations.sessionId,
      turnId: aiConversations.conversationId,
      hintLevel: aiConversations.hintLevel,
      saidAt: aiConversations.saidAt,
      createdAt: aiConversations.createdAt,
    })
    .from(aiConversations)
    .innerJoin(practiceHistory, eq(practiceHistory.id, aiConversations.sessionId))
    .where(
      and(
        isOneOf(aiConversations.recordingId, ids),
        eq(aiConversations.userId, store.identity().userId),
        isNull(aiConversations.deletedAt),
        isNull(practiceHistory.deletedAt),
      ),
    )
    .all()
    .flatMap(({ recordingId, sessionId, saidAt, createdAt, ...turn }) =>
      recordingId === null || sessionId === null
        ? []
        : [{ ...turn, recordingId, sessionId, state: 'sent' as const, createdAt: saidAt ?? createdAt }],
    );

const findDrills = (store: Store, ids: readonly string[]): NamedRecording[] =>
  store.db
    .select({
      recordingId: drillAttempts.recordingId,
      userId: drillAttempts.userId,
      turnId: drillAttempts.turnId,
      assessment: drillAttempts.assessment,
      createdAt: drillAttempts.createdAt,
    })
    .from(drillAttempts)
    .where(and(isOneOf(drillAttempts.recordingId, ids), eq(drillAttempts.userId, store.identity().userId)))
    .all()
    .map(({ assessment, ...drill }) => ({
      ...drill,
      sessionId: DRILL_SESSION_ID,
      state: assessment === null ? 'waiting' : 'sent',
      hintLevel: 0,
    }));
