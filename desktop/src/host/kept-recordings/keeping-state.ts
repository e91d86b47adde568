/** This device's record of the learner's choice to keep copies of recordings, and of the copies on the server. */
import type { ErrorCode, RecordingKeeping, RecordingList } from '@parley/contract';
import { and, count, eq, gt, inArray, isNull, notExists, sql } from 'drizzle-orm';
import {
  practiceHistory,
  recordingCopies,
  recordingKeeping,
  recordings,
  recordingUploads,
  type Store,
} from '../store/index.ts';

export type KeepingRow = typeof recordingKeeping.$inferSelect;
export type CopyRow = typeof recordingCopies.$inferSelect;
export type UploadRow = typeof recordingUploads.$inferSelect;
export type RecordingRow = typeof recordings.$inferSelect;

/** Only recordings in these states are copied: the others were discarded or are not finished. */
const KEPT_STATES = ['sent', 'unsent'] as const;

export const readKeepingRow = ({ db }: Store, userId: string): KeepingRow =>
  db.select().from(recordingKeeping).where(eq(recordingKeeping.userId, userId)).get() ?? {
    userId,
    isOn: false,
    pendingChoice: null,
    chosenAt: null,
    copiesDeletedAt: null,
    generation: null,
    listedUntil: 0,
    usedBytes: 0,
    quotaBytes: 0,
    failure: null,
  };

export function writeKeepingRow(store: Store, userId: string, change: Partial<KeepingRow>): void {
  const row = { ...readKeepingRow(store, userId), ...change };
  store.transaction(() => {
    store.db
      .insert(recordingKeeping)
      .values(row)
      .onConflictDoUpdate({ target: recordingKeeping.userId, set: row })
      .run();
    store.markChanged('recording_keeping');
  });
}

/** An older server does not report when the learner chose. */
const timeOf = (text: string | null | undefined): Date | null =>
  text === null || text === undefined ? null : new Date(text);

const isEarlier = (a: Date | null, b: Date | null): boolean => (a?.getTime() ?? 0) < (b?.getTime() ?? 0);

/**
 * Whether the server once knew of a later choice or deletion than it does now, because it was restored to an earlier
 * time.
 */
export function hasForgottenChoice(store: Store, userId: string, keeping: RecordingKeeping): boolean {
  const { chosenAt, copiesDeletedAt, pendingChoice } = readKeepingRow(store, userId);
  if (keeping.chosenAt === undefined || pendingChoice === 'unconfirmed') return false;
  return isEarlier(timeOf(keeping.chosenAt), chosenAt) || isEarlier(timeOf(keeping.copiesDeletedAt), copiesDeletedAt);
}

/**
 * The server's state is authoritative, unless the learner has switched copies off and the server does not know it yet,
 * or the server has been restored to an earlier state. `isLatest` marks the server's response to a choice.
 */
export function applyKeeping(
  store: Store,
  userId: string,
  keeping: RecordingKeeping,
  { isLatest = false }: { isLatest?: boolean } = {},
): void {
  const known = readKeepingRow(store, userId);
  const { usedBytes, quotaBytes } = keeping;
  const [chosenAt, copiesDeletedAt] = [timeOf(keeping.chosenAt), timeOf(keeping.copiesDeletedAt)];
  const isForgotten = keeping.chosenAt !== undefined && isEarlier(chosenAt, known.chosenAt);
  // If the server keeps no copies, the unknown choice on this device makes no difference.
  const isConfirmed = known.pendingChoice === 'unconfirmed' && !keeping.isOn;
  const isTaken = isConfirmed || (known.pendingChoice === null && (isLatest || !isForgotten));
  writeKeepingRow(store, userId, {
    usedBytes,
    quotaBytes,
    ...(isTaken ? { isOn: keeping.isOn, pendingChoice: null, chosenAt: chosenAt ?? known.chosenAt } : {}),
    copiesDeletedAt:
      isLatest || isEarlier(known.copiesDeletedAt, copiesDeletedAt) ? copiesDeletedAt : known.copiesDeletedAt,
  });
}

/** The bytes that the server counts for each copy on top of its audio. */
const ROW_BYTES = 1_024;

/** Whether the plan's space, after it was full, has room for the recording that did not fit. */
export function hasRoomAgain(store: Store, userId: string): boolean {
  const { usedBytes, quotaBytes } = readKeepingRow(store, userId);
  const next = nextToSend(store, userId);
  const bytes = next === null ? 0 : (findUpload(store, userId, next.recordingId)?.bytes ?? 0);
  return usedBytes + bytes + ROW_BYTES <= quotaBytes;
}

