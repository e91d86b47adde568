import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileVault } from '../../../host/index.ts';
import { createKeychain, type SystemKeychain } from './keychain.ts';
import { createKeychainVault } from './keychain-vault.ts';

/** A fake of Electron's safeStorage that encodes a secret together with the name of its key. */
function aSystemKeychain(state: { isAvailable: boolean; backend?: string; key?: string }): SystemKeychain {
  const key = () => `${state.key ?? 'k1'}:`;
  return {
    isAsyncEncryptionAvailable: async () => state.isAvailable,
    getSelectedStorageBackend: () => state.backend ?? 'gnome_libsecret',
    encryptStringAsync: async (secret) => Buffer.from(key() + Buffer.from(secret).toString('hex')),
    decryptStringAsync: async (sealed) => {
      const text = sealed.toString();
      if (!text.startsWith(key())) throw new Error('Error while decrypting the ciphertext provided');
      return { result: Buffer.from(text.slice(key().length), 'hex').toString() };
    },
  };
}

function aVault(state: { isAvailable: boolean; backend?: string; key?: string }) {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-vault-'));
  const open = () =>
    createKeychainVault({
      cipher: createKeychain(aSystemKeychain(state), 'linux'),
      dataDir,
      plain: createFileVault(dataDir),
    });
  return { open, sealedFile: join(dataDir, 'device-token.sealed'), plainFile: join(dataDir, 'device-token.json') };
}

describe('with a keychain', () => {
  it('a token is sealed, readable only by its owner, and read again', async () => {
    const { open, sealedFile, plainFile } = aVault({ isAvailable: true });
    expect(await open().read()).toBeNull();
    await open().write('{"token":"sesame"}');
    expect(await open().read()).toBe('{"token":"sesame"}');
    expect(readFileSync(sealedFile, 'utf8')).not.toContain('sesame');
    expect(statSync(sealedFile).mode & 0o077).toBe(0);
    expect(existsSync(plainFile)).toBe(false);
  });

  it('a token stored in plain text is read and sealed with the next write', async () => {
    const { open, plainFile } = aVault({ isAvailable: true });
    writeFileSync(plainFile, 'old');
    expect(await open().read()).toBe('old');
    await open().write('new');
    expect(existsSync(plainFile)).toBe(false);
    expect(await open().read()).toBe('new');
  });

  it('a file that cannot be unsealed counts as empty', async () => {
    const state = { isAvailable: true, key: 'k1' };
    const { open, sealedFile } = aVault(state);
    await open().write('mine');
    state.key = 'another';
    expect(await open().read()).toBeNull();
    writeFileSync(sealedFile, 'not base64, nor anything');
    expect(await open().read()).toBeNull();
  });
});

describe('without a keychain', () => {
  it.each([
    ['none', { isAvailable: false }],
    ['one with a publicly known password', { isAvailable: true, backend: 'basic_text' }],
  ])('(%s) the plain vault is used', async (_name, state) => {
    const { open, sealedFile, plainFile } = aVault(state);
    await open().write('sesame');
    expect(existsSync(sealedFile)).toBe(false);
    expect(statSync(plainFile).mode & 0o077).toBe(0);
    expect(await open().read()).toBe('sesame');
  });

  it('an older sealed token is never read again', async () => {
    const state = { isAvailable: true };
    const { open } = aVault(state);
    await open().write('older');
    state.isAvailable = false;
    await open().write('newer');
    state.isAvailable = true;
    expect(await open().read()).toBe('newer');
  });
});
