import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { localizerFor } from '../../localization/index.ts';
import { readReleases } from './read-releases.ts';
import { textPage } from './text-pages.ts';

const dir = mkdtempSync(join(tmpdir(), 'parley-texts-'));
writeFileSync(join(dir, 'privacy.md'), 'Ours: {contact}');
mkdirSync(join(dir, 'terms.md'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const page = (name: 'privacy' | 'terms', from: string | null) =>
  textPage(localizerFor('en'), name, { dir: from, contact: 'school@parley.example' });

describe('the operator’s text', () => {
  it('replaces ours', async () => {
    expect((await page('privacy', dir)).body.text).toContain('<p>Ours: ');
  });

  it.each([null, join(dir, 'none')])('is ours when there is none (%s)', async (from) => {
    expect((await page('privacy', from)).body.text).not.toContain('Ours: ');
  });

  it('is not replaced by ours when it cannot be read', async () => {
    await expect(page('terms', dir)).rejects.toMatchObject({ code: 'EISDIR' });
  });
});

describe('the folder of the downloads', () => {
  it('may be missing, but must be readable', async () => {
    expect(await readReleases(join(dir, 'none'))).toEqual([]);
    await expect(readReleases(join(dir, 'privacy.md'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });
});
