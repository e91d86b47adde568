/** Reads the files of a pack with limits, so that a small one from outside can fill neither the memory nor the disk. */
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { explain, type Explanation } from '@parley/domain';
import { DamagedEntry, openArchive, type PackArchive, type PackEntry, type PackSource } from './archive.ts';
import { isMediaFile, isPackFile, type PackFiles } from './pack-layout.ts';
import type { PackProblem } from './pack-reader.ts';
import type { PackMedia } from './read-videos.ts';

export interface PackLimits {
  files: number;
  bytesPerFile: number;
  /** Size of all files except the videos. */
  bytes: number;
}

export const PACK_LIMITS: PackLimits = { files: 5_000, bytesPerFile: 4 * 1_048_576, bytes: 128 * 1_048_576 };

/** Videos hardly compress, so those that unpack to more than twice the ZIP's size are a decompression bomb. */
const MAX_MEDIA_EXPANSION = 2;
const EXPANSION_ALLOWANCE_BYTES = 16 * 1_048_576;

/** Receives a video of the pack. It is read to its end, unless something is wrong with it. */
export type ReceiveMedia = (video: PackEntry, content: AsyncIterable<Buffer>) => Promise<Explanation | null>;

export type LoadedPack =
  { ok: true; files: PackFiles; media: ReadonlyMap<string, PackMedia> } | { ok: false; problems: PackProblem[] };

export async function loadPack(
  source: PackSource,
  { limits = PACK_LIMITS, receive = readToEnd }: { limits?: PackLimits; receive?: ReceiveMedia } = {},
): Promise<LoadedPack> {
  const archive = await openArchive(source, { entries: limits.files });
  if (archive === null) return { ok: false, problems: [problemOf('', explain('pack.not_zip'))] };
  try {
    const entries = archive.entries.filter(({ name }) => !isIgnored(name, source));
    const problem = findUnsuitable(entries, { limits, archive });
    return problem === null ? await readEntries(entries, receive) : { ok: false, problems: [problem] };
  } finally {
    archive.close();
  }
}

const problemOf = (file: string, explanation: Explanation): PackProblem => ({
  file: file.slice(0, 200),
  line: null,
  ...explanation,
});

/** System files, such as those of macOS, are left out, and so is everything in folders that are not part of a pack. */
const isIgnored = (name: string, source: PackSource): boolean =>
  name.endsWith('/') || /(^|\/)(__MACOSX|\.DS_Store)(\/|$)/.test(name) || ('folder' in source && !isPackFile(name));

function findUnsuitable(
  entries: readonly PackEntry[],
  { limits, archive: { zippedBytes } }: { limits: PackLimits; archive: PackArchive },
): PackProblem | null {
  if (entries.length === 0) return problemOf('', explain('pack.empty'));
  const names = new Set<string>();
  let bytes = 0;
  let mediaBytes = 0;
  for (const { name, bytes: size } of entries) {
    if (names.size === limits.files) return problemOf(name, explain('pack.too_many_files', { limit: limits.files }));
    if (!isPackFile(name)) return problemOf(name, explain('file.foreign'));
    if (names.has(name)) return problemOf(name, explain('file.repeated'));
    names.add(name);
    if (isMediaFile(name)) mediaBytes += size;
    else if (size > limits.bytesPerFile) return problemOf(name, explain('file.too_large'));
    else bytes += size;
    const mediaLimit = zippedBytes === null ? Infinity : zippedBytes * MAX_MEDIA_EXPANSION + EXPANSION_ALLOWANCE_BYTES;
    if (bytes > limits.bytes || mediaBytes > mediaLimit) return problemOf(name, explain('pack.too_large'));
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
      const problem = await receive(
        entry,
        hashing(entry.read(), (chunk) => hash.update(chunk)),
      );
      if (problem === null) media.set(name, { bytes: entry.bytes, sha256: hash.digest('hex') });
      else problems.push(problemOf(name, problem));
    } catch (error) {
      if (!(error instanceof DamagedEntry)) throw error;
      problems.push(problemOf(name, explain('file.damaged')));
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
  return bytes === video.bytes ? null : explain('file.damaged');
};
