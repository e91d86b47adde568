/** A token vault that seals the token with the system's keychain, or uses a plain file when there is none. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileVault, renameFile, type TokenVault } from '../../../host/index.ts';
import type { Cipher } from './keychain.ts';

const OWNER_ONLY = 0o600;

/** A token that was stored in the plain file earlier is read until the next write. */
export function createKeychainVault(options: { cipher: Cipher; dataDir: string; plain: FileVault }): TokenVault {
  const { cipher, plain } = options;
  const file = join(options.dataDir, 'device-token.sealed');
  return {
    async read() {
      const sealed = await readFile(file, 'utf8').catch(() => null);
      const secret = sealed === null ? null : await cipher.unseal(sealed);
      return secret ?? plain.read();
    },
    async write(secret) {
      const sealed = await cipher.seal(secret);
      if (sealed === null) {
        await plain.write(secret);
        // The old sealed token must not be read again when the keychain returns.
        return rm(file, { force: true });
      }
      await writeFile(`${file}.new`, sealed, { mode: OWNER_ONLY, flush: true });
      renameFile(`${file}.new`, file);
      await plain.forget();
    },
  };
}
