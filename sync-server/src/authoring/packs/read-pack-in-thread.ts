/**
 * Reads a large course pack in a worker thread, because parsing a megabyte of YAML can take ten seconds, during which
 * the server could not answer any request.
 */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { type ReadPack, readPack } from '@parley/catalogue/pack';
import { explain } from '@parley/domain';

/** The built server has the compiled worker in the same folder. */
const WORKER_FILE = ['ts', 'mjs']
  .map((ending) => new URL(`./read-pack-worker.${ending}`, import.meta.url))
  .find((file) => existsSync(file));
/** A smaller pack is parsed sooner than a thread starts. */
const SMALL_BYTES = 128 * 1_024;
/** A pack with as much text as the starter courses takes a few seconds. */
const READ_TIMEOUT_MS = 120_000;
/**
 * Eight times what the starter courses need. A node with a gigabyte of memory, as in our manifest, must survive any
 * pack.
 */
const MAX_MEMORY_MB = 512;

interface Loaded {
  files: Parameters<typeof readPack>[0];
  media: Parameters<typeof readPack>[1];
}

export async function readPackInThread(
  { files, media }: Loaded,
  { timeoutMs = READ_TIMEOUT_MS, memoryMb = MAX_MEMORY_MB }: { timeoutMs?: number; memoryMb?: number } = {},
): Promise<ReadPack> {
  if (countTextBytes(files) <= SMALL_BYTES) return readPack(files, media);
  if (WORKER_FILE === undefined) throw new Error('The worker that reads course packs is missing.');
  const worker = new Worker(WORKER_FILE, {
    workerData: { files, media },
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  // An error is reported below, unless the time limit has been reached already.
  worker.on('error', () => undefined);
  try {
    const [pack] = (await once(worker, 'message', { signal: AbortSignal.timeout(timeoutMs) })) as [ReadPack];
    return pack;
  } catch (error) {
    if (!isTooMuch(error)) throw error;
    const problems = [{ file: '', line: null, ...explain('pack.too_large') }];
    return { contents: [], problems, fileById: new Map(), videoById: new Map(), pictures: [] };
  } finally {
    await worker.terminate();
  }
}

function countTextBytes(files: Loaded['files']): number {
  let bytes = 0;
  for (const [name, content] of files) if (/\.(yaml|md)$/.test(name)) bytes += content.byteLength;
  return bytes;
}

/** Whether the thread exceeded its time or memory limit. */
const isTooMuch = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'AbortError' || ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'));
