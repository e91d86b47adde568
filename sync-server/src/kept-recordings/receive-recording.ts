/** Receives copies of recordings in parts, and keeps one when it is complete and matches its announcement. */
import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  type AnnouncedRecording,
  type KeptRecording,
  MAX_RECORDING_MS,
  type ReceivedRecording,
  RECORDING_MEDIA_TYPE,
} from '@parley/contract';
import { readOggOpus } from '@parley/speech/opus';
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { keptRecordings, recordingAccounts, recordingBlobs, recordingParts } from '../db/recording-tables.ts';
import { DomainError } from '../domain-error.ts';
import type { FileStorage } from '../ports/storage/file-storage.ts';
import { type AccountParts, lockAccount, readQuotaBytes, readUsedBytes, type RecordingAccount } from './account.ts';
import { eraseRecordings } from '../account/index.ts';
import { findCopy } from './find-copy.ts';
import { fileKey } from './recording-file.ts';

export interface ReceiveParts extends AccountParts {
  storage: FileStorage;
}

interface StoredAudio {
  userId: string;
  sha256: string;
}

type Blob = typeof recordingBlobs.$inferSelect;

const isStoredAudio = ({ userId, sha256 }: StoredAudio) =>
  and(eq(recordingBlobs.userId, userId), eq(recordingBlobs.sha256, sha256));
const isPartOf = ({ userId, sha256 }: StoredAudio) =>
  and(eq(recordingParts.userId, userId), eq(recordingParts.sha256, sha256));

/** Throws `recordings.off` without the learner's consent, and `recordings.full` when their plan has no space left. */
export async function announceRecording(
  parts: ReceiveParts,
  userId: string,
  { recordingId, sessionId, sha256, bytes }: KeptRecording,
): Promise<AnnouncedRecording> {
  const { db, now } = parts;
  const quotaBytes = await readQuotaBytes(parts, userId);
  return db.transaction(async (tx) => {
    const account = await lockAccount(tx, userId);
    const known = await findCopy(tx, userId, recordingId);
    if (known !== null) return { status: 'kept', sha256: known.sha256, bytes: known.bytes };
    const [existing] = await tx.select().from(recordingBlobs).where(isStoredAudio({ userId, sha256 }));
    if (existing !== undefined && existing.bytes !== bytes)
      throw new DomainError('request.invalid', { field: 'bytes' });
    const blob = existing ?? (await insertBlob(tx, { userId, sha256, bytes, createdAt: now() }));
    // A device that encodes differently replaces what has not been kept yet.
    await tx
      .insert(keptRecordings)
      .values({ userId, recordingId, sessionId, sha256, version: null, createdAt: now() })
      .onConflictDoUpdate({
        target: [keptRecordings.userId, keptRecordings.recordingId],
        set: { sha256, sessionId },
      });
    if ((await readUsedBytes(tx, userId)) > quotaBytes) throw new DomainError('recordings.full');
    if (blob.state === 'receiving') return { status: 'missing', offset: await readOffset(tx, { userId, sha256 }) };
    await assignVersions(tx, account, sha256);
    return { status: 'kept', sha256, bytes };
  });
}

/** Throws `audio.gap` with the expected offset, and `audio.invalid` when the whole differs from what was announced. */
export async function receivePart(
  parts: ReceiveParts,
  audio: StoredAudio & { offset: number; content: Uint8Array },
): Promise<ReceivedRecording> {
  const blob = await storePart(parts.db, audio);
  if (blob.state === 'kept') return { status: 'kept' };
  const offset = await readOffset(parts.db, audio);
  if (offset < blob.bytes) return { status: 'missing', offset };
  await keep(parts, blob);
  return { status: 'kept' };
}

async function storePart(
  db: Database,
  { userId, sha256, offset, content }: StoredAudio & { offset: number; content: Uint8Array },
): Promise<Blob> {
  return db.transaction(async (tx) => {
    await lockAccount(tx, userId);
    const [blob] = await tx.select().from(recordingBlobs).where(isStoredAudio({ userId, sha256 }));
    if (blob === undefined) throw new DomainError('recording.not_found');
    if (blob.state === 'kept') return blob;
    // If all bytes arrived while the storage was full, an empty part completes the copy.
    if (content.byteLength === 0 && offset !== blob.bytes) throw new DomainError('request.invalid', { field: 'body' });
    if (offset + content.byteLength > blob.bytes) throw new DomainError('request.too_large', { detail: 'recording' });
    const expected = await readOffset(tx, { userId, sha256 });
    if (offset > expected) throw new DomainError('audio.gap', { detail: String(expected) });
    // A part that arrives twice, or from two devices at once, is stored once.
    if (offset === expected && content.byteLength > 0)
      await tx.insert(recordingParts).values({ userId, sha256, start: offset, content });
    return blob;
  });
}

