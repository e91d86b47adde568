/** The scorer in a thread of its own, so that neither a query nor a window waits for a score. */
import { Worker } from 'node:worker_threads';
import type { Assessment } from '@parley/domain';
import type { Following, Listening } from '../listen/listening.ts';
import type { Ranking, Scorer, ScorerOptions } from '../scorer.ts';

/** A listening is known by its number on both sides. */
export type WorkerCall =
  | { type: 'assess'; pcm: Float32Array; text: string }
  | { type: 'rank'; pcm: Float32Array; texts: readonly string[] }
  | { type: 'listen'; listening: number; texts: readonly string[] }
  | { type: 'push'; listening: number; pcm: Float32Array }
  | { type: 'forget'; listening: number };

export interface WorkerRequest {
  id: number;
  call: WorkerCall;
}

interface ValueByCall {
  assess: Assessment;
  rank: Ranking;
  listen: null;
  push: Following | null;
  forget: null;
}
export type WorkerValue = ValueByCall[keyof ValueByCall];
export type WorkerAnswer = { id: number; value: WorkerValue } | { id: number; failure: string };

interface Waiting {
  resolve: (value: never) => void;
  reject: (error: Error) => void;
}

/** Starts the thread at once; the model loads there, on the first call. */
export function createWorkerScorer(options: ScorerOptions & { workerFile?: URL } = {}): Scorer {
  const { workerFile = new URL('./scorer-worker.ts', import.meta.url), ...scorerOptions } = options;
  let worker: Worker | null = null;
  let lastId = 0;
  const waitingById = new Map<number, Waiting>();

  const failAll = (error: Error): void => {
    worker = null;
    for (const { reject } of waitingById.values()) reject(error);
    waitingById.clear();
  };
  const start = (): Worker => {
    const started = new Worker(workerFile, { workerData: scorerOptions });
    started.unref();
    started.on('message', (answer: WorkerAnswer) => {
      const waiting = waitingById.get(answer.id);
      waitingById.delete(answer.id);
      if (waitingById.size === 0) started.unref();
      if ('failure' in answer) waiting?.reject(new Error(answer.failure));
      else waiting?.resolve(answer.value as never);
    });
    started.on('error', failAll);
    started.on('exit', (code) => failAll(new Error(`the scorer's thread ended with ${code}`)));
    return started;
  };
  const ask = <Call extends WorkerCall>(call: Call): Promise<ValueByCall[Call['type']]> => {
    worker ??= start();
    const asked = worker;
    asked.ref();
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      waitingById.set(id, { resolve, reject });
      asked.postMessage({ id, call } satisfies WorkerRequest);
    });
  };
  let lastListening = 0;
  const listen = (texts: readonly string[]): Listening => {
    lastListening += 1;
    const listening = lastListening;
    // Whoever pushes hears of a failure; one that never pushes has asked for nothing.
    const isOpen = ask({ type: 'listen', listening, texts });
    isOpen.catch(() => undefined);
    return {
      push: async (pcm) => {
        await isOpen;
        return ask({ type: 'push', listening, pcm });
      },
      close: () => void ask({ type: 'forget', listening }).catch(() => undefined),
    };
  };
  return {
    listen,
    assess: ({ pcm, text }) => ask({ type: 'assess', pcm, text }),
    rank: ({ pcm, texts }) => ask({ type: 'rank', pcm, texts }),
    close: async () => {
      const ending = worker;
      worker = null;
      // An answer that comes late must not let the process go before the thread has ended.
      ending?.removeAllListeners('message').removeAllListeners('exit').ref();
      await ending?.terminate();
      failAll(new Error('the scorer was closed'));
    },
  };
}
