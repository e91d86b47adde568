/** Runs the Opus codec in its own thread, which is started on demand and can be stopped at any moment. */
import { Worker } from 'node:worker_threads';
import { err, ok, type Result } from '@parley/domain';
import type { OggError } from './ogg-opus.ts';

type OpusCall = { type: 'encode'; pcm: Uint8Array } | { type: 'decode'; opus: Uint8Array; maxMs: number };

export interface OpusRequest {
  id: number;
  call: OpusCall;
}

export type OpusResponse =
  { id: number; value: Uint8Array } | { id: number; refusal: OggError } | { id: number; failure: string };

export interface OpusThread {
  /** Takes 16-bit little-endian mono PCM at 16 kHz. Rejects with the signal's reason when the signal aborts. */
  encode(pcm: Uint8Array, signal?: AbortSignal): Promise<Uint8Array>;
  /** Returns PCM in the same format. */
  decode(opus: Uint8Array, bounds: { maxMs: number }): Promise<Result<Uint8Array, OggError>>;
  close(): Promise<void>;
}

interface PendingCall {
  call: OpusCall;
  resolve: (value: Result<Uint8Array, OggError>) => void;
  reject: (error: Error) => void;
}

/** The thread and its memory are released after this long without work. */
const IDLE_MS = 10_000;

export function createOpusThread({
  workerFile = new URL('./opus-worker.ts', import.meta.url),
}: { workerFile?: URL | undefined } = {}): OpusThread {
  const pendingById = new Map<number, PendingCall>();
  let worker: Worker | null = null;
  let lastId = 0;
  let idleTimer: NodeJS.Timeout | undefined;

  async function stop(reason: Error): Promise<void> {
    clearTimeout(idleTimer);
    const stopping = worker;
    worker = null;
    const pending = [...pendingById.values()];
    pendingById.clear();
    for (const { reject } of pending) reject(reason);
    await stopping?.removeAllListeners().terminate();
  }

  function start(): Worker {
    const started = new Worker(workerFile);
    started.unref();
    started.on('message', (response: OpusResponse) => {
      const pending = pendingById.get(response.id);
      pendingById.delete(response.id);
      if (pendingById.size === 0) {
        started.unref();
        idleTimer = setTimeout(() => void stop(new Error('the codec was idle')), IDLE_MS).unref();
      }
      if ('failure' in response) pending?.reject(new Error(response.failure));
      else pending?.resolve('refusal' in response ? err(response.refusal) : ok(response.value));
    });
    started.on('error', (error: Error) => void stop(error));
    started.on('exit', (code) => void stop(new Error(`the codec's thread exited with code ${code}`)));
    return started;
  }

  function post(request: OpusRequest): void {
    clearTimeout(idleTimer);
    worker ??= start();
    worker.ref();
    worker.postMessage(request);
  }

  function send(call: OpusCall, signal?: AbortSignal): Promise<Result<Uint8Array, OggError>> {
    lastId += 1;
    const id = lastId;
    const onAbort = (): void => abort(id, signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
    signal?.addEventListener('abort', onAbort, { once: true });
    const answered = new Promise<Result<Uint8Array, OggError>>((resolve, reject) => {
      pendingById.set(id, { call, resolve, reject });
      post({ id, call });
    });
    return answered.finally(() => signal?.removeEventListener('abort', onAbort));
  }

  /**
   * A conversation that begins needs the processor at once, so the thread is stopped. A new one takes over the other
   * calls.
   */
  function abort(id: number, reason: Error): void {
    pendingById.get(id)?.reject(reason);
    pendingById.delete(id);
    void worker?.removeAllListeners().terminate();
    worker = null;
    for (const [otherId, { call }] of pendingById) post({ id: otherId, call });
  }

  return {
    async encode(pcm, signal) {
      signal?.throwIfAborted();
      const encoded = await send({ type: 'encode', pcm }, signal);
      if (!encoded.ok) throw new Error(`the recording could not be encoded: ${encoded.error.code}`);
      return encoded.value;
    },
    decode: (opus, { maxMs }) => send({ type: 'decode', opus, maxMs }),
    close: () => stop(new Error('the codec was closed')),
  };
}
