/** The school's videos: an upload is verified by its content, stored under its id, and served from then on. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { MediaRefusal, MediaView } from '@parley/contract';
import { MAX_VIDEO_COVER_BYTES, mediaAddress } from '@parley/domain';
import { and, eq, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { recordAudit } from '../account/index.ts';
import { DomainError } from '../domain-error.ts';
import { media } from '../db/media-tables.ts';
import { tables } from '../db/tables.ts';
import type { ByteRange, FileStorage } from '../ports/storage/file-storage.ts';
import {
  announceUpload,
  cancelUpload,
  deleteExpiredUploads,
  deletePartial,
  partialFile,
  requireUpload,
  type UploadParts,
  usedBytes,
} from './uploads.ts';
import { requireDiskRoom } from './disk-room.ts';
import { mayWatch } from './may-watch.ts';
import { coverKey, fileKey } from './storage-keys.ts';
import { storeFile } from './store-file.ts';
import { readPicture } from './read-picture.ts';
import { verifyVideo } from './verify-video.ts';

export interface MediaParts extends UploadParts {
  storage: FileStorage;
}

export type FinishResult =
  { status: 'ready'; media: MediaView } | { status: 'incomplete' } | { status: 'refused'; reason: MediaRefusal };

/** The data that is needed to respond to a request for a file. */
export interface ServedFile {
  bytes: number;
  mediaType: string;
  sha256: string;
  /** Null when the storage has lost it. */
  open: (range?: ByteRange) => Promise<Readable | null>;
}

type Row = typeof media.$inferSelect;

const UNUSED_LIFETIME_MS = 30 * 24 * 3_600_000;

export type Media = ReturnType<typeof createMedia>;

