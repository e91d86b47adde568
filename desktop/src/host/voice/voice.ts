/** The bundled voice, for where the system has none: Flite in a thread of its own, with what was said lately kept at hand. */
import { SPOKEN_SAMPLE_RATE_HZ } from '@parley/contract';
import { type CoachVoice, ok } from '@parley/domain';
import { Worker } from 'node:worker_threads';
import { type Answer, failed } from '../answer/index.ts';
import type { CloudCoach } from '../coach/index.ts';
import type { Logger } from '../logger.ts';
import { fliteArguments } from './flite-arguments.ts';
import { keepRecentlySpoken } from './recently-spoken.ts';
import type { SpeakAnswer, SpeakRequest } from './flite-worker.ts';

export interface Voice {
  /** A 16-bit WAV at 16 kHz. */
  speak(wish: { text: string; voice: CoachVoice; rate: number }): Promise<Answer<Uint8Array>>;
  /** What a live coach says, in the voice that the server has for it, while it is made: 16-bit mono PCM at 24 kHz. Throws a `CoachFailed`. */
  speakLine(line: { text: string; voice: CoachVoice }, signal: AbortSignal): AsyncGenerator<Uint8Array, void>;
  close(): Promise<void>;
}

/** About a quarter of an hour of speech. */
const CACHE_BYTES = 32 * 1_048_576;
const ANSWER_WITHIN_MS = 20_000;
const WORKER_FILE = new URL('./flite-worker.ts', import.meta.url);

/** A second of a line, in bytes: what was kept goes out in pieces as well. */
const PIECE_BYTES = SPOKEN_SAMPLE_RATE_HZ * 2;

interface Waiting {
  resolve: (wav: Uint8Array) => void;
  reject: (error: Error) => void;
}

export interface VoiceParts {
  logger: Logger;
  coach: Pick<CloudCoach, 'speak'>;
  workerFile?: URL;
}

/** Starts its thread with the first word: most systems have voices and never need it. */
export function createVoice({ logger, coach, workerFile = WORKER_FILE }: VoiceParts): Voice {
  const spoken = keepRecentlySpoken(CACHE_BYTES);
  const waitingById = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let lastId = 0;

  function failAll(error: Error): void {
    worker = null;
    for (const { reject } of waitingById.values()) reject(error);
    waitingById.clear();
  }

  function start(): Worker {
    const started = new Worker(workerFile, {
      // WASI is announced as experimental in every process; the learner's terminal need not hear of it.
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    started.unref();
    started.on('message', (answer: SpeakAnswer) => {
      const waiting = waitingById.get(answer.id);
      waitingById.delete(answer.id);
      if ('failure' in answer) waiting?.reject(new Error(answer.failure));
      else waiting?.resolve(answer.wav);
    });
    started.on('error', failAll);
    started.on('exit', () => failAll(new Error('the voice ended')));
    return started;
  }

  function synthesise(parameters: string[]): Promise<Uint8Array> {
    worker ??= start();
    const asked = worker;
    lastId += 1;
    const id = lastId;
    return new Promise<Uint8Array>((resolve, reject) => {
      const timer = setTimeout(() => {
        waitingById.delete(id);
        reject(new Error('the voice took too long'));
      }, ANSWER_WITHIN_MS);
      const settle =
        <Value>(then: (value: Value) => void): ((value: Value) => void) =>
        (value) => {
          clearTimeout(timer);
          then(value);
        };
      waitingById.set(id, { resolve: settle(resolve), reject: settle(reject) });
      asked.postMessage({ id, parameters } satisfies SpeakRequest);
    });
  }

  return {
    async speak(wish) {
      const parameters = fliteArguments(wish);
      const key = JSON.stringify(parameters);
      const known = spoken.get(key);
      if (known !== null) return ok(known);
      try {
        const wav = await synthesise(parameters);
        spoken.keep(key, wav);
        return ok(wav);
      } catch (error) {
        logger.error({ err: error }, 'the bundled voice failed');
        return failed('voice.failed');
      }
    },
    async *speakLine(line, signal) {
      const key = JSON.stringify(line);
      const known = spoken.get(key);
      if (known !== null) return yield* piecesOf(known);
      const pieces: Uint8Array[] = [];
      for await (const piece of coach.speak(line, signal)) {
        pieces.push(piece);
        yield piece;
      }
      // Half a line that somebody stopped, or that broke off, is not here.
      spoken.keep(key, Buffer.concat(pieces));
    },
    async close() {
      const ending = worker;
      failAll(new Error('the voice was closed'));
      ending?.removeAllListeners('exit');
      await ending?.terminate();
    },
  };
}

function* piecesOf(pcm: Uint8Array): Generator<Uint8Array, void> {
  for (let at = 0; at < pcm.byteLength; at += PIECE_BYTES) yield pcm.subarray(at, at + PIECE_BYTES);
}
