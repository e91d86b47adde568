/**
 * Deletes what is no longer needed: copies of sessions that were deleted a week ago, abandoned uploads, files whose
 * rows are gone, and files that never had a row.
 */
import { and, asc, eq, inArray, lt, notExists, or, sql } from 'drizzle-orm';
import { eraseRecordings } from '../account/index.ts';
import { keptRecordings, recordingBlobs, recordingErasures } from '../db/recording-tables.ts';
import { tables } from '../db/tables.ts';
import type { StoredFile } from '../ports/storage/file-storage.ts';
import { readRestoredAt, RESTORED_ORPHAN_AGE_MS } from '../sync/index.ts';
import { renewGeneration } from './account.ts';
import type { ReceiveParts } from './receive-recording.ts';
import { fileIdOf, fileKey, RECORDINGS_PREFIX } from './recording-file.ts';

export interface CleanedRecordings {
  /** The number of deleted sessions. */
  sessions: number;
  uploads: number;
  files: number;
  orphans: number;
  /** Files that the storage failed to delete. They are retried in the next run. */
  failures: unknown[];
}

const DAY_MS = 24 * 3_600_000;
/** Until then, a device can undo the deletion of a session. */
const UNDO_MS = 7 * DAY_MS;
const UPLOAD_LIFETIME_MS = 7 * DAY_MS;
/** A younger file may belong to a request that is still running. */
const ORPHAN_AGE_MS = DAY_MS;
const BATCH = 500;

export async function cleanUpRecordings(parts: ReceiveParts): Promise<CleanedRecordings> {
  const sessions = await eraseDeletedSessions(parts);
  const uploads = await eraseAbandoned(parts);
  const { files, failures } = await eraseFiles(parts);
  const orphans = await eraseOrphans(parts);
  return { sessions, uploads, files, orphans, failures };
}

async function eraseDeletedSessions({ db, now }: ReceiveParts): Promise<number> {
  const { practiceHistory } = tables;
  const due = await db
    .select({ userId: keptRecordings.userId, recordingId: keptRecordings.recordingId })
    .from(keptRecordings)
    .innerJoin(
      practiceHistory,
      and(eq(practiceHistory.id, keptRecordings.sessionId), eq(practiceHistory.userId, keptRecordings.userId)),
    )
    .where(lt(practiceHistory.deletedAt, new Date(now().getTime() - UNDO_MS)));
  for (const userId of new Set(due.map((row) => row.userId)))
    await db.transaction(async (tx) => {
      const recordingIds = due.filter((row) => row.userId === userId).map(({ recordingId }) => recordingId);
      for (let first = 0; first < recordingIds.length; first += BATCH)
        await tx
          .delete(keptRecordings)
          .where(
            and(
              eq(keptRecordings.userId, userId),
              inArray(keptRecordings.recordingId, recordingIds.slice(first, first + BATCH)),
            ),
          );
      await renewGeneration(tx, userId);
    });
  return due.length;
}

/** Audio that no longer belongs to a recording, and uploads that were not completed within a week. */
async function eraseAbandoned({ db, now }: ReceiveParts): Promise<number> {
  const isUnused = notExists(
    db
      .select({ one: sql`1` })
      .from(keptRecordings)
      .where(and(eq(keptRecordings.userId, recordingBlobs.userId), eq(keptRecordings.sha256, recordingBlobs.sha256))),
  );
  const isGivenUp = and(
    eq(recordingBlobs.state, 'receiving'),
    lt(recordingBlobs.createdAt, new Date(now().getTime() - UPLOAD_LIFETIME_MS)),
  );
  const abandoned = await db
    .select({ userId: recordingBlobs.userId, sha256: recordingBlobs.sha256 })
    .from(recordingBlobs)
    .where(or(isUnused, isGivenUp));
  let erased = 0;
  for (const { userId, sha256 } of abandoned)
    erased += await db.transaction(async (tx) => {
      // A device may have announced the audio again since the list was read; the row's lock decides.
      const [still] = await tx
        .select({ sha256: recordingBlobs.sha256 })
        .from(recordingBlobs)
        .where(and(eq(recordingBlobs.userId, userId), eq(recordingBlobs.sha256, sha256), or(isUnused, isGivenUp)))
        .for('update');
      return still === undefined ? 0 : eraseRecordings(tx, { userId, at: now(), hashes: [sha256] });
    });
  return erased;
}

async function eraseFiles({ db, storage }: ReceiveParts): Promise<{ files: number; failures: unknown[] }> {
  const failures: unknown[] = [];
  let files = 0;
  const due = await db
    .select({ fileId: recordingErasures.fileId })
    .from(recordingErasures)
    .orderBy(asc(recordingErasures.requestedAt));
  for (const { fileId } of due)
    try {
      await storage.delete(fileKey(fileId));
      await db.delete(recordingErasures).where(eq(recordingErasures.fileId, fileId));
      files += 1;
    } catch (error) {
      failures.push(error);
    }
  return { files, failures };
}

async function eraseOrphans({ db, storage, now }: ReceiveParts): Promise<number> {
  let orphans = 0;
  let batch: StoredFile[] = [];
  const eraseBatch = async (): Promise<void> => {
    const fileIds = batch.flatMap(({ key }) => fileIdOf(key) ?? []);
    const known = await db
      .select({ fileId: recordingBlobs.fileId })
      .from(recordingBlobs)
      .where(inArray(recordingBlobs.fileId, fileIds));
    const kept = new Set(known.map(({ fileId }) => fileId));
    for (const { key } of batch) {
      const fileId = fileIdOf(key);
      if (fileId === null || kept.has(fileId)) continue;
      await storage.delete(key);
      orphans += 1;
    }
    batch = [];
  };
  const olderThan = new Date(now().getTime() - ORPHAN_AGE_MS);
  const restoredAt = await readRestoredAt(db);
  const hasRecentRestore = restoredAt !== null && now().getTime() < restoredAt.getTime() + RESTORED_ORPHAN_AGE_MS;
  for await (const file of storage.list(RECORDINGS_PREFIX)) {
    if (file.modifiedAt > olderThan || fileIdOf(file.key) === null) continue;
    if (hasRecentRestore && file.modifiedAt <= restoredAt) continue;
    batch.push(file);
    if (batch.length >= BATCH) await eraseBatch();
  }
  if (batch.length > 0) await eraseBatch();
  return orphans;
}
