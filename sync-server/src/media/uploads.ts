/**
 * Uploads in progress: each is announced, counts towards the school’s storage, and belongs to the admin who began it.
 */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import { DomainError } from '../domain-error.ts';
import type { Database } from '../db/client.ts';
import { media } from '../db/media-tables.ts';
import { nullWhenMissing } from '../missing-file.ts';
import { type DiskParts, hasDiskRoom, requireDiskRoom } from './disk-room.ts';

export interface MediaLimits {
  maxFileBytes: number;
  /** The storage used by the whole school, in bytes, including uploads in progress. */
  maxTotalBytes: number;
}

export interface UploadParts extends DiskParts {
  db: Database;
  now: () => Date;
  limits: MediaLimits;
}

/** On a slow connection, a long video may take days, with interruptions. */
const UPLOAD_LIFETIME_MS = 7 * 24 * 3_600_000;
const MAX_NAME = 200;
/** Serialises uploads that begin at the same time, so that together they stay within the limit. */
const RESERVATION_LOCK = 7_214_001;

/** Where the tus server writes the bytes of an upload. It keeps its metadata in a file next to them. */
export const partialFile = (uploadsDir: string, id: string): string => join(uploadsDir, id);

export async function deletePartial(uploadsDir: string, id: string): Promise<void> {
  for (const name of [id, `${id}.json`]) await rm(join(uploadsDir, name), { force: true });
}

export async function usedBytes(tx: Database): Promise<number> {
  const [row] = await tx.select({ bytes: sql<string>`coalesce(sum(${media.bytes}), 0)` }).from(media);
  return Number(row?.bytes ?? 0);
}

interface AnnouncedFile {
  id: string;
  actorId: string | null;
  bytes: number;
  fileName: string;
}

/**
 * Throws `request.too_large` for the file itself, and `storage.full` if it exceeds the school's storage or does not fit
 * on the disk.
 */
export async function announceUpload(parts: UploadParts, upload: AnnouncedFile): Promise<void> {
  requireValidSize(upload.bytes, parts.limits);
  if (!(await hasDiskRoom(parts, upload.bytes + (await readMissingBytes(parts))))) {
    await deleteIdleUploads(parts);
    await requireDiskRoom(parts, upload.bytes + (await readMissingBytes(parts)));
  }
  await announceFile(parts, upload);
}

/** As `announceUpload`, for a file that is already on the disk. */
export async function announceFile(
  { db, now, limits }: UploadParts,
  { id, actorId, bytes, fileName }: AnnouncedFile,
): Promise<void> {
  requireValidSize(bytes, limits);
  await db.transaction(async (tx) => {
    await requireRoom(tx, { bytes, limits });
    await tx.insert(media).values({
      id,
      state: 'uploading',
      fileName: storable(fileName),
      bytes,
      uploadedBy: actorId,
      createdAt: now(),
    });
  });
}

function requireValidSize(bytes: number, { maxFileBytes }: MediaLimits): void {
  if (!Number.isSafeInteger(bytes) || bytes <= 0) throw new DomainError('request.invalid', { field: 'upload-length' });
  if (bytes > maxFileBytes) throw new DomainError('request.too_large', { detail: 'media' });
}

/** The announced bytes on this disk that have not arrived yet. */
async function readMissingBytes({ db, uploadsDir }: UploadParts): Promise<number> {
  const uploads = await db.select({ id: media.id, bytes: media.bytes }).from(media).where(eq(media.state, 'uploading'));
  const missing = uploads.map(async ({ id, bytes }) => {
    const partial = await stat(partialFile(uploadsDir, id)).catch(nullWhenMissing);
    return partial === null ? 0 : Math.max(0, bytes - partial.size);
  });
  return (await Promise.all(missing)).reduce((sum, bytes) => sum + bytes, 0);
}

/**
 * Throws `storage.full` if this would exceed the school's storage. Concurrent calls wait until the transaction ends.
 */
