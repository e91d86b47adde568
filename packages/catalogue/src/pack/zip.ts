/** Packs as ZIP files. A file from outside is read with limits, so that a small one cannot fill the memory. */
import { type UnzipFile, Unzip, UnzipInflate, UnzipPassThrough, zipSync } from 'fflate';
import { isPackFile, type PackFiles, type PackProblem } from './read-pack.ts';

export interface PackLimits {
  files: number;
  bytesPerFile: number;
  bytes: number;
}

export const PACK_LIMITS: PackLimits = { files: 5_000, bytesPerFile: 4 * 1_048_576, bytes: 128 * 1_048_576 };

export type Unzipped = { ok: true; files: PackFiles } | { ok: false; problems: PackProblem[] };

const CHUNK_BYTES = 64 * 1_024;

/** Counts what comes out while it is unpacked, because a ZIP may claim any size. */
export function unzipPack(zipped: Uint8Array, limits: PackLimits = PACK_LIMITS): Unzipped {
  const files = new Map<string, Uint8Array>();
  const problems: PackProblem[] = [];
  let total = 0;
  let count = 0;
  const refuse = (file: string, message: string): void =>
    void problems.push({ file: file.slice(0, 200), line: null, message });

  const take = (file: UnzipFile): void => {
    const { name } = file;
    if (problems.length > 0 || name.endsWith('/')) return;
    count += 1;
    if (count > limits.files) return refuse(name, `A pack may have ${limits.files} files.`);
    // A system's own files, such as those of macOS, are left out.
    if (/(^|\/)(__MACOSX|\.DS_Store)(\/|$)/.test(name)) return;
    if (!isPackFile(name)) return refuse(name, 'This file does not belong into a pack.');
    if (files.has(name)) return refuse(name, 'The pack has this file twice.');
    const pieces: Uint8Array[] = [];
    let size = 0;
    file.ondata = (error, piece, isLast) => {
      if (error !== null) return refuse(name, 'This file is damaged.');
      size += piece.byteLength;
      total += piece.byteLength;
      if (size > limits.bytesPerFile || total > limits.bytes) {
        refuse(name, size > limits.bytesPerFile ? 'This file is too large.' : 'The pack is too large when unpacked.');
        return file.terminate();
      }
      pieces.push(piece);
      if (isLast) files.set(name, Buffer.concat(pieces));
    };
    file.start();
  };

  const unzip = new Unzip(take);
  unzip.register(UnzipInflate);
  unzip.register(UnzipPassThrough);
  try {
    for (let at = 0; at < zipped.byteLength && problems.length === 0; at += CHUNK_BYTES)
      unzip.push(zipped.subarray(at, at + CHUNK_BYTES), at + CHUNK_BYTES >= zipped.byteLength);
  } catch {
    refuse('', 'This is not a ZIP file, or it is damaged.');
  }
  if (problems.length === 0 && files.size === 0) refuse('', 'This is not a course pack: there are no files in it.');
  return problems.length > 0 ? { ok: false, problems } : { ok: true, files };
}

/** The same files give the same bytes. */
export function zipPack(files: PackFiles): Uint8Array {
  const ordered = [...files].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return zipSync(Object.fromEntries(ordered), { mtime: new Date('2026-01-01T00:00:00Z'), level: 6 });
}
