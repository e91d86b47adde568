/** Decides whether a failed request is retried and how long to wait before. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ProviderError } from './provider-error.ts';
import type { Timeouts } from './timeouts.ts';

/** A provider that answers malformed data twice will do so again. */
const MAX_RETRIES = { malformed: 1, other: 2 };

/**
 * For one request. The returned function waits if a retry can help, and otherwise throws the failure, even if the
 * provider asks for a longer wait than a learner accepts.
 */
export function createRetryDelay(
  signal: AbortSignal,
  timeouts: Pick<Timeouts, 'maxRetryWaitMs' | 'backoffMs'>,
): (failure: unknown) => Promise<void> {
  let retries = 0;
  let waitedMs = 0;
  return async (failure) => {
    if (!(failure instanceof ProviderError) || !failure.isTransient) throw failure;
    const waitMs = failure.retryAfterMs ?? timeouts.backoffMs * 2 ** retries;
    const maxRetries = failure.reason === 'malformed' ? MAX_RETRIES.malformed : MAX_RETRIES.other;
    if (retries >= maxRetries || waitedMs + waitMs > timeouts.maxRetryWaitMs) throw failure;
    retries += 1;
    waitedMs += waitMs;
    await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  };
}

/** For a result that is useful only when complete. */
export async function withRetries<Answer>(
  signal: AbortSignal,
  timeouts: Timeouts,
  attempt: () => Promise<Answer>,
): Promise<Answer> {
  const waitBeforeRetry = createRetryDelay(signal, timeouts);
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      await waitBeforeRetry(error);
    }
  }
}

/** For a stream: never retried once a chunk was passed on. */
export async function* streamWithRetries<Chunk>(
  signal: AbortSignal,
  timeouts: Timeouts,
  attempt: () => AsyncIterable<Chunk>,
): AsyncGenerator<Chunk, void> {
  const waitBeforeRetry = createRetryDelay(signal, timeouts);
  for (;;) {
    let hasStarted = false;
    try {
      for await (const chunk of attempt()) {
        hasStarted = true;
        yield chunk;
      }
      return;
    } catch (error) {
      if (hasStarted) throw error;
      await waitBeforeRetry(error);
    }
  }
}