export const setFailure = (store: Store, userId: string, failure: ErrorCode | null): void => {
  if (readKeepingRow(store, userId).failure !== failure) writeKeepingRow(store, userId, { failure });
};

/** Applies a page of the list. A page that starts over makes the device forget the copies that it knew. */
export function applyList(store: Store, userId: string, list: RecordingList): void {
  const { db } = store;
  const belongsToLearner = eq(recordingCopies.userId, userId);
  store.transaction(() => {
    if (list.startsOver) db.update(recordingCopies).set({ isOnServer: false }).where(belongsToLearner).run();
    for (const copy of list.recordings) {
      const known = { ...copy, userId, isOnServer: true };
      db.insert(recordingCopies)
        .values({ ...known, playedAt: null })
        .onConflictDoUpdate({ target: [recordingCopies.userId, recordingCopies.recordingId], set: known })
        .run();
    }
    if (!list.hasMore) {
      // Cached files are kept, because they may be the only copies left.
      db.delete(recordingCopies)
        .where(and(belongsToLearner, eq(recordingCopies.isOnServer, false), isNull(recordingCopies.playedAt)))
        .run();
      sendAgainWhatIsMissing(store, userId);
    }
    applyKeeping(store, userId, list.keeping);
    writeKeepingRow(store, userId, { generation: list.generation, listedUntil: list.next });
  });
}

/** The server may have lost copies, or may have been restored to an earlier time. */
function sendAgainWhatIsMissing({ db }: Store, userId: string): void {
  const onServer = db
    .select({ one: sql`1` })
    .from(recordingCopies)
    .where(
      and(
        eq(recordingCopies.userId, recordingUploads.userId),
        eq(recordingCopies.recordingId, recordingUploads.recordingId),
        eq(recordingCopies.isOnServer, true),
      ),
    );
  db.delete(recordingUploads)
    .where(and(eq(recordingUploads.userId, userId), eq(recordingUploads.state, 'kept'), notExists(onServer)))
    .run();
}

const isToSend = ({ db }: Store, userId: string) => {
  const done = db
    .select({ one: sql`1` })
    .from(recordingUploads)
    .where(
      and(
        eq(recordingUploads.recordingId, recordings.recordingId),
        eq(recordingUploads.userId, userId),
        inArray(recordingUploads.state, ['kept', 'refused']),
      ),
    );
  const deleted = db
    .select({ one: sql`1` })
    .from(practiceHistory)
    .where(and(eq(practiceHistory.id, recordings.sessionId), sql`${practiceHistory.deletedAt} is not null`));
  return and(
    eq(recordings.userId, userId),
    inArray(recordings.state, [...KEPT_STATES]),
    gt(recordings.sampleCount, 0),
    notExists(done),
    notExists(deleted),
  );
};

export const countToSend = (store: Store, userId: string): number =>
  store.db.select({ total: count() }).from(recordings).where(isToSend(store, userId)).get()?.total ?? 0;

/** Newest first, because a learner who loses the computer tomorrow would miss today's practice most. */
export const nextToSend = (store: Store, userId: string): RecordingRow | null =>
  store.db
    .select()
    .from(recordings)
    .where(isToSend(store, userId))
    .orderBy(sql`${recordings.createdAt} desc`)
    .limit(1)
    .get() ?? null;

export const findUpload = ({ db }: Store, userId: string, recordingId: string): UploadRow | null =>
  db
    .select()
    .from(recordingUploads)
    .where(and(eq(recordingUploads.recordingId, recordingId), eq(recordingUploads.userId, userId)))
    .get() ?? null;

export function saveUpload(store: Store, row: Omit<UploadRow, 'refusals'> & { refusals?: number }): void {
  const set = { refusals: 0, ...row };
  store.transaction(() => {
    store.db
      .insert(recordingUploads)
      .values(set)
      .onConflictDoUpdate({ target: recordingUploads.recordingId, set })
      .run();
    store.markChanged('recording_keeping');
  });
}

export const findCopy = ({ db }: Store, userId: string, recordingId: string): CopyRow | null =>
  db
    .select()
    .from(recordingCopies)
    .where(and(eq(recordingCopies.userId, userId), eq(recordingCopies.recordingId, recordingId)))
    .get() ?? null;

export const countCopies = ({ db }: Store, userId: string): number =>
  db
    .select({ total: count() })
    .from(recordingCopies)
    .where(and(eq(recordingCopies.userId, userId), eq(recordingCopies.isOnServer, true)))
    .get()?.total ?? 0;

export const listCopies = ({ db }: Store, userId: string): CopyRow[] =>
  db.select().from(recordingCopies).where(eq(recordingCopies.userId, userId)).all();
