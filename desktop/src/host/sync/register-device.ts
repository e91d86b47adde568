/** Makes this device known to the server: with its first round, or with the first thing that it asks. */
import type { DEVICE_PLATFORMS, DeviceCredentials } from '@parley/contract';
import { DeviceId, LearnerId } from '@parley/domain';
import { eq } from 'drizzle-orm';
import { type Store, syncState, users } from '../store/index.ts';
import { beginResync } from './resync.ts';
import { adoptAccount, isRegistered } from './adopt-account.ts';
import { failureOf, type ServerClient } from './server-client.ts';
import { type TokenVault, writeCredentials } from './token-vault.ts';

/** How its owner tells it from their other devices. */
export interface ThisDevice {
  name: string;
  platform: (typeof DEVICE_PLATFORMS)[number];
}

/** This device, under a new name: the account that it was in may still know it under the old one. */
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
 * A server that was restored may not know this device any more. Where nothing but this device had its account, it opens it again under the
 * same ids: the server refuses ids that it knows, so no other account can be entered this way. `false`: its owner has to sign in.
 */
export async function registerAgain(client: ServerClient, parts: RegistrationParts): Promise<boolean> {
  const { store, vault, device } = parts;
  const { userId } = store.identity();
  const email = store.db.select({ email: users.email }).from(users).where(eq(users.userId, userId)).get()?.email;
  if (!isRegistered(store) || email !== null) return false;
  try {
    await writeCredentials(vault, await client.devices.register({ ...store.identity(), ...device }));
  } catch (error) {
    if (failureOf(error).code === 'auth.forbidden') return false;
    throw error;
  }
  beginResync(store, 'epoch');
  return true;
}

async function register(
  client: ServerClient,
  { store, device }: Omit<RegistrationParts, 'vault'>,
): Promise<DeviceCredentials> {
  try {
    return await client.devices.register({ ...store.identity(), ...device });
  } catch (error) {
    if (failureOf(error).code !== 'auth.forbidden') throw error;
    // Our ids are taken: most likely by ourselves, when the first answer was lost with its token. Nothing was pushed
    // under them, so this device begins again under new ones.
    adoptAccount(store, {
      userId: LearnerId.parse(store.newId()),
      deviceId: DeviceId.parse(store.newId()),
      isRegistered: false,
    });
    return client.devices.register({ ...store.identity(), ...device });
  }
}
