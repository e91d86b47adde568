import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it } from 'vitest';
import { keepNewFilesPrivate, preparePrivateFolder, restrictContents } from './index.ts';

const root = mkdtempSync(join(tmpdir(), 'parley-permissions-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const modeOf = (path: string): string => (lstatSync(path).mode & 0o7777).toString(8);
let count = 0;
function aFolder(mode: number): string {
  count += 1;
  const folder = join(root, String(count));
  mkdirSync(folder);
  chmodSync(folder, mode);
  return folder;
}

describe.skipIf(process.platform === 'win32')('a private folder', () => {
  it('is made with all that leads to it', () => {
    const folder = join(root, 'a/b/c');
    expect(preparePrivateFolder(folder)).toBeNull();
    expect(['a', 'a/b', 'a/b/c'].map((name) => modeOf(join(root, name)))).toEqual(['700', '700', '700']);
  });

  it.each([0o777, 0o755, 0o750, 0o711])('of mode %o is closed to others', (mode) => {
    const folder = aFolder(mode);
    expect(preparePrivateFolder(folder)).toBeNull();
    expect(modeOf(folder)).toBe('700');
  });

  it('keeps what its owner has taken from themselves', () => {
    const folder = aFolder(0o555);
    expect(preparePrivateFolder(folder)).toBeNull();
    expect(modeOf(folder)).toBe('500');
  });

  it('is left as it is when it is shared on purpose', () => {
    const folder = aFolder(0o1777);
    expect(preparePrivateFolder(folder)).toBe('shared_folder');
    expect(modeOf(folder)).toBe('1777');
  });

  it.skipIf(process.getuid?.() !== 0)('is left as it is when it belongs to another user', async () => {
    const folder = aFolder(0o755);
    const { chownSync } = await import('node:fs');
    chownSync(folder, 65_534, 65_534);
    expect(preparePrivateFolder(folder)).toBe('other_owner');
    expect(modeOf(folder)).toBe('755');
  });

  it('has contents that are closed under their names alone, and through no link', async () => {
    const folder = aFolder(0o700);
    const elsewhere = aFolder(0o755);
    mkdirSync(join(folder, 'ours/deep'), { recursive: true });
    for (const name of ['ours/deep/file', 'other']) writeFileSync(join(folder, name), '');
    for (const [name, mode] of [
      ['ours', 0o755],
      ['ours/deep', 0o777],
      ['ours/deep/file', 0o644],
      ['other', 0o644],
    ] as const)
      chmodSync(join(folder, name), mode);
    symlinkSync(elsewhere, join(folder, 'ours/link'));
    await restrictContents(folder, ['ours', 'not-there']);
    expect(['ours', 'ours/deep', 'ours/deep/file', 'other'].map((name) => modeOf(join(folder, name)))).toEqual([
      '700',
      '700',
      '600',
      '644',
    ]);
    expect(modeOf(elsewhere)).toBe('755');
  });
});

describe.skipIf(process.platform === 'win32')('a new file', () => {
  it('is its owner’s alone', () => {
    const former = process.umask(0);
    keepNewFilesPrivate();
    writeFileSync(join(root, 'new'), '');
    process.umask(former);
    expect(modeOf(join(root, 'new'))).toBe('600');
  });

  it('may be asked for by a thread, which cannot change what its process does', async () => {
    const module = new URL('./index.ts', import.meta.url).href;
    const thread = new Worker(
      new URL(
        `data:text/javascript,${encodeURIComponent(`import { keepNewFilesPrivate } from '${module}'; keepNewFilesPrivate();`)}`,
      ),
    );
    const code = await new Promise((resolve, reject) => thread.on('exit', resolve).on('error', reject));
    expect(code).toBe(0);
  });
});
