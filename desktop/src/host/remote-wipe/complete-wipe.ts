/**
 * Deletes an account's data from a profile, as its owner requested on another device. Runs before the profile is opened.
 * Every step can be repeated, so a deletion that was interrupted continues at the next start.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../logger.ts';
import { ACCOUNT_FILES, isDamageError } from '../store/index.ts';
import { eraseSharedProfile, hasWorkOfOthers } from './erase-shared-profile.ts';
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
  const isShared = hasWorkOfOthersHere(dataDir, order.userId);
  if (isShared) await eraseSharedProfile(dataDir, order.userId);
  for (const name of ACCOUNT_FILES) {
    if (isShared && SHARED_FILES.has(name)) continue;
    rmSync(join(dataDir, name), { recursive: true, force: true, maxRetries: 10 });
  }
  const { deviceId, key, serverUrl } = order;
  writeWipeNotice(dataDir, { at: now().toISOString(), isDismissed: false, report: { deviceId, key, serverUrl } });
  removeWipeOrder(dataDir);
  logger?.info({ isShared }, 'account_data_wiped');
}

/** A damaged database is deleted as a whole, because the account's data must not stay. */
function hasWorkOfOthersHere(dataDir: string, userId: string): boolean {
  try {
    return hasWorkOfOthers(dataDir, userId);
  } catch (error) {
    if (isDamageError(error)) return false;
    throw error;
  }
}
