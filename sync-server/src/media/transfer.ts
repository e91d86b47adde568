/** Videos in a course pack: each is verified before it is stored, and served only once the import has succeeded. */
import { createHash, randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { and, asc, eq, inArray } from 'drizzle-orm';
import { recordAudit } from '../account/index.ts';
import { DomainError } from '../domain-error.ts';
import type { Database } from '../db/client.ts';
import { media } from '../db/media-tables.ts';
import type { FileStorage } from '../ports/storage/file-storage.ts';
import { type ArrivedVideo, type ReceivedVideo, receiveVideo } from './receive-video.ts';
import { requireDiskRoom } from './disk-room.ts';
import { coverKey, fileKey } from './storage-keys.ts';
import { storeFile } from './store-file.ts';
import { announceFile, deletePartial, partialFile, requireUpload, type UploadParts } from './uploads.ts';
import { readPicture } from './read-picture.ts';

export interface KeptVideo {
  id: string;
  fileName: string;
  bytes: number;
  mediaType: string;
  /** Base64url, the form in which the database stores hashes. */
  sha256: string;
  coverType: string | null;
  coverSha256: string | null;
}

export type MediaTransfer = ReturnType<typeof createMediaTransfer>;

export function createMediaTransfer(parts: UploadParts & { storage: FileStorage }) {
  const { db, now, storage, uploadsDir } = parts;

  const findReady = async (column: typeof media.sha256 | typeof media.id, values: readonly string[]) => {
    const rows =
      values.length === 0
        ? []
        : await db
            .select()
            .from(media)
            .where(and(inArray(column, [...values]), eq(media.state, 'ready')))
            .orderBy(asc(media.createdAt), asc(media.id));
    return rows.flatMap(({ mediaType, sha256, ...row }): KeptVideo[] =>
      mediaType === null || sha256 === null ? [] : [{ ...row, mediaType, sha256 }],
    );
  };

  async function abandon(id: string): Promise<void> {
    const [deleted] = await db
      .delete(media)
      .where(and(eq(media.id, id), eq(media.state, 'uploading')))
      .returning({ id: media.id });
    if (deleted !== undefined) for (const key of [fileKey(id), coverKey(id)]) await storage.delete(key);
  }

  return {
    /** Throws `storage.full` when the disk has no room for so many bytes. */
    async receive(content: AsyncIterable<Buffer>, { bytes }: { bytes: number }): Promise<ReceivedVideo> {
      await requireDiskRoom(parts, bytes);
      return receiveVideo(uploadsDir, content);
    },
    discard: ({ partialId }: ArrivedVideo): Promise<void> => deletePartial(uploadsDir, partialId),

    /** The path of a pack that an admin has uploaded. Throws `request.invalid` when it has not arrived completely. */
    async uploadedPack(upload: { id: string; actorId: string }): Promise<string> {
      const { bytes } = await requireUpload(parts, upload);
      const path = partialFile(uploadsDir, upload.id);
      const arrived = await stat(path).catch(() => null);
      if (arrived?.size !== bytes) throw new DomainError('request.invalid', { field: 'upload' });
      return path;
    },

    /** Files with this content, oldest first. */
    findByContent: (sha256s: readonly string[]): Promise<KeptVideo[]> => findReady(media.sha256, sha256s),
    find: (ids: readonly string[]): Promise<KeptVideo[]> => findReady(media.id, ids),
    open: (id: string): Promise<Readable | null> => storage.get(fileKey(id)),
    openCover: (id: string): Promise<Readable | null> => storage.get(coverKey(id)),

    /**
     * Moves a file to the storage, where it is invisible until `keep`. Returns its id. Throws `request.too_large` and
     * `storage.full`, as for an upload.
     */
    async store(
      video: ArrivedVideo,
      { actorId, fileName }: { actorId: string | null; fileName: string },
    ): Promise<string> {
      const id = randomUUID();
      const { bytes, mediaType, partialId } = video;
      await announceFile(parts, { id, actorId, bytes, fileName });
      try {
        await storeFile(storage, { key: fileKey(id), path: partialFile(uploadsDir, partialId), bytes, mediaType });
      } catch (error) {
        await abandon(id);
        throw error;
      }
      return id;
    },

    /** Undoes `store`. */
    abandon,

    async keep(
      tx: Database,
      { id, sha256, actorId, video }: { id: string; sha256: string; actorId: string | null; video: ArrivedVideo },
    ): Promise<void> {
      const { mediaType, durationS, bytes } = video;
      const [kept] = await tx
        .update(media)
        .set({ state: 'ready', mediaType, durationS, sha256 })
        .where(and(eq(media.id, id), eq(media.state, 'uploading')))
        .returning({ id: media.id });
      if (kept === undefined) throw new Error('the upload of a video in a pack was deleted meanwhile');
      const after = { bytes, type: mediaType };
      await recordAudit(tx, { at: now(), actorId, subject: 'media', subjectId: id, act: 'media_uploaded', after });
    },

    /** Throws `request.invalid` for a file that is not a picture. */
    async setCover(
      tx: Database,
      { id, picture, actorId }: { id: string; picture: Uint8Array; actorId: string | null },
    ): Promise<void> {
      const cover = await readPicture(Buffer.from(picture));
      if (cover === null) throw new DomainError('request.invalid', { field: 'picture' });
      const coverType = cover.mediaType;
      const bytes = picture.byteLength;
      await storage.put(coverKey(id), Readable.from([picture]), { bytes, mediaType: coverType });
      await tx
        .update(media)
        .set({ coverType, coverSha256: contentHash(picture) })
        .where(eq(media.id, id));
      await recordAudit(tx, { at: now(), actorId, subject: 'media', subjectId: id, act: 'media_cover_changed' });
    },
  };
}

export const contentHash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64url');
