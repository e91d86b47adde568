/**
 * Reads large files into memory that is returned to the system as soon as it is released. A Node buffer of this size is
 * freed only at the next garbage collection and leaves a gap that the allocator keeps; for the models, that would cost
 * 60 MiB for as long as the process runs. A resizable ArrayBuffer has its own pages.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createBrotliDecompress } from 'node:zlib';

export interface ReleasableBytes {
  bytes: Uint8Array<ArrayBuffer>;
  /** Empties `bytes`. */
  release: () => void;
}

/** The reserved address space, not the memory used. A larger model is an error. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;
const GROWTH_BYTES = 1024 * 1024;

export async function readReleasable(file: string): Promise<ReleasableBytes> {
  const { size } = await stat(file);
  return collect(createReadStream(file), Math.max(1, size));
}

/** Unpacks a file that was packed with Brotli. */
export const unpackReleasable = (file: string): Promise<ReleasableBytes> => {
  const packed = createReadStream(file);
  const unpacked = createBrotliDecompress();
  packed.on('error', (error) => unpacked.destroy(error));
  return collect(packed.pipe(unpacked), MAX_UNPACKED_BYTES);
};

async function collect(chunks: AsyncIterable<Uint8Array>, maxByteLength: number): Promise<ReleasableBytes> {
  const buffer = new ArrayBuffer(0, { maxByteLength });
  let length = 0;
  for await (const chunk of chunks) {
    const needed = length + chunk.length;
    if (needed > buffer.byteLength) buffer.resize(Math.max(needed, Math.min(maxByteLength, needed + GROWTH_BYTES)));
    new Uint8Array(buffer, length, chunk.length).set(chunk);
    length = needed;
  }
  return { bytes: new Uint8Array(buffer, 0, length), release: () => buffer.resize(0) };
}
