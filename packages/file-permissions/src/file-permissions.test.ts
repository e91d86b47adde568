import { chmodSync, lstatSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { keepNewFilesPrivate, preparePrivateFolder, restrictContents } from './index.ts';

const root = mkdtempSync(join(tmpdir(), 'parley-permissions-'));

const modeOf = (path: string): string => (lstatSync(path).mode & 0o7777).toString(8);
let count = 0;
function createFolder(mode: number): string {
  count += 1;
  const folder = join(root, String(count));
  mkdirSync(folder);
  chmodSync(folder, mode);
  return folder;
}

describe.skipIf(process.platform === 'win32')('private folder', () => {
  it('is created with its parents', () => {
    const folder = join(root, 'a/b/c');
    expect(preparePrivateFolder(folder)).toBeNull();
    expect(['a', 'a/b', 'a/b/c'].map((name) => modeOf(join(root, name)))).toEqual(['700', '700', '700']);
  });

  it.skipIf(process.platform !== 'linux')('fails where no folder can be created, instead of trying for ever', () => {
    expect(() => preparePrivateFolder('/proc/parley/data')).toThrow('ENOENT');
  });

  it('cannot be created in place of a file', () => {
    const folder = createFolder(0o700);
    const file = join(folder, 'file');
    writeFileSync(file, '', { mode: 0o644 });
    expect(() => preparePrivateFolder(file)).toThrow('EEXIST');
    expect(modeOf(file)).toBe('644');
    expect(() => preparePrivateFolder(join(file, 'data'))).toThrow('ENOTDIR');
  });

  it.each([0o777, 0o755, 0o750, 0o711])('removes other users’ access from mode %o', (mode) => {
    const folder = createFolder(mode);
    expect(preparePrivateFolder(folder)).toBeNull();
    expect(modeOf(folder)).toBe('700');
  });

  it('does not restore permissions that the owner removed', () => {
    const folder = createFolder(0o555);
    expect(preparePrivateFolder(folder)).toBeNull();
    expect(modeOf(folder)).toBe('500');
  });

  it('leaves a shared folder unchanged', () => {
    const folder = createFolder(0o1777);
    expect(preparePrivateFolder(folder)).toBe('shared_folder');
    expect(modeOf(folder)).toBe('1777');
  });

  it.skipIf(process.getuid?.() !== 0)('leaves another user’s folder unchanged', async () => {
    const folder = createFolder(0o755);
    const { chownSync } = await import('node:fs');
    chownSync(folder, 65_534, 65_534);
    expect(preparePrivateFolder(folder)).toBe('other_owner');
    expect(modeOf(folder)).toBe('755');
  });

  it('restricts only the named contents and follows no links', async () => {
    const folder = createFolder(0o700);
    const elsewhere = createFolder(0o755);
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

describe.skipIf(process.platform === 'win32')('new file', () => {
  it('is private to its owner', () => {
    const former = process.umask(0);
    keepNewFilesPrivate();
    writeFileSync(join(root, 'new'), '');
    process.umask(former);
    expect(modeOf(join(root, 'new'))).toBe('600');
  });

  it('is unaffected by a call from a worker thread', async () => {
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
