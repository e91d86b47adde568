/** Runs rounds one at a time, and decides when the next one begins: at once, after a delay, or never. */
import type { SyncStatus } from '@parley/contract';
import type { HostFailure } from '../result/index.ts';
import { createSerialQueue } from '../serial-queue.ts';
import { backoffMs, type ServerConnection, toFailure } from '../server/index.ts';
import { reregisterIfForgotten } from './account/register-device.ts';
import { planRetry } from './plan-retry.ts';
import { countWaitingChanges } from './push/push-changes.ts';
import { recover } from './restore/recover.ts';
import { isResyncing } from './restore/resync.ts';
import { createRoundTimer } from './round-timer.ts';
import type { StatusReporter } from './status-reporter.ts';
import { createSyncRound, type RoundParts, type SyncRound } from './sync-round.ts';

export interface RoundLoopParts extends Omit<RoundParts, 'onState'> {
  server: ServerConnection | null;
  reporter: StatusReporter;
  /** The longest wait between two attempts. */
  longestMs: number;
  /** Runs before each round. If it returns false, the round does not run. */
  beforeRound: () => Promise<boolean>;
  onSuccess: (round: { hasPulled: boolean }) => void;
  /** Called after a successful round when no other follows at once. */
  onCaughtUp: () => void;
  onWipeOrdered: (key: string) => void;
  /** Fetches what each round has left out. */
  afterRound: () => Promise<void>;
}

export interface RoundLoop extends Pick<SyncRound, 'announce' | 'isBehind'> {
  /** Starts scheduling rounds, the first of which runs immediately. */
  start(): void;
  /** Runs a full round, and fetches what it has left out. Returns how the round ended. */
  run(): Promise<SyncStatus>;
  /** Returns how the round ended; another one may begin at once. */
  runFullRound(): Promise<SyncStatus>;
  /** Runs work while no round is running. */
  runExclusively<Value>(work: () => Promise<Value>): Promise<Value>;
  isRunning(): boolean;
  /** Whether a new trigger may start a round. A failed move is not retried for each notice from the server. */
  mayStartRound(): boolean;
  schedule(afterMs: number): void;
  retry(afterMs: number): void;
  /** Requests a full round, because a poke may have been missed. */
  scheduleFullRound(afterMs: number): void;
  /** The time until the next attempt after this many failures. */
  waitMsAfter(failures: number): number;
  /**
   * Repairs what the failure shows to be wrong. If the repair fails, for example on a full disk, the next failure
   * retries it.
   */
  recoverFrom(failure: HostFailure): void;
  /**
   * Whether the server still has every row that it has confirmed to this device. If the server was restored and does
   * not know this device, it answers `auth.required`, so it cannot be asked.
   */
  hasConfirmedRows(): boolean;
  /** Whether the server no longer knows this device, for example because it was restored from a backup. */
  isForgotten(): boolean;
  /** Whether the last failure was the server's or the network's, not this computer's. */
  hasServerFailed(): boolean;
  onMoved(): void;
  onMoveFailed(failure: HostFailure): void;
  whenIdle(): Promise<void>;
  /** Waits for the current round. */
  close(): Promise<void>;
}

/** Jitter may yield almost zero, and a failing server must not be retried at once. */
const MIN_RETRY_MS = 250;
/** Moving a long history takes seconds, and the app is blocked meanwhile. */
const MOVE_RETRY_MS = 5 * 60_000;