export function createMedia(parts: MediaParts) {
  const { db, now, storage, uploadsDir, limits } = parts;
  /** A repeated call while the file is being copied waits for the first one. */
  const finishing = new Map<string, Promise<FinishResult>>();

  const find = async (id: string): Promise<Row | null> => {
    const [row] = await db
      .select()
      .from(media)
      .where(and(eq(media.id, id), eq(media.state, 'ready')));
    return row ?? null;
  };

  async function finish(actorId: string, id: string): Promise<FinishResult> {
    try {
      return await copyToStorage(actorId, id);
    } catch (error) {
      // Another server may have finished the same upload in the meantime, and deleted the received file.
      const finished = await find(id);
      if (finished === null) throw error;
      return { status: 'ready', media: toView(finished) };
    }
  }

  async function copyToStorage(actorId: string, id: string): Promise<FinishResult> {
    const done = await find(id);
    if (done !== null) return { status: 'ready', media: toView(done) };
    const upload = await requireUpload(parts, { id, actorId });
    const path = partialFile(uploadsDir, id);
    const arrived = await stat(path).catch(() => null);
    if (arrived === null || arrived.size < upload.bytes) {
      // Another server may have finished the upload since it was looked up, and deleted the received file.
      const finished = await find(id);
      return finished === null ? { status: 'incomplete' } : { status: 'ready', media: toView(finished) };
    }
    const verified = await verifyVideo(path);
    if (!verified.isVideo) {
      await cancelUpload(parts, { id, actorId });
      return { status: 'refused', reason: verified.reason };
    }
    const { mediaType, durationS } = verified;
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
    await storeFile(storage, { key: fileKey(id), path, bytes: upload.bytes, mediaType });
    const row = await db.transaction(async (tx) => {
      const [changed] = await tx
        .update(media)
        .set({ state: 'ready', mediaType, durationS, sha256: hash.digest('base64url') })
        .where(and(eq(media.id, id), eq(media.state, 'uploading')))
        .returning();
      if (changed === undefined) return null;
      const after = { bytes: changed.bytes, type: mediaType };
      await recordAudit(tx, { at: now(), actorId, subject: 'media', subjectId: id, act: 'media_uploaded', after });
      return changed;
    });
    if (row === null) {
      const finished = await find(id);
      if (finished !== null) return { status: 'ready', media: toView(finished) };
      // The upload was abandoned in the meantime, and nothing else would ever delete the file.
      await storage.delete(fileKey(id));
      throw new DomainError('request.invalid', { field: 'id' });
    }
    await deletePartial(uploadsDir, id);
    return { status: 'ready', media: toView(row) };
  }

  return {
    /** Whether the learner's plan covers a published video. */
    mayWatch: (userId: string, id: string): Promise<boolean> => mayWatch({ db, now }, { userId, mediaId: id }),
    announceUpload: (upload: Parameters<typeof announceUpload>[1]) => announceUpload(parts, upload),
    requireUpload: (upload: Parameters<typeof requireUpload>[1]) => requireUpload(parts, upload),
    /** Throws `storage.full` when the disk is nearly full, before a piece is written. */
    requireDiskRoom: () => requireDiskRoom(parts, 0),
    cancelUpload: (upload: Parameters<typeof cancelUpload>[1]) => cancelUpload(parts, upload),

    finish(actorId: string, id: string): Promise<FinishResult> {
      const running = finishing.get(id) ?? finish(actorId, id).finally(() => finishing.delete(id));
      finishing.set(id, running);
      return running;
    },

    usage: async () => ({ usedBytes: await usedBytes(db), ...limits }),

    async read(id: string): Promise<MediaView | null> {
      const row = await find(id);
      return row === null ? null : toView(row);
    },

    /** Throws `request.invalid` for a file that is not a picture. */
    async saveCover(actorId: string, { id, picture }: { id: string; picture: string }): Promise<MediaView> {
      const bytes = Buffer.from(/^data:[a-z/+]+;base64,([A-Za-z0-9+/]+=*)$/.exec(picture)?.[1] ?? '', 'base64');
      const cover = bytes.byteLength > MAX_VIDEO_COVER_BYTES ? null : await readPicture(bytes);
      if (cover === null) throw new DomainError('request.invalid', { field: 'picture' });
      if ((await find(id)) === null) throw new DomainError('request.invalid', { field: 'id' });
      const coverType = cover.mediaType;
      const coverSha256 = createHash('sha256').update(bytes).digest('base64url');
      await storage.put(coverKey(id), Readable.from([bytes]), { bytes: bytes.byteLength, mediaType: coverType });
      return db.transaction(async (tx) => {
        const [row] = await tx.update(media).set({ coverType, coverSha256 }).where(eq(media.id, id)).returning();
        if (row === undefined) throw new DomainError('request.invalid', { field: 'id' });
        await recordAudit(tx, { at: now(), actorId, subject: 'media', subjectId: id, act: 'media_cover_changed' });
        return toView(row);
      });
    },

    /**
     * Whether learners can see a video with this file now. Drafts, withdrawn videos and those coming soon do not count.
     */
    async isPublished(id: string): Promise<boolean> {
      const { videos } = tables;
      const shown = and(
        eq(videos.fileUrl, mediaAddress(id)),
        eq(videos.availability, 'ready'),
        isNull(videos.deletedAt),
      );
      return (await db.$count(videos, shown)) > 0;
    },

    /** Null when there is no such file, or it has no cover. */
    async open(id: string, part: 'file' | 'cover'): Promise<ServedFile | null> {
      const row = await find(id);
      const key = part === 'file' ? fileKey(id) : coverKey(id);
      const [mediaType, sha256] = part === 'file' ? [row?.mediaType, row?.sha256] : [row?.coverType, row?.coverSha256];
      if (row === null || typeof mediaType !== 'string' || typeof sha256 !== 'string') return null;
      const bytes = part === 'file' ? row.bytes : (await storage.stat(key))?.bytes;
      return bytes === undefined ? null : { bytes, mediaType, sha256, open: (range) => storage.get(key, range) };
    },

    /** Deletes uploads that were not finished in time, and files that no document has referred to for a month. */
    async deleteExpired(): Promise<{ uploads: number; files: number }> {
      const expired = await deleteExpiredUploads(parts);
      // A server that stopped while it was storing a file has left the file behind.
      for (const id of expired) for (const key of [fileKey(id), coverKey(id)]) await storage.delete(key);
      const isUnused = unusedSince(new Date(now().getTime() - UNUSED_LIFETIME_MS));
      let files = 0;
      for (const { id } of await db.select({ id: media.id }).from(media).where(isUnused)) {
        // By now, a document may refer to the file.
        const deleted = await db
          .delete(media)
          .where(and(eq(media.id, id), isUnused))
          .returning({ id: media.id });
        if (deleted.length === 0) continue;
        await storage.delete(fileKey(id));
        await storage.delete(coverKey(id));
        files += 1;
      }
      return { uploads: expired.length, files };
    },
  };
}

/** Files to which neither a video, nor a post, nor a draft, nor an earlier version refers. */
function unusedSince(before: Date): SQL | undefined {
  const address = sql`'/media/' || ${media.id}`;
  return and(
    eq(media.state, 'ready'),
    lt(media.createdAt, before),
    sql`not exists (select 1 from videos where videos.file_url = ${address})`,
    sql`not exists (select 1 from post_pictures where post_pictures.media_id = ${media.id})`,
    ...[sql`content_documents d where d.draft`, sql`content_versions d where d.document`].flatMap((documents) => [
      sql`not exists (select 1 from ${documents} ->> 'fileUrl' = ${address})`,
      sql`(${media.width} is null or not exists (select 1 from ${documents} ->> 'content' like '%' || ${address} || '%'))`,
    ]),
  );
}

const toView = ({ id, fileName, bytes, mediaType, durationS, coverSha256 }: Row): MediaView => ({
  id,
  fileName,
  bytes,
  mediaType: mediaType ?? '',
  durationS,
  coverVersion: coverSha256,
});
