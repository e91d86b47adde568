import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fileStorageSuite } from '../../../test-kit/storage/file-storage-suite.ts';
import { createFolderStorage } from './index.ts';

const dir = mkdtempSync(join(tmpdir(), 'parley-storage-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('the folder storage', () => {
  const storage = createFolderStorage(dir);
  fileStorageSuite(() => storage);

  it('leaves no files behind that did not arrive', () => {
    expect(readdirSync(join(dir, '.incoming'))).toEqual([]);
  });
});
