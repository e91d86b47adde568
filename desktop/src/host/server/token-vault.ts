/** Stores this device's bearer token in the shell's keychain, or else in a file that only its owner can read. */
import { DeviceCredentials } from '@parley/contract';
import { LearnerId } from '@parley/domain';
import { existsSync, fsyncSync, openSync, closeSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Identity, renameFile } from '../store/index.ts';

export interface TokenVault {
  /** Returns the last written secret, or null. */
  read(): Promise<string | null>;
  write(secret: string): Promise<void>;
}

export interface FileVault extends TokenVault {
  /** Deletes the file once a keychain holds the secret. */
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
      renameFile(unfinished, file);
    },
    forget: async () => rmSync(file, { force: true }),
  };
}

/**
 * The credentials, and what the move to their account depends on. The app may be killed before the move, or the move
 * may fail; it must then be completed later with the same result.
 */
const StoredCredentials = DeviceCredentials.extend({
  /** Missing for an account that this device registered itself. */
  entered: z
    .strictObject({
      /** The address with which the learner signed in, if the server no longer knew the device's former account. */
      email: z.string().nullable(),
      /** The account that the device was in before. */
      from: LearnerId,
      /** Whether the server still had every row of that account that it had confirmed. */
      hasServerAll: z.boolean(),
    })
    .optional(),
});
export type StoredCredentials = z.infer<typeof StoredCredentials>;

/** Returns null when the vault is empty or its content is unreadable. */
export async function readCredentials(vault: TokenVault): Promise<StoredCredentials | null> {
  const secret = await vault.read();
  if (secret === null) return null;
  try {
    return StoredCredentials.safeParse(JSON.parse(secret)).data ?? null;
  } catch {
    return null;
  }
}

/**
 * Returns the token of this device. It is null until the device has moved to the token's account, because requests
 * before the move would mix the two accounts.
 */
export async function readToken(vault: TokenVault, { userId, deviceId }: Identity): Promise<string | null> {
  const credentials = await readCredentials(vault);
  return credentials?.userId === userId && credentials.deviceId === deviceId ? credentials.token : null;
}

/** A vault cannot be deleted, so it is overwritten with empty credentials. */
export const clearCredentials = (vault: TokenVault): Promise<void> => vault.write('{}');

export const writeCredentials = (vault: TokenVault, credentials: StoredCredentials): Promise<void> =>
  vault.write(JSON.stringify(credentials));
