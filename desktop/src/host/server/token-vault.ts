/** Stores this device's bearer token in the shell's keychain, or else in a file that only its owner can read. */
import { DeviceCredentials } from '@parley/contract';
import { existsSync, fsyncSync, openSync, closeSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface TokenVault {
  /** Returns the last written secret, or null. */
  read(): Promise<string | null>;
  write(secret: string): Promise<void>;
}

export interface FileVault extends TokenVault {
  /** Removes the file once a keychain holds the secret. */
  forget(): Promise<void>;
}

const OWNER_ONLY = 0o600;

export function createFileVault(dataDir: string): FileVault {
  const file = join(dataDir, 'device-token.json');
  return {
    read: async () => (existsSync(file) ? readFileSync(file, 'utf8') : null),
    write: async (secret) => {
      const unfinished = `${file}.new`;
      const handle = openSync(unfinished, 'w', OWNER_ONLY);
      writeSync(handle, secret);
      fsyncSync(handle);
      closeSync(handle);
      renameSync(unfinished, file);
    },
    forget: async () => rmSync(file, { force: true }),
  };
}

/** Returns null when the vault is empty or its content is unreadable. */
export async function readCredentials(vault: TokenVault): Promise<DeviceCredentials | null> {
  const secret = await vault.read();
  if (secret === null) return null;
  try {
    return DeviceCredentials.safeParse(JSON.parse(secret)).data ?? null;
  } catch {
    return null;
  }
}

/** A vault cannot be deleted, so it is overwritten with empty credentials. */
export const clearCredentials = (vault: TokenVault): Promise<void> => vault.write('{}');

export const writeCredentials = (vault: TokenVault, credentials: DeviceCredentials): Promise<void> =>
  vault.write(JSON.stringify(credentials));
