/** Where this device's bearer token lies: the shell's keychain when it has one, else a file that only its owner reads. */
import { DeviceCredentials } from '@parley/contract';
import { existsSync, fsyncSync, openSync, closeSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface TokenVault {
  /** What was last written; null when nothing was. */
  read(): Promise<string | null>;
  write(secret: string): Promise<void>;
}

export interface FileVault extends TokenVault {
  /** Once a keychain holds the secret, it must not lie here too. */
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

/** Null when the vault is empty, or holds what this version cannot read. */
export async function readCredentials(vault: TokenVault): Promise<DeviceCredentials | null> {
  const secret = await vault.read();
  if (secret === null) return null;
  try {
    return DeviceCredentials.safeParse(JSON.parse(secret)).data ?? null;
  } catch {
    return null;
  }
}

/** A vault cannot be empty again: what it holds then is nobody's. */
export const forgetCredentials = (vault: TokenVault): Promise<void> => vault.write('{}');

export const writeCredentials = (vault: TokenVault, credentials: DeviceCredentials): Promise<void> =>
  vault.write(JSON.stringify(credentials));
