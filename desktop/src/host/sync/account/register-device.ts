/** Registers this device with the server before its first request. */
import type { DEVICE_PLATFORMS, DeviceCredentials } from '@parley/contract';
import { DeviceId, LearnerId } from '@parley/domain';
import { eq } from 'drizzle-orm';
import type { HostFailure } from '../../result/index.ts';
import { knownAccount, type Store, syncState } from '../../store/index.ts';
import { beginResync } from '../restore/resync.ts';
import { adoptAccount, hasEmail, isRegistered } from './adopt-account.ts';
import { type ServerClient, toFailure, type TokenVault, writeCredentials } from '../../server/index.ts';

/** The name and platform by which the learner recognises the device. */
export interface ThisDevice {
  name: string;
  platform: (typeof DEVICE_PLATFORMS)[number];
}

/** Gives this device a new id, because its former account may still know the old one. */
export type NewDevice = ThisDevice & { deviceId: DeviceId };

export interface RegistrationParts {
  store: Store;
  vault: TokenVault;
  device: ThisDevice;
}

export async function ensureRegistered(
  client: ServerClient,
  { store, vault, device }: RegistrationParts,
): Promise<void> {
  if (isRegistered(store)) return;
  const credentials = await register(client, { store, device });
  await writeCredentials(vault, credentials);
  store.db.update(syncState).set({ isRegistered: true }).run();
}

/**
 * A restored server may have forgotten this device. It registers again, and the next round continues. Returns the
 * failure that results.
 */
export async function reregisterIfForgotten(
  client: ServerClient,
  parts: RegistrationParts,
  failure: HostFailure,
): Promise<HostFailure> {
  if (failure.code !== 'auth.required') return failure;
  try {
    return (await reregister(client, parts)) ? { code: 'sync.offline' } : failure;
  } catch (error) {
    return toFailure(error);
  }
}

/**
 * Registers again with a restored server that has forgotten this device, if the account has no e-mail and this is its
 * only device. The server refuses ids that it knows, so no other account can be entered, and ids of accounts that were
 * erased on request. Returns false if the owner must sign in.
 */
async function reregister(client: ServerClient, parts: RegistrationParts): Promise<boolean> {
  const { store, vault, device } = parts;
  if (!isRegistered(store) || hasEmail(store, store.identity().userId) || isErased(store)) return false;
  try {
    await writeCredentials(vault, await client.devices.register({ ...store.identity(), ...device }));
  } catch (error) {
    if (toFailure(error).code === 'auth.forbidden') return false;
    throw error;
  }
  beginResync(store, 'epoch');
  return true;
}

/**
 * Whether, according to the server's last response, the account should have been erased. A restored server may have
 * forgotten that it erased it.
 */
function isErased({ db, clock, identity }: Store): boolean {
  const known = db.select().from(knownAccount).where(eq(knownAccount.userId, identity().userId)).get();
  const eraseAt = known?.account.eraseAt ?? null;
  return eraseAt !== null && Date.parse(eraseAt) <= clock.now().getTime();
}

async function register(
  client: ServerClient,
  { store, device }: Omit<RegistrationParts, 'vault'>,
): Promise<DeviceCredentials> {
  try {
    return await client.devices.register({ ...store.identity(), ...device });
  } catch (error) {
    if (toFailure(error).code !== 'auth.forbidden') throw error;
    // The ids are taken, most likely by this device when an earlier response was lost. Nothing was pushed under them,
    // so new ids are used.
    adoptAccount(store, {
      userId: LearnerId.parse(store.newId()),
      deviceId: DeviceId.parse(store.newId()),
      isRegistered: false,
    });
    return client.devices.register({ ...store.identity(), ...device });
  }
}
