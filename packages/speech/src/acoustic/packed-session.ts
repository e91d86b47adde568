/** Loads a network that training/pack-model.ts compressed, ready to run on WebAssembly. */
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
    // Higher levels are no faster here and take 60 MiB more memory.
    graphOptimizationLevel: 'basic',
  });
}
