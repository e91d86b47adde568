/**
 * Loads a self-hosted model before its first request. Ollama sends no byte until a model is loaded and stops loading when the client that
 * asked disconnects, so loading is a request of its own that no learner can abort.
 */
import type { ModelLoading } from '@parley/coach/model';
import { APIError, type OpenAI } from 'openai';
import { setTimeout as sleep } from 'node:timers/promises';
import { openConnection } from '../connection/provider-connection.ts';
import { ProviderError, toProviderError } from '../connection/provider-error.ts';
import type { Timeouts } from '../connection/timeouts.ts';

/** Ollama unloads a model after five idle minutes. */
const ASSUMED_LOADED_MS = 4 * 60_000;
/** llama.cpp answers 503 while it loads. */
const RETRY_DELAY_MS = 1_000;

export interface SelfHostedModelLoading extends ModelLoading {
  /** Call when the model has sent something. */
  markLoaded: () => void;
}

interface ModelLoadingOptions {
  client: OpenAI;
  model: string;
  timeouts: Pick<Timeouts, 'firstByteMs' | 'silenceMs'>;
  nowMs?: () => number;
}

/** Create one per process: concurrent callers share one load. */
export function createModelLoading(options: ModelLoadingOptions): SelfHostedModelLoading {
  const { nowMs = () => performance.now() } = options;
  let answeredAtMs = Number.NEGATIVE_INFINITY;
  let inFlight: Promise<void> | null = null;
  const markLoaded = (): void => {
    answeredAtMs = nowMs();
  };

  return {
    markLoaded,
    isUnderWay: () => inFlight !== null,
    async load(signal) {
      if (nowMs() - answeredAtMs < ASSUMED_LOADED_MS) return;
      inFlight ??= waitUntilLoaded(options)
        .then(markLoaded)
        .finally(() => {
          inFlight = null;
        });
      await rejectOnAbort(inFlight, signal);
    },
  };
}

/** Throws a `ProviderError` when there is no server or loading takes too long. */
async function waitUntilLoaded({ client, model, timeouts }: ModelLoadingOptions): Promise<void> {
  const neverAborted = new AbortController().signal;
  const endsAtMs = performance.now() + timeouts.firstByteMs;
  for (;;) {
    const firstByteMs = Math.max(0, endsAtMs - performance.now());
    const connection = openConnection('coach', neverAborted, { ...timeouts, firstByteMs });
    try {
      await connection.receive(
        client.chat.completions
          .create(
            { model, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 1, stream: false },
            { signal: connection.signal },
          )
          .catch((error: unknown) => {
            throw isLoading(error) ? new StillLoadingError() : error;
          }),
      );
      return;
    } catch (error) {
      // A server that rejects this request has no model to load or speaks another variant; the learner's own request will show which.
      const failure = error instanceof ProviderError ? error : toProviderError('coach', error);
      if (!(failure instanceof StillLoadingError) && failure.status !== null) return;
      if (!(failure instanceof StillLoadingError) || performance.now() + RETRY_DELAY_MS >= endsAtMs) throw failure;
      await sleep(RETRY_DELAY_MS);
    }
  }
}

class StillLoadingError extends ProviderError {
  constructor() {
    super('coach', 'unreachable', 'the model was not loaded in time', { status: 503 });
  }
}

const isLoading = (error: unknown): boolean =>
  error instanceof APIError && error.status === 503 && /loading/i.test(error.message);

/** The load continues when a caller that waits for it leaves. */
async function rejectOnAbort(work: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