/** The bytes are read outside of any transaction, because a storage may be slow. */
async function keep({ db, now, storage }: ReceiveParts, { userId, sha256, bytes, fileId }: Blob): Promise<void> {
  const content = await readParts(db, { userId, sha256 });
  const isWhole = content.byteLength === bytes && createHash('sha256').update(content).digest('hex') === sha256;
  if (!isWhole || !readOggOpus(content, { maxMs: MAX_RECORDING_MS }).ok) {
    // Another request may have completed the copy in the meantime; its parts are then gone.
    const [current] = await db.select().from(recordingBlobs).where(isStoredAudio({ userId, sha256 }));
    if (current?.state === 'kept') return;
    await db.transaction((tx) => eraseRecordings(tx, { userId, at: now(), hashes: [sha256] }));
    throw new DomainError('audio.invalid');
  }
  await storage
    .put(fileKey(fileId), Readable.from([Buffer.from(content)]), { bytes, mediaType: RECORDING_MEDIA_TYPE })
    .catch((error: unknown) => {
      if (isStorageFull(error)) throw new DomainError('storage.full', { detail: 'recordings' });
      throw error;
    });
  const isKept = await db.transaction(async (tx) => {
    const account = await lockAccountEvenWhenOff(tx, userId);
    const changed = await tx
      .update(recordingBlobs)
      .set({ state: 'kept' })
      .where(and(isStoredAudio({ userId, sha256 }), eq(recordingBlobs.fileId, fileId)))
      .returning({ sha256: recordingBlobs.sha256 });
    if (account === null || changed.length === 0) return false;
    await tx.delete(recordingParts).where(isPartOf({ userId, sha256 }));
    await assignVersions(tx, account, sha256);
    return true;
  });
  if (isKept) return;
  // The learner deleted the copy in the meantime, and nothing else would delete the file that was just written.
  await storage.delete(fileKey(fileId));
  throw new DomainError('recording.not_found');
}

const lockAccountEvenWhenOff = async (tx: Database, userId: string): Promise<RecordingAccount | null> => {
  const [row] = await tx.select().from(recordingAccounts).where(eq(recordingAccounts.userId, userId)).for('update');
  return row ?? null;
};

async function insertBlob(tx: Database, audio: Pick<Blob, 'userId' | 'sha256' | 'bytes' | 'createdAt'>): Promise<Blob> {
  const blob: Blob = { ...audio, fileId: randomUUID(), state: 'receiving' };
  await tx.insert(recordingBlobs).values(blob);
  return blob;
}

/** Numbers the recordings whose audio is complete. */
async function assignVersions(tx: Database, { userId, version }: RecordingAccount, sha256: string): Promise<void> {
  const isOfAudio = and(eq(keptRecordings.userId, userId), eq(keptRecordings.sha256, sha256));
  const waiting = await tx
    .select({ recordingId: keptRecordings.recordingId })
    .from(keptRecordings)
    .where(and(isOfAudio, isNull(keptRecordings.version)));
  let next = version;
  for (const { recordingId } of waiting) {
    next += 1;
    await tx
      .update(keptRecordings)
      .set({ version: next })
      .where(and(isOfAudio, eq(keptRecordings.recordingId, recordingId)));
  }
  await tx.update(recordingAccounts).set({ version: next }).where(eq(recordingAccounts.userId, userId));
}

async function readOffset(db: Database, audio: StoredAudio): Promise<number> {
  const [row] = await db
    .select({ bytes: sql<string>`coalesce(sum(length(${recordingParts.content})), 0)` })
    .from(recordingParts)
    .where(isPartOf(audio));
  return Number(row?.bytes ?? 0);
}

async function readParts(db: Database, audio: StoredAudio): Promise<Uint8Array> {
  const stored = await db
    .select({ content: recordingParts.content })
    .from(recordingParts)
    .where(isPartOf(audio))
    .orderBy(asc(recordingParts.start));
  return Buffer.concat(stored.map(({ content }) => content));
}

const isStorageFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
