/** A request to the provider that is aborted when nothing arrives for too long or when the caller aborts. */
import type { FallibleService } from '@parley/domain';
import { ProviderError, toProviderError } from './provider-error.ts';
import type { Timeouts } from './timeouts.ts';

/**
 * A connection that ends cleanly can be reused, but after the complete response nothing waits longer than this for it.
 */
const TRAILING_MS = 200;

export interface ProviderConnection {
  /** Pass this to the client; aborting it also aborts the request upstream. */
  readonly signal: AbortSignal;
  /** Waits for one value. Throws the caller's abort reason or a `ProviderError`. */
  receive: <Chunk>(pending: PromiseLike<Chunk>) => Promise<Chunk>;
  /** Yields chunks as they arrive and aborts the request when the consumer stops. */
  receiveAll: <Chunk>(chunks: AsyncIterable<Chunk>) => AsyncGenerator<Chunk, void>;
  /** The answer is complete, so later errors of this connection no longer matter. */
  markAnswered: () => void;
}

export function openConnection(
  service: FallibleService,
  callerSignal: AbortSignal,
  timeouts: Pick<Timeouts, 'firstByteMs' | 'silenceMs'>,
): ProviderConnection {
  const timeoutController = new AbortController();
  const signal = AbortSignal.any([callerSignal, timeoutController.signal]);
  const firstByteAt = performance.now() + timeouts.firstByteMs;
  let hasReceived = false;
  let isAnswered = false;

  const remainingMs = (): number => {
    if (isAnswered) return TRAILING_MS;
    return hasReceived ? timeouts.silenceMs : Math.max(0, firstByteAt - performance.now());
  };
  const abortOnTimeout = (): void => {
    const reason = hasReceived ? 'fell silent' : 'no first byte in time';
    timeoutController.abort(new ProviderError(service, 'unreachable', reason));
  };
  const receive = async <Chunk>(pending: PromiseLike<Chunk>): Promise<Chunk> => {
    const timer = setTimeout(abortOnTimeout, remainingMs());
    try {
      const received = await pending;
      // The client ends an aborted stream as if it were complete.
      signal.throwIfAborted();
      return received;
    } catch (error) {
      signal.throwIfAborted();
      throw toProviderError(service, error);
    } finally {
      clearTimeout(timer);
    }
  };

  async function* receiveAll<Chunk>(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk, void> {
    const iterator = chunks[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await receive(iterator.next());
        if (next.done === true) return;
        hasReceived = true;
        yield next.value;
      }
    } catch (error) {
      if (!isAnswered) throw error;
    } finally {
      // Ends the request early if data is left. Rejects if the request has already ended.
      await Promise.resolve(iterator.return?.()).catch(() => undefined);
    }
  }

  return {
    signal,
    receive,
    receiveAll,
    markAnswered: () => {
      isAnswered = true;
    },
  };
}
