/**
 * Deletes an account's data from a profile, as its owner requested on another device. Runs before the profile is opened.
 * Every step can be repeated, so a deletion that was interrupted continues at the next start.
 */
import type { DeviceId, LearnerId } from '@parley/domain';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../logger.ts';
import { ACCOUNT_FILES, isDamageError } from '../store/index.ts';
import { eraseSharedProfile, hasWorkOfOthers, readDeviceId } from './erase-shared-profile.ts';
import { readWipeOrder, removeWipeOrder, writeWipeNotice } from './wipe-files.ts';

/** Files that several accounts share. On a shared computer, only the account's part of them is deleted. */
const SHARED_FILES: ReadonlySet<string> = new Set([
  'parley.sqlite',
  'parley.sqlite-wal',
  'parley.sqlite-shm',
  'recordings',
  'exports',
]);

/** The caller must hold the lock of the data folder. */
export async function completeWipe(
  dataDir: string,
  { now, logger }: { now: () => Date; logger?: Logger | undefined },
): Promise<void> {
  const order = readWipeOrder(dataDir);
  if (order === null) return;
  if (hasNewIdentity(dataDir, order.deviceId)) {
    removeWipeOrder(dataDir);
    logger?.warn({}, 'wipe_order_outdated');
    return;
  }
  const isShared = await eraseIfShared(dataDir, order.userId);
  for (const name of ACCOUNT_FILES) {
    if (isShared && SHARED_FILES.has(name)) continue;
    rmSync(join(dataDir, name), { recursive: true, force: true, maxRetries: 10 });
  }
  const { deviceId, key, serverUrl } = order;
  writeWipeNotice(dataDir, { at: now().toISOString(), isDismissed: false, report: { deviceId, key, serverUrl } });
  removeWipeOrder(dataDir);
  logger?.info({ isShared }, 'account_data_wiped');
}

/**
 * Whether an account was signed in since the order, which an older app allows because it does not know orders. What is
 * here now may exist nowhere else, so it is kept. A deletion that was interrupted has left no identity.
 */
function hasNewIdentity(dataDir: string, orderedFor: DeviceId): boolean {
  try {
    const deviceId = readDeviceId(dataDir);
    return deviceId !== null && deviceId !== orderedFor;
  } catch (error) {
    if (isDamageError(error)) return false;
    throw error;
  }
}

/**
 * Returns whether the database stays because of other accounts. One that cannot be read is deleted whole, because the
 * account's data must not stay.
 */
async function eraseIfShared(dataDir: string, userId: LearnerId): Promise<boolean> {
  try {
    if (!hasWorkOfOthers(dataDir, userId)) return false;
    await eraseSharedProfile(dataDir, userId);
    return true;
  } catch (error) {
    if (isDamageError(error)) return false;
    throw error;
  }
}
