import { createReadStream, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { fileStorageSuite } from '../../../test-kit/storage/file-storage-suite.ts';
import { createFolderStorage } from './index.ts';

const dir = mkdtempSync(join(tmpdir(), 'parley-storage-'));

describe('the folder storage', () => {
  const storage = createFolderStorage(dir);
  fileStorageSuite(() => storage);

  it('reports a file that is gone before it is read', async () => {
    const gone = createReadStream(join(dir, 'gone'));
    await expect(storage.put('media/gone', gone, { bytes: 1, mediaType: 'video/mp4' })).rejects.toThrow();
  });

  it('closes the body of a file that it could not write', async () => {
    const unusable = mkdtempSync(join(tmpdir(), 'parley-storage-'));
    writeFileSync(join(unusable, '.incoming'), 'a file instead of a folder');
    const body = new Readable({ read: () => undefined });
    const put = createFolderStorage(unusable).put('media/x', body, { bytes: 10, mediaType: 'video/mp4' });
    await expect(put).rejects.toThrow();
    expect(body.destroyed).toBe(true);
  });

  it('leaves no files behind that did not arrive', () => {
    expect(readdirSync(join(dir, '.incoming'))).toEqual([]);
  });
});
