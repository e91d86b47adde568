/**
 * Gets a model of one's own into memory before it is asked anything. Ollama sends no byte until a model is loaded, and stops loading when
 * the client that asked disconnects. So the load is a request of its own, which no learner who leaves can break off.
 */
import type { ModelLoading } from '@parley/coach/model';
import { APIError, type OpenAI } from 'openai';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLine } from './line.ts';
import { ProviderTrouble, troubleOf } from './provider-trouble.ts';
import type { Timeouts } from './timeouts.ts';

/** Ollama unloads a model after five idle minutes. */
const STAYS_LOADED_MS = 4 * 60_000;
/** llama.cpp answers 503 while it loads. */
const ASK_AGAIN_MS = 1_000;

export interface OwnModelLoading extends ModelLoading {
  /** The model has just sent something. */
  answered: () => void;
}

interface LoadingParts {
  client: OpenAI;
  model: string;
  timeouts: Pick<Timeouts, 'firstByteMs' | 'silenceMs'>;
  nowMs?: () => number;
}

/** Create one for the process: whoever waits for the same load shares it. */
export function createModelLoading(parts: LoadingParts): OwnModelLoading {
  const { nowMs = () => performance.now() } = parts;
  let answeredAtMs = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> | null = null;
  const answered = (): void => {
    answeredAtMs = nowMs();
  };

  return {
    answered,
    isUnderWay: () => underWay !== null,
    async load(signal) {
      if (nowMs() - answeredAtMs < STAYS_LOADED_MS) return;
      underWay ??= untilLoaded(parts)
        .then(answered)
        .finally(() => {
          underWay = null;
        });
      await unlessAborted(underWay, signal);
    },
  };
}

/** Throws a `ProviderTrouble` when there is no server, or the model is not loaded in time. */
async function untilLoaded({ client, model, timeouts }: LoadingParts): Promise<void> {
  const unending = new AbortController().signal;
  const endsAtMs = performance.now() + timeouts.firstByteMs;
  for (;;) {
    const firstByteMs = Math.max(0, endsAtMs - performance.now());
    const line = openLine(unending, { ...timeouts, firstByteMs });
    try {
      await line.expect(
        client.chat.completions
          .create(
            { model, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 1, stream: false },
            { signal: line.signal },
          )
          .catch((error: unknown) => {
            throw isLoading(error) ? new StillLoading() : error;
          }),
      );
      return;
    } catch (error) {
      // A server that refuses this request has no model to load, or another dialect: the learner's own request will tell.
      const trouble = error instanceof ProviderTrouble ? error : troubleOf(error);
      if (!(trouble instanceof StillLoading) && trouble.status !== null) return;
      if (!(trouble instanceof StillLoading) || performance.now() + ASK_AGAIN_MS >= endsAtMs) throw trouble;
      await sleep(ASK_AGAIN_MS);
    }
  }
}

class StillLoading extends ProviderTrouble {
  constructor() {
    super('unreachable', 'the model was not loaded in time', { status: 503 });
  }
}

const isLoading = (error: unknown): boolean =>
  error instanceof APIError && error.status === 503 && /loading/i.test(error.message);

/** The work goes on when the one who waits for it goes away. */
async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const leaving = Promise.withResolvers<never>();
  const leave = (): void => leaving.reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  try {
    await Promise.race([work, leaving.promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
