/** Moves this device to the account whose credentials it has. */
import type { Logger } from '../../logger.ts';
import { readCredentials, type StoredCredentials, type TokenVault } from '../../server/index.ts';
import type { Store } from '../../store/index.ts';
import { adoptAccount, isRegistered, movesAlong } from './adopt-account.ts';

/** The credentials of the account to which this device must still move, or null if it is there. */
export async function findUnfinishedMove(store: Store, vault: TokenVault): Promise<StoredCredentials | null> {
  const credentials = await readCredentials(vault);
  const { userId, deviceId } = store.identity();
  return credentials === null || (credentials.userId === userId && credentials.deviceId === deviceId)
    ? null
    : credentials;
}

/**
 * Whether the server must be asked which rows the account has before this device moves there. If the database was
 * replaced by an older one that no server knows, it moves at once, because a request would register it.
 */
export const asksBeforeMoving = (store: Store, { entered }: StoredCredentials): boolean =>
  entered?.from === store.identity().userId && isRegistered(store) && movesAlong(store, entered.email);

/**
 * Runs at startup, because the previous run may have been killed between signing in to an account and moving to it. A
 * move before which the server must be asked waits for sync.
 */
export async function completeInterruptedMove(
  store: Store,
  { vault, logger }: { vault: TokenVault; logger: Logger },
): Promise<void> {
  try {
    const credentials = await findUnfinishedMove(store, vault);
    if (credentials !== null && !asksBeforeMoving(store, credentials)) moveTo(store, credentials);
  } catch (error) {
    // The app opens with the work as it was, and sync tries again.
    logger.error({ err: error }, 'account_move_failed');
  }
}

/** `isNewDevice`: the server has just registered this device, so that its sequence starts at 1. */
export function moveTo(
  store: Store,
  { userId, deviceId, entered }: StoredCredentials,
  { isNewDevice = false } = {},
): void {
  // The credentials may also be newer than a database that was restored from a backup.
  const isFromHere = entered?.from === store.identity().userId;
  adoptAccount(store, {
    userId,
    deviceId,
    isRegistered: true,
    isNewDevice,
    addressIfErased: entered?.email ?? null,
    hasServerAll: isFromHere && entered.hasServerAll,
  });
}
