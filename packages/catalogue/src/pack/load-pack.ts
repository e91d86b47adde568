/** Reads the files of a pack with limits, so that a small one from outside can fill neither the memory nor the disk. */
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { DamagedEntry, openArchive, type PackArchive, type PackEntry, type PackSource } from './archive.ts';
import { isMediaFile, isPackFile, type PackFiles, type PackMedia, type PackProblem } from './read-pack.ts';

export interface PackLimits {
  files: number;
  bytesPerFile: number;
  /** Of all files but the videos. */
  bytes: number;
}

export const PACK_LIMITS: PackLimits = { files: 5_000, bytesPerFile: 4 * 1_048_576, bytes: 128 * 1_048_576 };

/** Videos do not shrink in a ZIP file. Those that unpack to more than twice its size are made to fill a disk. */
const MAX_MEDIA_EXPANSION = 2;
const EXPANSION_ALLOWANCE_BYTES = 16 * 1_048_576;

/** Takes a video of the pack. It is read to its end, unless the message says what is wrong with it. */
export type ReceiveMedia = (video: PackEntry, content: AsyncIterable<Buffer>) => Promise<string | null>;

export type LoadedPack =
  { ok: true; files: PackFiles; media: ReadonlyMap<string, PackMedia> } | { ok: false; problems: PackProblem[] };

export async function loadPack(
  source: PackSource,
  { limits = PACK_LIMITS, receive = readToEnd }: { limits?: PackLimits; receive?: ReceiveMedia } = {},
): Promise<LoadedPack> {
  const archive = await openArchive(source, { entries: limits.files });
  if (archive === null) return refuse('', 'This is not a ZIP file, or it is damaged.');
  try {
    const entries = archive.entries.filter(({ name }) => !isIgnored(name, source));
    const problem = findUnsuitable(entries, { limits, archive });
    return problem === null ? await readEntries(entries, receive) : { ok: false, problems: [problem] };
  } finally {
    archive.close();
  }
}

const refuse = (file: string, message: string): LoadedPack => ({ ok: false, problems: [problemOf(file, message)] });
const problemOf = (file: string, message: string): PackProblem => ({ file: file.slice(0, 200), line: null, message });

/** The files of a system, such as those of macOS, are left out. So is everything in a folder that belongs to no pack. */
const isIgnored = (name: string, source: PackSource): boolean =>
  name.endsWith('/') || /(^|\/)(__MACOSX|\.DS_Store)(\/|$)/.test(name) || ('folder' in source && !isPackFile(name));

function findUnsuitable(
  entries: readonly PackEntry[],
  { limits, archive: { zippedBytes } }: { limits: PackLimits; archive: PackArchive },
): PackProblem | null {
  if (entries.length === 0) return problemOf('', 'This is not a course pack: there are no files in it.');
  const names = new Set<string>();
  let bytes = 0;
  let mediaBytes = 0;
  for (const { name, bytes: size } of entries) {
    if (names.size === limits.files) return problemOf(name, `A pack may have ${limits.files} files.`);
    if (!isPackFile(name)) return problemOf(name, 'This file does not belong into a pack.');
    if (names.has(name)) return problemOf(name, 'The pack has this file twice.');
    names.add(name);
    if (isMediaFile(name)) mediaBytes += size;
    else if (size > limits.bytesPerFile) return problemOf(name, 'This file is too large.');
    else bytes += size;
    const mediaLimit = zippedBytes === null ? Infinity : zippedBytes * MAX_MEDIA_EXPANSION + EXPANSION_ALLOWANCE_BYTES;
    if (bytes > limits.bytes || mediaBytes > mediaLimit) return problemOf(name, 'The pack is too large when unpacked.');
  }
  return null;
}

async function readEntries(entries: readonly PackEntry[], receive: ReceiveMedia): Promise<LoadedPack> {
  const files = new Map<string, Uint8Array>();
  const media = new Map<string, PackMedia>();
  const problems: PackProblem[] = [];
  for (const entry of entries) {
    const { name } = entry;
    try {
      if (!isMediaFile(name)) {
        files.set(name, await buffer(entry.read()));
        continue;
      }
      const hash = createHash('sha256');
      const message = await receive(
        entry,
        hashing(entry.read(), (chunk) => hash.update(chunk)),
      );
      if (message === null) media.set(name, { bytes: entry.bytes, sha256: hash.digest('hex') });
      else problems.push(problemOf(name, message));
    } catch (error) {
      if (!(error instanceof DamagedEntry)) throw error;
      problems.push(problemOf(name, 'This file is damaged.'));
    }
  }
  return problems.length === 0 ? { ok: true, files, media } : { ok: false, problems };
}

async function* hashing(
  content: AsyncIterable<Buffer>,
  onChunk: (chunk: Buffer) => void,
): AsyncGenerator<Buffer, void> {
  for await (const chunk of content) {
    onChunk(chunk);
    yield chunk;
  }
}

const readToEnd: ReceiveMedia = async (video, content) => {
  let bytes = 0;
  for await (const chunk of content) bytes += chunk.byteLength;
  return bytes === video.bytes ? null : 'This file is damaged.';
};
