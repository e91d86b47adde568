/** Transcribes with a speech pack in a worker thread, one utterance after the other, and frees its memory when idle. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Transcript } from './transcript.ts';

export type WorkerResponse =
  { type: 'transcript'; transcript: Transcript; workMs: number } | { type: 'damaged' | 'failed'; message: string };

export interface Transcriber {
  /**
   * `pcm` is 16 kHz mono in -1..1. Aborting stops the thread at once, and rejects with an `AbortError`. `workMs` is the
   * time that transcribing took, without loading the model. Rejects only if the thread itself dies.
   */
  transcribe: (pcm: Float32Array, options: { folder: string; signal: AbortSignal }) => Promise<WorkerResponse>;
  /** Frees the model, for example before its files are deleted. */
  release: () => Promise<void>;
}

const IDLE_MS = 60_000;

export interface TranscriberOptions {
  workerFile?: URL;
  /** The model is released after this long without work. */
  idleMs?: number;
}

export function createTranscriber(options: TranscriberOptions = {}): Transcriber {
  const { workerFile = new URL('./transcription-worker.ts', import.meta.url), idleMs = IDLE_MS } = options;
  let running: { worker: Worker; folder: string } | null = null;
  let idleTimer: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function stop(): Promise<void> {
    clearTimeout(idleTimer);
    const stopping = running;
    running = null;
    await stopping?.worker.terminate();
  }

  function start(folder: string): Worker {
    const worker = new Worker(workerFile, { workerData: { folder } });
    running = { worker, folder };
    return worker;
  }

  async function run(pcm: Float32Array, folder: string, signal: AbortSignal): Promise<WorkerResponse> {
    signal.throwIfAborted();
    clearTimeout(idleTimer);
    if (running !== null && running.folder !== folder) await stop();
    const worker = running?.worker ?? start(folder);
    worker.ref();
    try {
      const response = await ask(worker, pcm, signal);
      worker.unref();
      idleTimer = setTimeout(() => void stop(), idleMs).unref();
      return response;
    } catch (error) {
      await stop();
      throw error;
    }
  }

  /** Rejects if the thread ends before it answers, even if it was released. */
  async function ask(worker: Worker, pcm: Float32Array, signal: AbortSignal): Promise<WorkerResponse> {
    const ended = new AbortController();
    const onExit = (): void => ended.abort();
    worker.once('exit', onExit);
    try {
      worker.postMessage(pcm);
      const [response] = (await once(worker, 'message', { signal: AbortSignal.any([signal, ended.signal]) })) as [
        WorkerResponse,
      ];
      return response;
    } finally {
      worker.off('exit', onExit);
    }
  }

  return {
    transcribe(pcm, { folder, signal }) {
      const result = last.then(() => run(pcm, folder, signal));
      last = result.catch(() => undefined);
      return result;
    },
    release: stop,
  };
}
