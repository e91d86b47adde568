/** One change on which the server fails must not hold up the others: after a few failures changes go one by one, and that one is set aside. */
import { MAX_MUTATIONS_PER_PUSH } from '@parley/contract';
import { ORPCError } from '@orpc/client';
import { failureOf } from './server-client.ts';

/** A server that restarts, or a deadlock, fails once or twice. */
const FAILURES_BEFORE_SINGLE = 3;
const FAILURES_BEFORE_ASIDE = 3;
/** So many go one by one before the rest is sent together again. */
const SINGLE_CHANGES = MAX_MUTATIONS_PER_PUSH;

export interface BatchSize {
  /**
   * Sends with the limit that holds now, and learns from how it went. `setAside` is called for the change on which the server fails alone;
   * it throws where the server fails on other changes too.
   */
  during<Value>(send: (limit: number) => Promise<Value>, setAside: () => Promise<void>): Promise<Value>;
}

export function createBatchSize(): BatchSize {
  let failures = 0;
  /** 0: all together. */
  let singlesLeft = 0;

  async function noteFailure(setAside: () => Promise<void>): Promise<void> {
    failures += 1;
    if (singlesLeft === 0 && failures >= FAILURES_BEFORE_SINGLE) {
      singlesLeft = SINGLE_CHANGES;
      failures = 0;
    } else if (singlesLeft > 0 && failures >= FAILURES_BEFORE_ASIDE) {
      failures = 0;
      await setAside();
      singlesLeft = 0;
    }
  }

  return {
    async during(send, setAside) {
      try {
        const sent = await send(singlesLeft > 0 ? 1 : MAX_MUTATIONS_PER_PUSH);
        failures = 0;
        singlesLeft = Math.max(0, singlesLeft - 1);
        return sent;
      } catch (error) {
        if (isServersFailure(error)) await noteFailure(setAside);
        throw error;
      }
    },
  };
}

/** The server failed on what it was sent, or cannot read it; that it cannot be reached says nothing about a change. */
function isServersFailure(error: unknown): boolean {
  const { code } = failureOf(error);
  return error instanceof ORPCError && (code === 'internal' || code === 'request.invalid');
}
