/** A network as training/pack-model.ts packs it, ready to run on WebAssembly. */
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import * as ort from 'onnxruntime-web/wasm';

const unpack = promisify(brotliDecompress);

export async function loadPackedSession(file: string, options: { threads: number }): Promise<ort.InferenceSession> {
  ort.env.wasm.numThreads = options.threads;
  ort.env.logLevel = 'error';
  return ort.InferenceSession.create(new Uint8Array(await unpack(await readFile(file))), {
    executionProviders: ['wasm'],
    // The further levels are no faster here and take 60 MiB more.
    graphOptimizationLevel: 'basic',
  });
}
