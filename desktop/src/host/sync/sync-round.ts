/** One round of sync: registers this device if necessary, pushes what is unsent, and pulls what may be missing. */
import type { Poke, SyncStatus } from '@parley/contract';
import type { LearnerId } from '@parley/domain';
import type { Logger } from '../logger.ts';
import { readCredentials, type ServerConnection, type TokenVault, writeCredentials } from '../server/index.ts';
import { readSyncState, setSendsAtOnce, type Store, syncState } from '../store/index.ts';
import { moveTo } from './account/complete-move.ts';
import { takeOverErasedAccounts } from './account/erased-accounts.ts';
import { ensureRegistered, type ThisDevice } from './account/register-device.ts';
import type { RowWriter } from './pull/apply-rows.ts';
import { pullPages, readCursors } from './pull/pull-pages.ts';
import { createBatchLimiter } from './push/batch-limiter.ts';
import {
  clockOffsetMs,
  countWaitingChanges,
  idsOfSent,
  probeServer,
  pushBatch,
  verifySequence,
} from './push/push-changes.ts';
import { beginDailyRetry, hasDue, hasRetryable } from './quarantine/due-rejections.ts';
import { quarantineFirst } from './quarantine/quarantine.ts';
import { hasNoRoom, retryDue, retryWhenRoom } from './quarantine/retry-rejected.ts';
import { mustPullBeforePush } from './restore/resync.ts';

export interface RoundParts {
  store: Store;
  vault: TokenVault;
  logger: Logger;
  chance: () => number;
  device: ThisDevice;
  writer: RowWriter;
  isClosed: () => boolean;
  onState: (state: SyncStatus['state']) => void;
}

export interface SyncRound {
  /** Throws the failure of the server or the network. Returns whether it pulled. */
  run(server: ServerConnection): Promise<{ hasPulled: boolean }>;
  /** The next round pulls, because something may be missing. */
  requirePull(): void;
  /** Records the versions that the server last announced. */
  announce(versions: Poke): void;
  /** Whether the server has announced versions that have not been pulled. */
  isBehind(): boolean;
  /** The time until the next scheduled pull. */
  msUntilPull(): number;
}

const PULL_EVERY_MS = 4 * 60_000;
const RETRY_EVERY_MS = 3_600_000;

export function createSyncRound(parts: RoundParts): SyncRound {
  const { store, vault, logger, chance, device, writer, isClosed, onState } = parts;
  const batchSize = createBatchLimiter(store);
  const attempted = idsOfSent(store);
  const renumbered = new Set<string>();
  let announced: Poke = { user: 0, catalogue: 0 };
  let mustPull = true;
  let isSequenceVerified = false;
  let nextPullMs = 0;
  let nextRetryMs = 0;

  function isBehind(): boolean {
    const { user, catalogue } = readCursors(store);
    return announced.user > user || announced.catalogue > catalogue;
  }

  async function push(server: ServerConnection): Promise<void> {
    if (countWaitingChanges(store) > 0) {
      onState('pushing');
      if (!isSequenceVerified) await verifySequence(store, server);
      isSequenceVerified = true;
    }
    while (!isClosed()) {
      const pushed = await batchSize.sendBatch(
        (limit) => pushBatch({ store, logger, server, writer, attempted, renumbered }, limit),
        () => quarantineFirst({ store, logger, server }),
      );
      if (pushed === 'sent_and_behind') mustPull = true;
      if (pushed === 'nothing') break;
    }
  }

  async function pull(server: ServerConnection): Promise<void> {
    onState('pulling');
    mustPull = false;
    // A server that was restored in place may have announced a version that it no longer has, which no pull would reach.
    announced = { user: 0, catalogue: 0 };
    try {
      for (;;) {
        const account = await pullPages({ store, logger, writer }, { server, isClosed });
        if (account === null) return;
        await followToken(account);
      }
    } catch (error) {
      mustPull = true;
      throw error;
    }
  }

  /** The server has moved the token to another account. */
  async function followToken(userId: LearnerId): Promise<void> {
    const credentials = await readCredentials(vault);
    if (credentials === null) return;
    const { token, deviceId } = credentials;
    const moved = { userId, deviceId, token };
    await writeCredentials(vault, moved);
    moveTo(store, moved);
  }

  /** Sends changes again that are due. When one is accepted, the changes that refer to it become due. */
  async function sendRefusedAgain(server: ServerConnection): Promise<void> {
    const { serverSchema } = readSyncState(store);
    while (!isClosed() && hasDue(store)) {
      // The response contains the server's time.
      retryDue(store, clockOffsetMs(store, await probeServer(store, server)));
      await push(server);
      // During an update, servers of two versions may answer in turn, and for each of them the changes that the other
      // has refused are due.
      if (readSyncState(store).serverSchema !== serverSchema) return;
    }
  }

  return {
    async run(server) {
      setSendsAtOnce(store, false);
      await ensureRegistered(server.client, { store, vault, device });
      const isFull = mustPull;
      if (mustPullBeforePush(store)) await pull(server);
      // If no other change is pushed, only this request reveals that the server was updated.
      if (isFull && hasRetryable(store)) await probeServer(store, server);
      if (performance.now() >= nextRetryMs) {
        // A larger plan or deletions on other devices may have made room.
        if (hasNoRoom(store)) retryWhenRoom(store, clockOffsetMs(store, await probeServer(store, server)));
        beginDailyRetry(store);
        nextRetryMs = performance.now() + RETRY_EVERY_MS;
      }
      // Newer changes go first, because the server may fail again on those that it has refused.
      await push(server);
      await sendRefusedAgain(server);
      const hasPulled = mustPull || isBehind() || performance.now() >= nextPullMs;
      if (hasPulled) {
        const { catalogue } = readCursors(store);
        await pull(server);
        // A row that was missing on the server may be there now.
        if (readCursors(store).catalogue !== catalogue) await sendRefusedAgain(server);
        if (!isClosed() && (await takeOverErasedAccounts(server.client, { store, logger }))) await push(server);
        // The pull also runs on a timer because a poke may be lost.
        nextPullMs = performance.now() + PULL_EVERY_MS * (0.75 + 0.5 * chance());
      }
      store.db.update(syncState).set({ lastSyncedAt: store.clock.now() }).run();
      setSendsAtOnce(store, isSequenceVerified && countWaitingChanges(store) === 0);
      return { hasPulled };
    },
    requirePull() {
      mustPull = true;
    },
    announce(versions) {
      announced = versions;
    },
    isBehind,
    msUntilPull: () => nextPullMs - performance.now(),
  };
}
