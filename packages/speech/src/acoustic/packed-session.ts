/** Loads a network that training/pack-model.ts compressed, ready to run on WebAssembly. */
import { createRequire } from 'node:module';
import * as ort from 'onnxruntime-web/wasm';
import { readReleasable, type ReleasableBytes, unpackReleasable } from './releasable-bytes.ts';

const RUNTIME_FILE = 'onnxruntime-web/ort-wasm-simd-threaded.wasm';

let isRuntimeLoaded = false;
let previousLoad: Promise<unknown> = Promise.resolve();

/** Networks are loaded one after another, so that no two of them are unpacked at the same time. */
export function loadPackedSession(file: string, options: { threads: number }): Promise<ort.InferenceSession> {
  const session = previousLoad.then(() => loadSession(file, options));
  previousLoad = session.catch(() => undefined);
  return session;
}

async function loadSession(file: string, { threads }: { threads: number }): Promise<ort.InferenceSession> {
  ort.env.wasm.numThreads = threads;
  ort.env.logLevel = 'error';
  const runtime = await provideRuntime(threads);
  const model = await unpackReleasable(file);
  try {
    return await ort.InferenceSession.create(model.bytes, {
      executionProviders: ['wasm'],
      // Higher optimisation levels are no faster here and take 60 MiB more memory.
      graphOptimizationLevel: 'basic',
    });
  } finally {
    model.release();
    delete ort.env.wasm.wasmBinary;
    runtime?.release();
  }
}

/**
 * Provides the runtime's 14 MB to the first session, which compiles it and would otherwise read it itself. Each thread
 * reads its own copy.
 */
async function provideRuntime(threads: number): Promise<ReleasableBytes | null> {
  if (isRuntimeLoaded || threads !== 1) return null;
  const runtime = await readReleasable(createRequire(import.meta.url).resolve(RUNTIME_FILE));
  ort.env.wasm.wasmBinary = runtime.bytes;
  isRuntimeLoaded = true;
  return runtime;
}
