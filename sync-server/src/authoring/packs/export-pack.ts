/** Writes documents as a course pack, with everything that they refer to, their video files and their pictures. */
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { requiredContent } from '@parley/catalogue/documents';
import { type PackedMedia, type StoredPicture, type StoredVideo, writePack, zipPack } from '@parley/catalogue/pack';
import { type AnyContent, CONTENT_KINDS, mediaIdOf, mediaIdsIn } from '@parley/domain';
import { ne } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { contentDocuments } from '../../db/content-tables.ts';
import type { KeptVideo, MediaTransfer } from '../../media/index.ts';
import { type ContentReference, loadContent } from '../content-records.ts';

export interface ExportPackParts {
  db: Database;
  now: () => Date;
  transfer: MediaTransfer;
}

/** Null exports everything that is not deleted. Drafts are exported in their current state. */
export async function exportPack(
  parts: ExportPackParts,
  references: readonly ContentReference[] | null,
): Promise<Readable> {
  const { transfer } = parts;
  const contents = await readContents(parts, references);
  const mediaIds = contents.flatMap((content) =>
    content.kind === 'video' ? (mediaIdOf(content.document.fileUrl) ?? []) : [],
  );
  const kept = await transfer.find([...new Set(mediaIds)]);
  const videoById = new Map<string, StoredVideo>();
  for (const file of kept) videoById.set(file.id, await describe(file, transfer));
  const { files, mediaPathById } = writePack(contents, videoById, await readPictures(contents, transfer));
  const media = new Map<string, PackedMedia>();
  for (const { id, bytes } of kept) {
    const path = mediaPathById.get(id);
    if (path !== undefined) media.set(path, { bytes, open: () => openFile(id, transfer) });
  }
  return zipPack(files, media);
}

async function readPictures(
  contents: readonly AnyContent[],
  transfer: MediaTransfer,
): Promise<Map<string, StoredPicture>> {
  const ids = contents.flatMap((content) => (content.kind === 'post' ? mediaIdsIn(content.document.content) : []));
  const pictures = new Map<string, StoredPicture>();
  for (const { id, mediaType } of await transfer.find([...new Set(ids)])) {
    const extension = EXTENSION_BY_TYPE[mediaType];
    if (extension !== undefined) pictures.set(id, { extension, bytes: await buffer(await openFile(id, transfer)) });
  }
  return pictures;
}

async function readContents(
  { db, now }: ExportPackParts,
  references: readonly ContentReference[] | null,
): Promise<AnyContent[]> {
  const contents = new Map<string, AnyContent>();
  const rows =
    references ??
    (await db
      .select({ kind: contentDocuments.kind, id: contentDocuments.id })
      .from(contentDocuments)
      .where(ne(contentDocuments.state, 'deleted')));
  const waiting: ContentReference[] = [...rows];
  for (const reference of waiting) {
    if (contents.has(reference.id)) continue;
    const { content } = await loadContent(db, reference, { now: now() });
    contents.set(content.id, content);
    waiting.push(...requiredContent(content));
  }
  return [...contents.values()].toSorted(
    (a, b) => CONTENT_KINDS.indexOf(a.kind) - CONTENT_KINDS.indexOf(b.kind) || (a.id < b.id ? -1 : 1),
  );
}

const EXTENSION_BY_TYPE: Readonly<Partial<Record<string, string>>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
};

async function describe(
  { id, mediaType, fileName, sha256, coverType }: KeptVideo,
  transfer: MediaTransfer,
): Promise<StoredVideo> {
  const extension = EXTENSION_BY_TYPE[coverType ?? ''];
  const cover = extension === undefined ? null : await transfer.openCover(id);
  return {
    extension: mediaType === 'video/webm' ? 'webm' : 'mp4',
    fileName,
    sha256: Buffer.from(sha256, 'base64url').toString('hex'),
    cover: extension === undefined || cover === null ? null : { extension, bytes: await buffer(cover) },
  };
}

async function openFile(id: string, transfer: MediaTransfer): Promise<Readable> {
  const content = await transfer.open(id);
  if (content === null) throw new Error(`the storage has lost the file ${id}`);
  return content;
}
