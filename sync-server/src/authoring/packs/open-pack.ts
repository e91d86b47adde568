/** Reads a course pack from outside, with its videos, and compares them with those of the school. */
import { findDocumentFindings } from '@parley/catalogue/documents';
import { loadPack, type PackPicture, type PackProblem, type PackSource, type PackVideo } from '@parley/catalogue/pack';
import { type AnyContent, type ContentFinding, explain, mediaAddress } from '@parley/domain';
import { inArray } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { contentDocuments } from '../../db/content-tables.ts';
import { tables } from '../../db/tables.ts';
import {
  type ArrivedVideo,
  contentHash,
  type KeptVideo,
  type Media,
  type MediaTransfer,
  measurePicture,
} from '../../media/index.ts';
import { readPackInThread } from './read-pack-in-thread.ts';
import { findVideoProblem } from './video-problems.ts';

/** A video in the pack, with the school's file for it, if there is one. */
export interface OpenedVideo extends PackVideo {
  documentId: string;
  arrived: ArrivedVideo;
  /** Null when the file is new here. */
  kept: KeptVideo | null;
  /** Whether the pack has a different cover for it. */
  hasNewCover: boolean;
}

export interface OpenedPack {
  contents: AnyContent[];
  problems: PackProblem[];
  fileById: ReadonlyMap<string, string>;
  videos: readonly OpenedVideo[];
  pictures: readonly PackPicture[];
  /** Deletes the unpacked files. */
  release: () => Promise<void>;
}

export interface OpenPackParts {
  db: Database;
  transfer: MediaTransfer;
  mediaUsage: Media['usage'];
}

export async function openPack(parts: OpenPackParts, source: PackSource): Promise<OpenedPack> {
  const { transfer } = parts;
  const arrived = new Map<string, ArrivedVideo>();
  const release = async (): Promise<void> => {
    for (const video of arrived.values()) await transfer.discard(video);
  };
  try {
    const { maxFileBytes, maxTotalBytes, usedBytes } = await parts.mediaUsage();
    let unpackedBytes = 0;
    const loaded = await loadPack(source, {
      async receive({ name, bytes }, content) {
        unpackedBytes += bytes;
        if (bytes > maxFileBytes) return explain('film.too_large');
        // Files that the school already has are unpacked too, so that they can be compared.
        if (unpackedBytes > maxTotalBytes) return explain('film.no_room');
        const received = await transfer.receive(content, { bytes });
        if (received.ok) arrived.set(name, received.video);
        return findVideoProblem(name, received);
      },
    });
    if (!loaded.ok) {
      await release();
      return { contents: [], problems: loaded.problems, fileById: new Map(), videos: [], pictures: [], release };
    }
    const pack = await readPackInThread(loaded);
    const videos = await findKept(parts, { videoById: pack.videoById, arrived });
    const contents = withAddresses(
      pack.contents,
      new Map(videos.flatMap(({ documentId, kept }) => (kept === null ? [] : [[documentId, kept.id]]))),
    );
    const problems = [
      ...pack.problems,
      ...contents.flatMap((content) => toProblems(pack.fileById.get(content.id) ?? '', findDocumentFindings(content))),
      ...(await findDamaged(loaded.files, pack.problems)),
      ...findExcess(videos, maxTotalBytes - usedBytes),
    ];
    return { contents, problems, fileById: pack.fileById, videos, pictures: pack.pictures, release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** The documents with the addresses that their files have on this server. */
export const withAddresses = (
  contents: readonly AnyContent[],
  mediaIdByDocumentId: ReadonlyMap<string, string>,
): AnyContent[] =>
  contents.map((content) => {
    const id = mediaIdByDocumentId.get(content.id);
    return content.kind === 'video' && id !== undefined
      ? { ...content, document: { ...content.document, fileUrl: mediaAddress(id) } }
      : content;
  });

async function findKept(
  { db, transfer }: OpenPackParts,
  { videoById, arrived }: { videoById: ReadonlyMap<string, PackVideo>; arrived: ReadonlyMap<string, ArrivedVideo> },
): Promise<OpenedVideo[]> {
  const candidates = await transfer.findByContent([...videoById.values()].map(({ sha256 }) => toBase64Url(sha256)));
  const addressById = await readAddresses(db, [...videoById.keys()]);
  return [...videoById].flatMap(([documentId, video]): OpenedVideo[] => {
    const file = arrived.get(video.file);
    if (file === undefined) return [];
    const same = candidates.filter(({ sha256 }) => sha256 === toBase64Url(video.sha256));
    // The school may have the same file twice. The document keeps the one that it uses.
    const kept = same.find(({ id }) => mediaAddress(id) === addressById.get(documentId)) ?? same[0] ?? null;
    const hasNewCover = video.cover !== null && contentHash(video.cover) !== (kept?.coverSha256 ?? null);
    return [{ ...video, documentId, arrived: file, kept, hasNewCover }];
  });
}

/** The videos' current addresses, in their drafts or as published. */
async function readAddresses(db: Database, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { videos } = tables;
  const published = await db
    .select({ id: videos.videoId, fileUrl: videos.fileUrl })
    .from(videos)
    .where(inArray(videos.videoId, ids));
  const drafts = await db
    .select({ id: contentDocuments.id, draft: contentDocuments.draft })
    .from(contentDocuments)
    .where(inArray(contentDocuments.id, ids));
  return new Map([
    ...published.map(({ id, fileUrl }) => [id, fileUrl] as const),
    ...drafts.flatMap(({ id, draft }) => (draft !== null && 'fileUrl' in draft ? [[id, draft.fileUrl] as const] : [])),
  ]);
}

const PHOTO = /^(?:avatars|covers|pictures)\/.+(?<!\.svg)$/;

/** Also finds photos of more pixels than an app can show. `known` are the problems found so far. */
async function findDamaged(
  files: ReadonlyMap<string, Uint8Array>,
  known: readonly PackProblem[],
): Promise<PackProblem[]> {
  const reported = new Set(known.map(({ file }) => file));
  const problems: PackProblem[] = [];
  for (const [file, bytes] of files)
    if (PHOTO.test(file) && !reported.has(file) && (await measurePicture(Buffer.from(bytes))) === null)
      problems.push({ file, line: null, ...explain('file.damaged') });
  return problems;
}

function findExcess(videos: readonly OpenedVideo[], freeBytes: number): PackProblem[] {
  const newFiles = new Map(videos.filter(({ kept }) => kept === null).map((video) => [video.sha256, video]));
  let bytes = 0;
  for (const video of newFiles.values()) {
    bytes += video.bytes;
    if (bytes > freeBytes) return [{ file: video.file, line: null, ...explain('film.no_room') }];
  }
  return [];
}

export const toProblems = (file: string, findings: readonly ContentFinding[]): PackProblem[] =>
  findings
    .filter(({ severity }) => severity === 'error')
    .map(({ code, values }) => ({ file, line: null, code, values }));

export const toBase64Url = (hexadecimal: string): string => Buffer.from(hexadecimal, 'hex').toString('base64url');
