/** Moves this device to the account whose credentials it has. */
import type { Logger } from '../../logger.ts';
import { readCredentials, type StoredCredentials, type TokenVault } from '../../server/index.ts';
import type { Store } from '../../store/index.ts';
import { adoptAccount } from './adopt-account.ts';

/**
 * Completes a sign-in after which the app was killed or the move failed. Returns whether there was anything to do.
 * Throws if the move fails again; all rows then stay with the former account.
 */
export async function completeMove(store: Store, vault: TokenVault): Promise<boolean> {
  const credentials = await readCredentials(vault);
  const { userId, deviceId } = store.identity();
  if (credentials === null || (credentials.userId === userId && credentials.deviceId === deviceId)) return false;
  moveTo(store, credentials);
  return true;
}

/** Runs at startup, because the previous run may have been killed between signing in to an account and moving to it. */
export async function completeInterruptedMove(
  store: Store,
  { vault, logger }: { vault: TokenVault; logger: Logger },
): Promise<void> {
  try {
    await completeMove(store, vault);
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
