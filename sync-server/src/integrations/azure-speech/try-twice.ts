/** A transient failure is tried once more before anyone hears of it. */
import { setTimeout as pause } from 'node:timers/promises';
import { SpeechFailure } from '../../speech/index.ts';

const isTransient = (error: unknown): boolean =>
  error instanceof SpeechFailure && (error.reason === 'busy' || error.reason === 'unreachable');

export async function tryTwice<Result>(
  attempt: () => Promise<Result>,
  { pauseMs, signal }: { pauseMs: number; signal: AbortSignal },
): Promise<Result> {
  try {
    return await attempt();
  } catch (error) {
    if (!isTransient(error)) throw error;
    await pause(pauseMs, undefined, { signal });
    return attempt();
  }
}
