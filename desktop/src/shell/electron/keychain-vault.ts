/** The host's token vault over the system's keychain: one sealed file, or the host's plain vault where there is no keychain. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileVault, TokenVault } from '../../host/index.ts';
import type { Cipher } from './keychain.ts';

const OWNER_ONLY = 0o600;

/** What was written plainly, before there was a keychain, is read until the next write. */
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
        // An older secret must not win over this one when the keychain comes back.
        return rm(file, { force: true });
      }
      await writeFile(`${file}.new`, sealed, { mode: OWNER_ONLY, flush: true });
      await rename(`${file}.new`, file);
      await plain.forget();
    },
  };
}
