/**
 * Decides when recordings are sent: never during a conversation or before a changed row, and with increasing pauses
 * after failures.
 */
import type { SyncStatus } from '@parley/contract';
import { backoffMs } from '../server/index.ts';

export interface TransferLoop {
  /** Starts as soon as possible. If the loop is already running, it runs once more. */
  wake(): void;
  /** Interrupts the transfer and waits for a pause in the conversation. */
  pauseForConversation(): void;
  /** Resolves when nothing is being sent. */
  whenIdle(): Promise<void>;
  close(): Promise<void>;
}

export interface TransferLoopParts {
  /** Does one unit of work. Returns whether there is more. */
  work: (signal: AbortSignal) => Promise<boolean>;
  /** Returns the pause that the server requests, in milliseconds, after it has recorded the failure. */
  onFailure: (error: unknown) => number;
  /** Whether the learner is speaking at this moment. */
  isRecording: () => boolean;
  syncStatus: () => Pick<SyncStatus, 'state' | 'waiting'>;
  chance: () => number;
  /** How long a silence ends the conversation. */
  quietMs: number;
}

const LIST_EVERY_MS = 10 * 60_000;
const YIELD_MS = 1_000;
const MAX_BACKOFF_MS = 10 * 60_000;
const MIN_RETRY_MS = 1_000;

/** The abort reason of an interrupted transfer. */
export class ConversationBegan extends Error {}

export function createTransferLoop(parts: TransferLoopParts): TransferLoop {
  const { work, onFailure, isRecording, syncStatus, chance, quietMs } = parts;
  let isClosed = false;
  let failures = 0;
  let quietFromMs = 0;
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;
  let wasWoken = false;
  let interrupt = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  function schedule(ms: number): void {
    if (isClosed) return;
    clearTimeout(timer);
    timer = setTimeout(begin, ms).unref();
  }

  const isSyncing = (): boolean => {
    const { state, waiting } = syncStatus();
    return state === 'pushing' || state === 'pulling' || (state === 'idle' && waiting > 0);
  };

  function begin(): void {
    if (isRunning || isClosed) return;
    const quietInMs = quietFromMs - performance.now();
    if (quietInMs > 0) return schedule(quietInMs);
    if (isRecording() || isSyncing()) return schedule(YIELD_MS);
    isRunning = true;
    interrupt = new AbortController();
    wasWoken = false;
    running = step(interrupt.signal)
      .then(({ dueMs, soonestMs = 0 }) => schedule(wasWoken ? soonestMs : dueMs))
      .finally(() => {
        isRunning = false;
      });
  }

  /** Returns when the next step is due, and how early it may start if the loop is woken before then. */
  async function step(signal: AbortSignal): Promise<{ dueMs: number; soonestMs?: number }> {
    try {
      const hasMore = await work(signal);
      failures = 0;
      return { dueMs: hasMore ? 0 : LIST_EVERY_MS };
    } catch (error) {
      if (signal.aborted) return { dueMs: quietMs };
      failures += 1;
      const soonestMs = onFailure(error);
      const retryMs = backoffMs(failures, { chance, longestMs: MAX_BACKOFF_MS });
      return { dueMs: Math.max(MIN_RETRY_MS, soonestMs, retryMs), soonestMs };
    }
  }

  return {
    wake() {
      wasWoken = true;
      schedule(0);
    },
    pauseForConversation() {
      quietFromMs = performance.now() + quietMs;
      interrupt.abort(new ConversationBegan('a conversation began'));
      schedule(quietMs);
    },
    whenIdle: () => running,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      interrupt.abort(new Error('the host is closing'));
      await running;
    },
  };
}
