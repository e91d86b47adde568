/**
 * Isolates a change on which the server fails: after repeated failures changes are sent one by one, and the failing one
 * is quarantined.
 */
import { MAX_MUTATIONS_PER_PUSH } from '@parley/contract';
import { ORPCError } from '@orpc/client';
import { toFailure } from '../../server/index.ts';

/** A restarting server or a deadlock may fail once or twice. */
const FAILURES_BEFORE_SINGLE = 3;
const FAILURES_BEFORE_QUARANTINE = 3;
/** After this many single changes, batches are sent again. */
const SINGLE_CHANGES = MAX_MUTATIONS_PER_PUSH;

export interface BatchLimiter {
  /**
   * Calls `send` with the current limit. Calls `setAside` for a change on which the server keeps failing; `setAside`
   * throws if the server fails on other changes too.
   */
  sendBatch<Value>(send: (limit: number) => Promise<Value>, setAside: () => Promise<void>): Promise<Value>;
}

export function createBatchLimiter(): BatchLimiter {
  let failures = 0;
  /** 0 means full batches. */
  let singlesLeft = 0;

  async function recordFailure(setAside: () => Promise<void>): Promise<void> {
    failures += 1;
    if (singlesLeft === 0 && failures >= FAILURES_BEFORE_SINGLE) {
      singlesLeft = SINGLE_CHANGES;
      failures = 0;
    } else if (singlesLeft > 0 && failures >= FAILURES_BEFORE_QUARANTINE) {
      failures = 0;
      await setAside();
      singlesLeft = 0;
    }
  }

  return {
    async sendBatch(send, setAside) {
      try {
        const sent = await send(singlesLeft > 0 ? 1 : MAX_MUTATIONS_PER_PUSH);
        failures = 0;
        singlesLeft = Math.max(0, singlesLeft - 1);
        return sent;
      } catch (error) {
        if (isServerFailure(error)) await recordFailure(setAside);
        throw error;
      }
    },
  };
}

/** Whether the server failed on or could not read the request. An unreachable server says nothing about a change. */
function isServerFailure(error: unknown): boolean {
  const { code } = toFailure(error);
  return error instanceof ORPCError && (code === 'internal' || code === 'request.invalid');
}
