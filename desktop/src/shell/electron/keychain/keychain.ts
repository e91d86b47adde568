/**
 * Seals and unseals secrets with the system's keychain through Electron's safeStorage, which only works in the main
 * process.
 */

/** Both methods return null if there is no usable keychain or it cannot decrypt the text. */
export interface Cipher {
  /** Returns the sealed secret in base64. */
  seal(secret: string): Promise<string | null>;
  unseal(sealed: string): Promise<string | null>;
}

/** The part of Electron's `safeStorage` that is used. */
export interface SystemKeychain {
  isAsyncEncryptionAvailable(): Promise<boolean>;
  encryptStringAsync(secret: string): Promise<Buffer>;
  decryptStringAsync(sealed: Buffer): Promise<{ result: string }>;
  /** Used on Linux only. */
  getSelectedStorageBackend?(): string;
}

export function createKeychain(keychain: SystemKeychain, platform: NodeJS.Platform): Cipher {
  const isAvailable = async (): Promise<boolean> => {
    if (!(await keychain.isAsyncEncryptionAvailable())) return false;
    // Without a password manager, Chromium encrypts with a publicly known password, which does not count as a keychain.
    return platform !== 'linux' || keychain.getSelectedStorageBackend?.() !== 'basic_text';
  };
  return {
    async seal(secret) {
      try {
        return (await isAvailable()) ? (await keychain.encryptStringAsync(secret)).toString('base64') : null;
      } catch {
        return null;
      }
    },
    async unseal(sealed) {
      try {
        if (!(await isAvailable())) return null;
        return (await keychain.decryptStringAsync(Buffer.from(sealed, 'base64'))).result;
      } catch {
        return null;
      }
    },
  };
}
