/** The pictures in the texts of posts: each is verified by its content, and anyone who may read one of its posts can see it. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pictureId } from '@parley/catalogue/pack';
import { MAX_POST_PICTURE_BYTES, mediaIdsIn } from '@parley/domain';
import { and, eq, inArray, isNull, like, lte, sql } from 'drizzle-orm';
import { recordAudit } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { postPictures } from '../db/content-tables.ts';
import { media } from '../db/media-tables.ts';
import { tables } from '../db/tables.ts';
import { DomainError } from '../domain-error.ts';
import type { FileStorage } from '../ports/storage/file-storage.ts';
import { type PictureSize, readPicture } from './read-picture.ts';
import { fileKey } from './storage-keys.ts';
import { requireRoom, storable, type UploadParts } from './uploads.ts';

export interface NewPicture {
  fileName: string;
  bytes: Buffer;
  /** Null on the command line. */
  actorId: string | null;
}

export interface AddedPicture extends PictureSize {
  id: string;
}

/** The sizes of pictures by their ids. */
export type PictureSizes = ReadonlyMap<string, PictureSize>;

const { blogPosts } = tables;
const isPicture = and(eq(media.state, 'ready'), like(media.mediaType, 'image/%'));

export type Pictures = ReturnType<typeof createPictures>;

export function createPictures({
  db,
  now,
  storage,
  limits,
}: Omit<UploadParts, 'uploadsDir'> & { storage: FileStorage }) {
  /** Restarts the month after which an unused picture is deleted. Returns false when there is no such picture. */
  async function renew(tx: Database, id: string): Promise<boolean> {
    const known = await tx
      .update(media)
      .set({ createdAt: now() })
      .where(and(eq(media.id, id), isPicture))
      .returning({ id: media.id });
    return known.length > 0;
  }

  return {
    /**
     * Stores a picture once, however often it is added. Throws `request.invalid` for a file that is not a picture, and
     * `storage.full`.
     */
    async add(tx: Database, { fileName, bytes, actorId }: NewPicture): Promise<AddedPicture> {
      const picture = bytes.byteLength > MAX_POST_PICTURE_BYTES ? null : await readPicture(bytes);
      if (picture === null) throw new DomainError('request.invalid', { field: 'picture' });
      const { mediaType, width, height } = picture;
      const id = pictureId(bytes);
      if (await renew(tx, id)) return { id, width, height };
      await requireRoom(tx, { bytes: bytes.byteLength, limits });
      // Another transaction may have added it while this one waited for the storage lock.
      if (await renew(tx, id)) return { id, width, height };
      await storage.put(fileKey(id), Readable.from([bytes]), { bytes: bytes.byteLength, mediaType });
      await tx.insert(media).values({
        id,
        state: 'ready',
        fileName: storable(fileName),
        bytes: bytes.byteLength,
        mediaType,
        width,
        height,
        sha256: createHash('sha256').update(bytes).digest('base64url'),
        uploadedBy: actorId,
        createdAt: now(),
      });
      const after = { bytes: bytes.byteLength, type: mediaType };
      await recordAudit(tx, { at: now(), actorId, subject: 'media', subjectId: id, act: 'media_uploaded', after });
      return { id, width, height };
    },

    /** Deletes the files of pictures that were added in a transaction which then failed. */
    async abandon(ids: readonly string[]): Promise<void> {
      for (const id of ids) if ((await db.$count(media, eq(media.id, id))) === 0) await storage.delete(fileKey(id));
    },

    /** Whether a currently public post shows the picture. */
    async isPublished(id: string): Promise<boolean> {
      const [found] = await db
        .select({ one: sql`1` })
        .from(media)
        .innerJoin(postPictures, eq(postPictures.mediaId, media.id))
        .innerJoin(blogPosts, eq(blogPosts.id, postPictures.postId))
        .where(and(eq(media.id, id), isPicture, isNull(blogPosts.deletedAt), lte(blogPosts.publishedAt, now())))
        .limit(1);
      return found !== undefined;
    },

    isPicture: async (id: string): Promise<boolean> => (await db.$count(media, and(eq(media.id, id), isPicture))) > 0,

    /** The sizes of a text's pictures that are on this server. */
    async sizesIn(text: string): Promise<PictureSizes> {
      const ids = mediaIdsIn(text);
      if (ids.length === 0) return new Map();
      const rows = await db
        .select({ id: media.id, width: media.width, height: media.height })
        .from(media)
        .where(and(inArray(media.id, ids), isPicture));
      return new Map(
        rows.flatMap(({ id, width, height }) => (width === null || height === null ? [] : [[id, { width, height }]])),
      );
    },
  };
}
