/** Whether a question is asked once more after it failed, and the pause before. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ProviderTrouble } from './provider-trouble.ts';
import type { Timeouts } from './timeouts.ts';

/** One who answers nonsense twice will do so again. */
const MOST_RETRIES = { malformed: 1, other: 2 };

/**
 * For one question. The function waits where asking again can help, and else throws what it was given: also where the provider asks to
 * be left alone for longer than a learner waits.
 */
export function startRetries(
  signal: AbortSignal,
  timeouts: Pick<Timeouts, 'retryWaitMs' | 'backoffMs'>,
): (failure: unknown) => Promise<void> {
  let retries = 0;
  let waitedMs = 0;
  return async (failure) => {
    if (!(failure instanceof ProviderTrouble) || !failure.isTransient) throw failure;
    const waitMs = failure.retryAfterMs ?? timeouts.backoffMs * 2 ** retries;
    const most = failure.reason === 'malformed' ? MOST_RETRIES.malformed : MOST_RETRIES.other;
    if (retries >= most || waitedMs + waitMs > timeouts.retryWaitMs) throw failure;
    retries += 1;
    waitedMs += waitMs;
    await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  };
}

/** For what is of use only when it is whole. */
export async function withRetries<Answer>(
  signal: AbortSignal,
  timeouts: Timeouts,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const pause = startRetries(signal, timeouts);
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      await pause(error);
    }
  }
}

/** For what is passed on piece by piece: never asked again once a piece went out. */
export async function* streamWithRetries<Piece>(
  signal: AbortSignal,
  timeouts: Timeouts,
  ask: () => AsyncIterable<Piece>,
): AsyncGenerator<Piece, void> {
  const pause = startRetries(signal, timeouts);
  for (;;) {
    let hasBegun = false;
    try {
      for await (const piece of ask()) {
        hasBegun = true;
        yield piece;
      }
      return;
    } catch (error) {
      if (hasBegun) throw error;
      await pause(error);
    }
  }
}