export async function requireRoom(
  tx: Database,
  { bytes, limits }: { bytes: number; limits: MediaLimits },
): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${RESERVATION_LOCK})`);
  if ((await usedBytes(tx)) + bytes > limits.maxTotalBytes) throw new DomainError('storage.full', { detail: 'media' });
}

/** A file's name as the database accepts it, without NUL characters and unpaired surrogates. */
export const storable = (fileName: string): string => fileName.toWellFormed().replaceAll('\0', '').slice(0, MAX_NAME);

/** Throws `request.invalid` when this admin has no such upload. */
export async function requireUpload({ db }: UploadParts, { id, actorId }: { id: string; actorId: string }) {
  const [found] = await db
    .select()
    .from(media)
    .where(and(eq(media.id, id), eq(media.state, 'uploading'), eq(media.uploadedBy, actorId)));
  if (found === undefined) throw new DomainError('request.invalid', { field: 'id' });
  return found;
}

export async function cancelUpload(parts: UploadParts, asked: { id: string; actorId: string }): Promise<void> {
  await requireUpload(parts, asked);
  await deletePartial(parts.uploadsDir, asked.id);
  await parts.db.delete(media).where(and(eq(media.id, asked.id), eq(media.state, 'uploading')));
}

/** Deletes unfinished uploads, and files in the folder that belong to no upload. Returns the ids of the uploads. */
export async function deleteExpiredUploads(parts: UploadParts): Promise<string[]> {
  const { db, now, uploadsDir } = parts;
  const expired = await db
    .delete(media)
    .where(and(eq(media.state, 'uploading'), lt(media.createdAt, new Date(now().getTime() - UPLOAD_LIFETIME_MS))))
    .returning({ id: media.id });
  for (const { id } of expired) await deletePartial(uploadsDir, id);
  const idle = (await hasDiskRoom(parts, 0)) ? [] : await deleteIdleUploads(parts);
  await deleteOrphans(db, uploadsDir);
  return [...expired.map(({ id }) => id), ...idle];
}

/** On a disk that is nearly full, an upload that has received nothing for this long no longer waits for its sender. */
const IDLE_MS = 24 * 3_600_000;

async function deleteIdleUploads({ db, uploadsDir }: UploadParts): Promise<string[]> {
  const uploads = await db.select({ id: media.id }).from(media).where(eq(media.state, 'uploading'));
  const deleted: string[] = [];
  for (const { id } of uploads) {
    const partial = await stat(partialFile(uploadsDir, id)).catch(nullWhenMissing);
    // The times of files come from the machine's clock.
    if (partial === null || Date.now() - partial.mtimeMs < IDLE_MS) continue;
    await deletePartial(uploadsDir, id);
    await db.delete(media).where(and(eq(media.id, id), eq(media.state, 'uploading')));
    deleted.push(id);
  }
  return deleted;
}

const ORPHAN_AGE_MS = 24 * 3_600_000;

async function deleteOrphans(db: Database, uploadsDir: string): Promise<void> {
  const names = (await readdir(uploadsDir).catch(nullWhenMissing)) ?? [];
  const ids = [...new Set(names.flatMap((name) => /^([0-9a-f-]{36})(?:\.json)?$/.exec(name)?.[1] ?? []))];
  if (ids.length === 0) return;
  const known = await db
    .select({ id: media.id })
    .from(media)
    .where(and(inArray(media.id, ids), eq(media.state, 'uploading')));
  const kept = new Set(known.map(({ id }) => id));
  for (const id of ids.filter((each) => !kept.has(each))) {
    const found = await stat(partialFile(uploadsDir, id)).catch(() => null);
    // The files of an upload that was announced after this run read the list are younger than the limit. Their times
    // come from the machine's clock.
    if (found === null || Date.now() - found.mtimeMs > ORPHAN_AGE_MS) await deletePartial(uploadsDir, id);
  }
}
