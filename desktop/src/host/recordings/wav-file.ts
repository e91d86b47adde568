/** A WAV file that grows while it is recorded. The header's length is written when the file is closed or recovered. */
import { wavHeader } from '@parley/speech';
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';

export const HEADER_BYTES = 44;
/** Where the header states lengths, which are wrong while the file grows. */
const LENGTHS_AT = [4, 40] as const;
export const BYTES_PER_SAMPLE = 2;
/** A power cut loses at most this much audio. */
const SYNC_EVERY_MS = 1_000;

export interface GrowingWav {
  /** Appends the whole chunk, or throws and leaves the file unchanged. */
  append(pcm: Uint8Array): void;
  sampleCount(): number;
  isClosed(): boolean;
  /** Leaves a valid WAV on disk. It can be called again, in particular after it has thrown. */
  close(): { sampleCount: number };
  /** Closes and deletes the file. */
  remove(): void;
}

export function createGrowingWav(file: string, nowMs: () => number): GrowingWav {
  const handle = openSync(file, 'wx+');
  try {
    writeSync(handle, wavHeader(0), 0, HEADER_BYTES, 0);
  } catch (error) {
    closeSync(handle);
    rmSync(file, { force: true });
    throw error;
  }
  let dataBytes = 0;
  let syncedAtMs = nowMs();
  let isClosed = false;
  return {
    append(pcm) {
      try {
        let written = 0;
        while (written < pcm.byteLength)
          written += writeSync(handle, pcm, written, pcm.byteLength - written, HEADER_BYTES + dataBytes + written);
      } catch (error) {
        ftruncateSync(handle, HEADER_BYTES + dataBytes);
        throw error;
      }
      dataBytes += pcm.byteLength;
      if (nowMs() - syncedAtMs < SYNC_EVERY_MS) return;
      fdatasyncSync(handle);
      syncedAtMs = nowMs();
    },
    sampleCount: () => dataBytes / BYTES_PER_SAMPLE,
    isClosed: () => isClosed,
    close() {
      if (!isClosed) {
        writeSync(handle, wavHeader(dataBytes), 0, HEADER_BYTES, 0);
        fsyncSync(handle);
        isClosed = true;
        closeSync(handle);
      }
      return { sampleCount: dataBytes / BYTES_PER_SAMPLE };
    },
    remove() {
      closeSync(handle);
      rmSync(file, { force: true });
    },
  };
}

/** Repairs a WAV file whose writer was killed and returns the number of samples that survived. A complete file is not written to. */
export function recoverWav(file: string): { sampleCount: number } {
  if (!existsSync(file)) return { sampleCount: 0 };
  const dataBytes = statSync(file).size - HEADER_BYTES;
  const sampleCount = Math.max(0, Math.floor(dataBytes / BYTES_PER_SAMPLE));
  if (sampleCount === 0) return { sampleCount };
  const header = wavHeader(sampleCount * BYTES_PER_SAMPLE);
  if (dataBytes === sampleCount * BYTES_PER_SAMPLE && readHeader(file).equals(header)) return { sampleCount };
  const handle = openSync(file, 'r+');
  try {
    ftruncateSync(handle, HEADER_BYTES + sampleCount * BYTES_PER_SAMPLE);
    writeSync(handle, header, 0, HEADER_BYTES, 0);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  return { sampleCount };
}

/** Whether the file has audio, and the only format that this app writes. The audio itself is not examined. */
export function isOwnWav(content: Buffer): boolean {
  if (content.byteLength < HEADER_BYTES + BYTES_PER_SAMPLE) return false;
  const expected = Buffer.from(wavHeader(0));
  for (const at of LENGTHS_AT) content.copy(expected, at, at, at + 4);
  return content.subarray(0, HEADER_BYTES).equals(expected);
}

function readHeader(file: string): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  const handle = openSync(file, 'r');
  try {
    readSync(handle, header, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(handle);
  }
  return header;
}
