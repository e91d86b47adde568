/** The bundled voice, used when the system has none: Flite in a worker, with a cache of recent utterances. */
import { SPOKEN_SAMPLE_RATE_HZ } from '@parley/contract';
import { type CoachVoice, ok } from '@parley/domain';
import { Worker } from 'node:worker_threads';
import { type HostResult, failed } from '../result/index.ts';
import type { CoachClient } from '../coach/index.ts';
import type { Logger } from '../logger.ts';
import { type FliteRequest, fliteRequest } from './flite-arguments.ts';
import { createSpeechCache } from './speech-cache.ts';
import type { SpeakResponse, SpeakRequest } from './flite-worker.ts';

export interface Voice {
  /** Returns a 16-bit WAV at 16 kHz. */
  speak(utterance: { text: string; voice: CoachVoice; rate: number }): Promise<HostResult<Uint8Array>>;
  /** Streams an utterance in the server's voice as 16-bit mono PCM at 24 kHz. Throws a `CoachError`. */
  streamUtterance(line: { text: string; voice: CoachVoice }, signal: AbortSignal): AsyncGenerator<Uint8Array, void>;
  close(): Promise<void>;
}

/** About fifteen minutes of speech. */
const CACHE_BYTES = 32 * 1_048_576;
const SYNTHESIS_TIMEOUT_MS = 20_000;
/**
 * The worker ends after this long, because a learner who has heard nothing for so long will not mind a moment's wait
 * while it restarts.
 */
const IDLE_MS = 60_000;
const WORKER_FILE = new URL('./flite-worker.ts', import.meta.url);

/** One second of audio in bytes; cached audio is streamed in pieces of this size as well. */
const PIECE_BYTES = SPOKEN_SAMPLE_RATE_HZ * 2;

interface PendingRequest {
  resolve: (wav: Uint8Array) => void;
  reject: (error: Error) => void;
}

export interface VoiceParts {
  logger: Logger;
  coach: Pick<CoachClient, 'synthesise'>;
  workerFile?: URL;
  /** The worker ends after this long without work. */
  idleMs?: number;
}

/**
 * Starts its worker with the first utterance, because most systems have voices and never need it, and ends it when it
 * is idle.
 */
export function createVoice({ logger, coach, workerFile = WORKER_FILE, idleMs = IDLE_MS }: VoiceParts): Voice {
  const cache = createSpeechCache(CACHE_BYTES);
  const pendingById = new Map<number, PendingRequest>();
  let worker: Worker | null = null;
  let lastId = 0;
  let idleTimer: NodeJS.Timeout | undefined;

  function endWhenIdle(): void {
    clearTimeout(idleTimer);
    if (worker === null || pendingById.size > 0) return;
    idleTimer = setTimeout(() => {
      const idle = worker;
      worker = null;
      void idle?.removeAllListeners('exit').terminate();
    }, idleMs).unref();
  }

  function failAll(error: Error): void {
    worker = null;
    for (const { reject } of pendingById.values()) reject(error);
    pendingById.clear();
  }

  function start(): Worker {
    const started = new Worker(workerFile, {
      // Suppresses Node's warning that WASI is experimental, which is of no use in the learner's terminal.
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    started.unref();
    started.on('message', (answer: SpeakResponse) => {
      const waiting = pendingById.get(answer.id);
      pendingById.delete(answer.id);
      if ('failure' in answer) waiting?.reject(new Error(answer.failure));
      else waiting?.resolve(answer.wav);
      endWhenIdle();
    });
    // A failed worker also exits, possibly after another one has started.
    const onEnd = (error: Error): void => {
      if (worker === started) failAll(error);
    };
    started.on('error', onEnd);
    started.on('exit', () => onEnd(new Error('the voice worker exited')));
    return started;
  }

  function synthesise(request: FliteRequest): Promise<Uint8Array> {
    clearTimeout(idleTimer);
    worker ??= start();
    const asked = worker;
    lastId += 1;
    const id = lastId;
    return new Promise<Uint8Array>((resolve, reject) => {
      const timer = setTimeout(() => {
        pendingById.delete(id);
        reject(new Error('the voice worker timed out'));
      }, SYNTHESIS_TIMEOUT_MS);
      const settle =
        <Value>(then: (value: Value) => void): ((value: Value) => void) =>
        (value) => {
          clearTimeout(timer);
          then(value);
        };
      pendingById.set(id, { resolve: settle(resolve), reject: settle(reject) });
      asked.postMessage({ id, ...request } satisfies SpeakRequest);
    });
  }

  return {
    async speak(utterance) {
      const request = fliteRequest(utterance);
      const key = JSON.stringify(request);
      const known = cache.get(key);
      if (known !== null) return ok(known);
      try {
        const wav = await synthesise(request);
        cache.set(key, wav);
        return ok(wav);
      } catch (error) {
        logger.error({ err: error }, 'voice_synthesis_failed');
        return failed('voice.failed');
      }
    },
    async *streamUtterance(line, signal) {
      const key = JSON.stringify(line);
      const known = cache.get(key);
      if (known !== null) return yield* splitIntoPieces(known);
      const pieces: Uint8Array[] = [];
      for await (const piece of coach.synthesise(line, signal)) {
        pieces.push(piece);
        yield piece;
      }
      // Only complete utterances are cached; an interrupted one does not get here.
      cache.set(key, Buffer.concat(pieces));
    },
    async close() {
      clearTimeout(idleTimer);
      const ending = worker;
      failAll(new Error('the voice was closed'));
      ending?.removeAllListeners('exit');
      await ending?.terminate();
    },
  };
}

function* splitIntoPieces(pcm: Uint8Array): Generator<Uint8Array, void> {
  for (let at = 0; at < pcm.byteLength; at += PIECE_BYTES) yield pcm.subarray(at, at + PIECE_BYTES);
}
