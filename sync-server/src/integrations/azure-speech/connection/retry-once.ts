/** Retries a transient failure once before it reaches the caller. */
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceFailure } from '@parley/domain';

const isTransient = (error: unknown): boolean =>
  error instanceof ServiceFailure && (error.reason === 'busy' || error.reason === 'unreachable');

export async function retryOnce<Result>(
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
