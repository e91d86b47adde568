/** Signs this device in to an account and moves it there, or completes such a move that was interrupted or has failed. */
import type { ErrorCode, SyncStatus } from '@parley/contract';
import { DeviceId, ok } from '@parley/domain';
import type { Logger } from '../../logger.ts';
import { failed, type HostFailure, type HostResult } from '../../result/index.ts';
import { type ServerClient, type StoredCredentials, type TokenVault, writeCredentials } from '../../server/index.ts';
import { setSendsAtOnce, type Store } from '../../store/index.ts';
import { countWaitingChanges } from '../push/push-changes.ts';
import type { Sync } from '../sync.ts';
import { hasEmail, movesAlong } from './adopt-account.ts';
import { asksBeforeMoving, findUnfinishedMove, moveTo } from './complete-move.ts';
import { rememberKnownRows } from './known-rows.ts';
import type { ThisDevice } from './register-device.ts';

export interface AccountSwitchParts {
  store: Store;
  vault: TokenVault;
  logger: Logger;
  device: ThisDevice;
  run: () => Promise<SyncStatus>;
  runExclusively: <Value>(work: () => Promise<Value>) => Promise<Value>;
  callServer: <Value>(call: (client: ServerClient) => Promise<Value>) => Promise<HostResult<Value>>;
  /** Downloads what could no longer be fetched after the move. Returns why that failed, or null. */
  fetchBeforeMoving: () => Promise<HostFailure | null>;
  /** Whether the server has every row that it has confirmed to this device. */
  hasConfirmedRows: () => boolean;
  /** Whether the server no longer knows this device: its account was erased, or the server was restored. */
  isForgotten: () => boolean;
  /** Whether the account's data on this device is about to be deleted, as its owner requested on another one. */
  isWiping: () => boolean;
  onMoved: () => void;
  /** The work stays as it was. The move is retried, and soon if the only reason was that the server could not be asked. */
  onMoveFailed: (failure: HostFailure) => void;
}

export interface AccountSwitch {
  switchAccount: Sync['switchAccount'];
  /** Call this before each round. Returns false if the move fails again. */
  completeMove: () => Promise<boolean>;
}

/** With these failures, the server may answer later. */
const TEMPORARY: ReadonlySet<ErrorCode> = new Set(['sync.offline', 'request.too_many']);

export function createAccountSwitch(parts: AccountSwitchParts): AccountSwitch {
  const { store, vault, logger, device, run, runExclusively, callServer } = parts;

  function reportFailure(error: unknown): void {
    logger.error({ err: error }, 'account_move_failed');
    parts.onMoveFailed({ code: 'internal' });
  }

  /** Returns why the server could not be asked, if it may be able to answer later. */
  async function rememberKnown(credentials: StoredCredentials): Promise<HostFailure | null> {
    if (!asksBeforeMoving(store, credentials)) return null;
    const asked = await callServer((client) => rememberKnownRows(client, { store, credentials }));
    if (asked.ok) return null;
    logger.warn({ code: asked.error.code }, 'known_rows_not_asked');
    // Older servers cannot tell. Rows that both accounts have then exist twice.
    if (!TEMPORARY.has(asked.error.code)) return null;
    parts.onMoveFailed(asked.error);
    return asked.error;
  }

  function moveAtOnce(credentials: StoredCredentials): void {
    try {
      moveTo(store, credentials, { isNewDevice: true });
    } catch (error) {
      reportFailure(error);
      throw error;
    }
    parts.onMoved();
  }

  return {
    async completeMove() {
      try {
        const credentials = await findUnfinishedMove(store, vault);
        if (credentials === null) return true;
        if ((await rememberKnown(credentials)) !== null) return false;
        moveTo(store, credentials);
        parts.onMoved();
        return true;
      } catch (error) {
        reportFailure(error);
        return false;
      }
    },

    async switchAccount(enter, { email = null } = {}) {
      // Unsent changes are pushed first, in case the account stays the same. Before rows are parked, the server is
      // asked whether it was restored.
      if (hasEmail(store, store.identity().userId) || countWaitingChanges(store) > 0) await run();
      // While the account is in use, another account can only have its address if an admin has corrected both.
      const addressIfErased = parts.isForgotten() ? email : null;
      // The rows of an account with an e-mail stay with it. Other rows move along, and could no longer be fetched
      // afterwards.
      const failure = movesAlong(store, addressIfErased) ? await parts.fetchBeforeMoving() : null;
      if (failure !== null) return { ok: false, error: failure };
      const moved = await runExclusively(async () => {
        if (parts.isWiping()) return failed('auth.device_revoked');
        setSendsAtOnce(store, false);
        const deviceId = DeviceId.parse(store.newId());
        const credentials = await callServer((client) => enter(client, { deviceId, ...device }));
        if (!credentials.ok) return credentials;
        const { userId: from } = store.identity();
        const entered = { email: addressIfErased, from, hasServerAll: parts.hasConfirmedRows() };
        // The credentials are stored first, so that after a crash the next start makes the same move.
        const stored = { ...credentials.value, entered };
        await writeCredentials(vault, stored);
        const unanswered = await rememberKnown(stored);
        if (unanswered !== null) return { ok: false, error: unanswered } as const;
        moveAtOnce(stored);
        return credentials;
      });
      return moved.ok ? ok(await run()) : moved;
    },
  };
}