export function createRoundLoop(parts: RoundLoopParts): RoundLoop {
  const { store, logger, chance, server, reporter, longestMs, isClosed } = parts;
  const round = createSyncRound({ ...parts, onState: reporter.setState });
  const queue = createSerialQueue();
  const timer = createRoundTimer(() => {
    lastRound = queue.run(runOnce).then(parts.afterRound);
  });
  let failures = 0;
  /** Why the last round failed; null if it succeeded or none has run. */
  let lastFailure: HostFailure | null = null;
  let isRunning = false;
  let isStarted = false;
  let lastRound: Promise<void> = Promise.resolve();

  function schedule(afterMs: number): void {
    if (isClosed() || server === null || !isStarted) return;
    timer.set(afterMs);
  }

  const retry = (afterMs: number): void => schedule(Math.max(MIN_RETRY_MS, afterMs));

  const mayStartRound = (): boolean => !isRunning && reporter.state() !== 'not_moved';

  const waitMsAfter = (count: number): number =>
    Math.max(MIN_RETRY_MS, server?.retryAfterMs() ?? 0, backoffMs(count, { chance, longestMs }));

  async function runOnce(): Promise<void> {
    if (server === null || isClosed()) return;
    isRunning = true;
    try {
      if (!(await parts.beforeRound())) return;
      const { hasPulled } = await round.run(server);
      failures = 0;
      lastFailure = null;
      reporter.setState('idle');
      parts.onSuccess({ hasPulled });
      const hasMore = countWaitingChanges(store) > 0 || round.isBehind();
      if (!hasMore) parts.onCaughtUp();
      schedule(hasMore ? 0 : round.msUntilPull());
    } catch (error) {
      if (isClosed()) return;
      const failure = await reregisterIfForgotten(server.client, parts, toFailure(error));
      if (failure.code === 'internal') logger.error({ err: error }, 'sync_failed');
      else if (failure.code !== 'sync.offline')
        logger.warn({ code: failure.code, detail: failure.detail }, 'sync_stopped');
      handleFailure(failure);
    } finally {
      isRunning = false;
    }
  }

  function handleFailure(failure: HostFailure): void {
    failures += 1;
    lastFailure = failure;
    const { state, afterMs } = planRetry(failure, waitMsAfter(failures));
    recoverFrom(failure);
    reporter.setState(state);
    if (afterMs !== null) retry(afterMs);
    if (failure.code === 'auth.device_revoked' && failure.wipeKey !== undefined) obeyWipeOrder(failure.wipeKey);
  }

  function obeyWipeOrder(key: string): void {
    try {
      parts.onWipeOrdered(key);
    } catch (error) {
      // The order could not be stored, for example on a full disk. The server repeats it.
      logger.error({ err: error }, 'wipe_order_not_stored');
      retry(waitMsAfter(failures));
    }
  }

  function recoverFrom(failure: HostFailure): void {
    try {
      if (recover(failure, { store, logger })) round.requirePull();
    } catch (error) {
      logger.error({ err: error, code: failure.code }, 'recovery_failed');
    }
  }

  const runFullRound = (): Promise<SyncStatus> =>
    queue.run(async () => {
      round.requirePull();
      await runOnce();
      return reporter.status();
    });

  async function run(): Promise<SyncStatus> {
    const ended = await runFullRound();
    await parts.afterRound();
    return ended;
  }

  return {
    start() {
      isStarted = true;
      if (server !== null) lastRound = run().then(() => undefined);
    },
    run,
    runFullRound,
    runExclusively: queue.run,
    isRunning: () => isRunning,
    mayStartRound,
    schedule,
    retry,
    scheduleFullRound(afterMs) {
      round.requirePull();
      if (mayStartRound()) retry(afterMs);
    },
    announce: round.announce,
    isBehind: round.isBehind,
    waitMsAfter,
    recoverFrom,
    isForgotten: () => lastFailure?.code === 'auth.required',
    hasConfirmedRows: () => !isResyncing(store) && (lastFailure === null || lastFailure.code === 'auth.device_revoked'),
    hasServerFailed: () => lastFailure !== null && lastFailure.code !== 'internal',
    onMoved() {
      lastFailure = null;
      failures = 0;
      round.announce({ user: 0, catalogue: 0 });
    },
    onMoveFailed(failure) {
      failures += 1;
      lastFailure = failure;
      reporter.setState('not_moved');
      retry(failure.code === 'internal' ? MOVE_RETRY_MS : waitMsAfter(failures));
    },
    async whenIdle() {
      await lastRound;
      await queue.whenIdle();
    },
    async close() {
      timer.cancel();
      await queue.whenIdle();
    },
  };
}
