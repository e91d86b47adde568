/** Runs the scorer in a worker thread, so that scoring does not block queries or the window. */
import { Worker } from 'node:worker_threads';
import type { Assessment } from '@parley/domain';
import type { RecognitionProgress, RecognitionStream } from '../streaming/recognition-stream.ts';
import type { Draft, HeardText, Ranking, Scorer, ScorerOptions } from '../scorer.ts';

/** A streaming recognition is identified by its number on both sides. */
export type WorkerCall =
  | { type: 'assess'; pcm: Float32Array; text: string; other?: string | undefined }
  | { type: 'compare'; pcm: Float32Array; text: string; other: string }
  | { type: 'rank'; pcm: Float32Array; texts: readonly string[] }
  | { type: 'transcribe'; pcm: Float32Array; texts: readonly string[] }
  | { type: 'listen'; listening: number; texts: readonly string[] }
  | { type: 'push'; listening: number; pcm: Float32Array }
  | { type: 'forget'; listening: number };

export interface WorkerRequest {
  id: number;
  call: WorkerCall;
}

interface ValueByCall {
  assess: Assessment;
  compare: HeardText;
  rank: Ranking;
  transcribe: Draft;
  listen: null;
  push: RecognitionProgress | null;
  forget: null;
}
export type WorkerValue = ValueByCall[keyof ValueByCall];
export type WorkerResponse = { id: number; value: WorkerValue } | { id: number; failure: string };

interface PendingCall {
  resolve: (value: never) => void;
  reject: (error: Error) => void;
}

/** A learner who pauses this long can wait the second that loading takes. */
const IDLE_MS = 60_000;

export interface WorkerScorerOptions extends ScorerOptions {
  workerFile?: URL;
  /** The worker and its model are released after this long without work. */
  idleMs?: number;
}

/** The model is loaded in the worker on the first call, and released when nothing has been scored for a while. */
export function createWorkerScorer(options: WorkerScorerOptions = {}): Scorer {
  const { workerFile = new URL('./scorer-worker.ts', import.meta.url), idleMs = IDLE_MS, ...scorerOptions } = options;
  let worker: Worker | null = null;
  let lastId = 0;
  const pendingById = new Map<number, PendingCall>();
  const openRecognitions = new Set<number>();
  let idleTimer: NodeJS.Timeout | undefined;

  const releaseWhenIdle = (): void => {
    clearTimeout(idleTimer);
    if (worker === null || pendingById.size > 0 || openRecognitions.size > 0) return;
    idleTimer = setTimeout(() => {
      const idle = worker;
      worker = null;
      void idle?.removeAllListeners('exit').terminate();
    }, idleMs).unref();
  };

  const rejectAll = (error: Error): void => {
    worker = null;
    openRecognitions.clear();
    for (const { reject } of pendingById.values()) reject(error);
    pendingById.clear();
  };
  const start = (): Worker => {
    const started = new Worker(workerFile, { workerData: scorerOptions });
    started.unref();
    started.on('message', (answer: WorkerResponse) => {
      const pending = pendingById.get(answer.id);
      pendingById.delete(answer.id);
      if (pendingById.size === 0) started.unref();
      if ('failure' in answer) pending?.reject(new Error(answer.failure));
      else pending?.resolve(answer.value as never);
      releaseWhenIdle();
    });
    // A thread that failed also exits, when another may have started.
    const onEnd = (error: Error): void => {
      if (worker === started) rejectAll(error);
    };
    started.on('error', onEnd);
    started.on('exit', (code) => onEnd(new Error(`the scorer's worker thread exited with code ${code}`)));
    return started;
  };
  const send = <Call extends WorkerCall>(call: Call): Promise<ValueByCall[Call['type']]> => {
    clearTimeout(idleTimer);
    worker ??= start();
    const target = worker;
    target.ref();
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      pendingById.set(id, { resolve, reject });
      target.postMessage({ id, call } satisfies WorkerRequest);
    });
  };
  let lastRecognitionId = 0;
  const startRecognition = (texts: readonly string[]): RecognitionStream => {
    lastRecognitionId += 1;
    const recognitionId = lastRecognitionId;
    openRecognitions.add(recognitionId);
    // A failure is reported to `push`; without a push there is nothing to report.
    const opened = send({ type: 'listen', listening: recognitionId, texts });
    opened.catch(() => undefined);
    return {
      push: async (pcm) => {
        await opened;
        return send({ type: 'push', listening: recognitionId, pcm });
      },
      close: () => {
        openRecognitions.delete(recognitionId);
        // A thread that has ended no longer knows it.
        if (worker !== null) void send({ type: 'forget', listening: recognitionId }).catch(() => undefined);
      },
    };
  };
  return {
    startRecognition,
    assess: ({ pcm, text, other }) => send({ type: 'assess', pcm, text, other }),
    compare: ({ pcm, text, other }) => send({ type: 'compare', pcm, text, other }),
    rank: ({ pcm, texts }) => send({ type: 'rank', pcm, texts }),
    transcribe: ({ pcm, texts }) => send({ type: 'transcribe', pcm, texts }),
    close: async () => {
      clearTimeout(idleTimer);
      const stopping = worker;
      worker = null;
      // A late reply must not let the process exit before the thread has ended.
      stopping?.removeAllListeners('message').removeAllListeners('exit').ref();
      await stopping?.terminate();
      rejectAll(new Error('the scorer was closed'));
    },
  };
}
