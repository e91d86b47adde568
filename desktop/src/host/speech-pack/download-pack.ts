/**
 * Downloads the files of a speech pack. Each download continues where it was interrupted, and no file is used before
 * its hash has been checked.
 */
import { hashFile, type PackFile } from '@parley/speech-pack';
import { createWriteStream, existsSync, statSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { requireRoomFor } from '../store/index.ts';
import type { FoundPack } from './find-pack.ts';

/** A file differs from the manifest. */
export class WrongFile extends Error {}

const RANGE_NOT_SATISFIABLE = 416;

export const sizeOf = (path: string): number => (existsSync(path) ? statSync(path).size : 0);

/** Rejects with `WrongFile`, with the errors of `fetch` and of the disk, or with an `AbortError`. */
export async function downloadPack(
  { address, manifest }: FoundPack,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const missing = manifest.files.map(({ path, bytes }) => Math.max(0, bytes - sizeOf(join(folder, path))));
  await requireRoomFor(
    dirname(folder),
    missing.reduce((sum, bytes) => sum + bytes, 0),
  );
  for (const file of manifest.files) {
    const path = join(folder, file.path);
    await mkdir(dirname(path), { recursive: true });
    if (sizeOf(path) < file.bytes || file.bytes === 0)
      await downloadFile(new URL(file.path, address), { path, bytes: file.bytes }, signal);
    signal.throwIfAborted();
    await checkFile(path, file);
  }
}

async function checkFile(path: string, { sha256, path: name }: PackFile): Promise<void> {
  if ((await hashFile(path)) === sha256) return;
  // The next attempt starts this file again from the beginning.
  await rm(path, { force: true });
  throw new WrongFile(`${name} is not the file that was announced`);
}

async function downloadFile(
  url: URL,
  { path, bytes }: { path: string; bytes: number },
  signal: AbortSignal,
): Promise<void> {
  const begun = sizeOf(path);
  const response = await fetch(url, {
    headers: { 'accept-encoding': 'identity', ...(begun > 0 ? { range: `bytes=${begun}-` } : {}) },
    signal,
  });
  if (response.status === RANGE_NOT_SATISFIABLE) await rm(path, { force: true });
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new WrongFile(`${url.pathname} was answered with ${response.status}`);
  }
  // A server that does not support ranges sends the file from its beginning.
  const from = response.status === 206 ? begun : 0;
  let missing = bytes - from;
  const bounded = new Transform({
    transform(chunk: Uint8Array, _encoding, next) {
      missing -= chunk.byteLength;
      next(missing < 0 ? new WrongFile('the file is longer than announced') : null, chunk);
    },
  });
  const file = createWriteStream(path, { flags: from > 0 ? 'a' : 'w', mode: 0o600 });
  await pipeline(Readable.from(response.body), bounded, file, { signal });
}
