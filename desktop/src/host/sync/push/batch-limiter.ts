/**
 * Isolates a change on which the server fails: after repeated failures changes are sent one by one, and the failing one
 * is quarantined.
 */
import { MAX_MUTATIONS_PER_PUSH } from '@parley/contract';
import { ORPCError } from '@orpc/client';
import { asc, isNull } from 'drizzle-orm';
import { toFailure } from '../../server/index.ts';
import { outbox, readSyncState, type Store, syncState } from '../../store/index.ts';

/** A restarting server or a deadlock may fail once or twice. */
const FAILURES_BEFORE_SINGLE = 3;
const FAILURES_BEFORE_QUARANTINE = 3;
/** After this many single changes, batches are sent again. */
const SINGLE_CHANGES = MAX_MUTATIONS_PER_PUSH;
/**
 * While the database is in trouble, its failures say nothing about a change, unless it has accepted others and not this
 * one for this long.
 */
const TROUBLE_BEFORE_QUARANTINE_MS = 6 * 3_600_000;

export interface BatchLimiter {
  /**
   * Calls `send` with the current limit. Calls `setAside` for a change on which the server keeps failing; `setAside`
   * throws if the server fails on other changes too.
   */
  sendBatch<Value>(send: (limit: number) => Promise<Value>, setAside: () => Promise<void>): Promise<Value>;
}

export function createBatchLimiter(store: Store): BatchLimiter {
  let failures = 0;
  /** 0 means batches. */
  let singlesLeft = 0;
  let troubles = 0;
  /** A database in trouble may still accept smaller batches. Each success doubles the limit. */
  let batchLimit = MAX_MUTATIONS_PER_PUSH;
  const limit = (): number => (singlesLeft > 0 ? 1 : batchLimit);

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

  async function recordTrouble(setAside: () => Promise<void>): Promise<void> {
    troubles += 1;
    if (limit() > 1) {
      if (troubles < FAILURES_BEFORE_SINGLE) return;
      batchLimit = 1;
      troubles = 0;
    } else if ((isNextAResend(store) || hasLastedForHours(store)) && troubles >= FAILURES_BEFORE_QUARANTINE) {
      troubles = 0;
      await setAside();
      endTrouble(store);
    }
  }

  return {
    async sendBatch(send, setAside) {
      try {
        const sent = await send(limit());
        failures = 0;
        troubles = 0;
        singlesLeft = Math.max(0, singlesLeft - 1);
        batchLimit = Math.min(MAX_MUTATIONS_PER_PUSH, batchLimit * 2);
        endTrouble(store);
        return sent;
      } catch (error) {
        if (isServerFailure(error)) await recordFailure(setAside);
        else if (isServerInTrouble(error)) await recordTrouble(setAside);
        throw error;
      }
    },
  };
}

/**
 * Whether the next change is a restore, the form in which a change that was set aside is sent again. It must not hold
 * up the learner's other changes for hours a second time, so it is set aside sooner, and is still kept.
 */
const isNextAResend = ({ db }: Store): boolean =>
  db.select({ op: outbox.op }).from(outbox).where(isNull(outbox.parkedFor)).orderBy(asc(outbox.position)).limit(1).get()
    ?.op === 'restore';

/**
 * The time counts from the first trouble with a single change, even while the app was closed, because many apps are
 * open only for minutes.
 */
function hasLastedForHours(store: Store): boolean {
  const { pushTroubleSince } = readSyncState(store);
  const now = store.clock.now();
  const lastedMs = pushTroubleSince === null ? 0 : now.getTime() - pushTroubleSince.getTime();
  // The clock may have been set back.
  if (pushTroubleSince === null || lastedMs < 0) store.db.update(syncState).set({ pushTroubleSince: now }).run();
  return lastedMs >= TROUBLE_BEFORE_QUARANTINE_MS;
}

function endTrouble(store: Store): void {
  if (readSyncState(store).pushTroubleSince !== null) store.db.update(syncState).set({ pushTroubleSince: null }).run();
}

/** Whether the server failed on or could not read the request. An unreachable server says nothing about a change. */
function isServerFailure(error: unknown): boolean {
  const { code } = toFailure(error);
  return error instanceof ORPCError && (code === 'internal' || code === 'request.invalid');
}

/** Whether the error came from the server itself and not from a proxy in front of it. */
const isServerInTrouble = (error: unknown): boolean => error instanceof ORPCError && error.code === 'sync.offline';
