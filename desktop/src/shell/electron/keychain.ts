/** Seals and unseals a secret with the system's keychain, through Electron's safeStorage. Lives in the main process. */

/** Null: there is no keychain to speak of, or it cannot read this. */
export interface Cipher {
  /** Base64 of the sealed secret. */
  seal(secret: string): Promise<string | null>;
  unseal(sealed: string): Promise<string | null>;
}

/** What is used of Electron's `safeStorage`. */
export interface SystemKeychain {
  isAsyncEncryptionAvailable(): Promise<boolean>;
  encryptStringAsync(secret: string): Promise<Buffer>;
  decryptStringAsync(sealed: Buffer): Promise<{ result: string }>;
  /** Linux only. */
  getSelectedStorageBackend?(): string;
}

export function createKeychain(keychain: SystemKeychain, platform: NodeJS.Platform): Cipher {
  const isAvailable = async (): Promise<boolean> => {
    if (!(await keychain.isAsyncEncryptionAvailable())) return false;
    // Without a password manager Chromium seals with a password that everybody knows: that is no keychain.
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
