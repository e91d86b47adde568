/** Makes this device known to the server: with its first round, or with the first thing that it asks. */
import type { DEVICE_PLATFORMS, DeviceCredentials } from '@parley/contract';
import { DeviceId, LearnerId } from '@parley/domain';
import { type Store, syncState } from '../store/index.ts';
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
