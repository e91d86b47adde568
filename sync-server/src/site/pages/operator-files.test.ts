import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LANGUAGES, localizerFor } from '../../localization/index.ts';
import { readReleases } from './read-releases.ts';
import { textPage } from './text-pages.ts';

const dir = mkdtempSync(join(tmpdir(), 'parley-texts-'));
writeFileSync(join(dir, 'privacy.md'), 'Ours: {contact}');
writeFileSync(join(dir, 'privacy.de.md'), 'Unsere: {contact}');
mkdirSync(join(dir, 'terms.md'));

const page = (name: 'privacy' | 'terms', from: string | null, language = 'en') =>
  textPage(localizerFor(language), name, { published: [], dir: from, contact: 'school@parley.example' });

describe('the operator’s text', () => {
  it('replaces ours', async () => {
    expect((await page('privacy', dir)).body.text).toContain('<p>Ours: ');
  });

  it.each([null, join(dir, 'none')])('is ours when there is none (%s)', async (from) => {
    expect((await page('privacy', from)).body.text).not.toContain('Ours: ');
  });

  it('is shown in another language unless the operator has written that too', async () => {
    const [japanese, german] = await Promise.all([page('privacy', dir, 'ja'), page('privacy', dir, 'de')]);
    expect(japanese.body.text).toContain('<article lang="en" dir="auto"><p>Ours: ');
    expect(german.body.text).toContain('<article lang="de" dir="auto"><p>Unsere: ');
    expect([japanese.isTranslated, german.isTranslated]).toEqual([false, false]);
  });

  it('is not replaced by ours when it cannot be read', async () => {
    await expect(page('terms', dir)).rejects.toMatchObject({ code: 'EISDIR' });
  });
});

describe.each(['privacy', 'terms'] as const)('our own %s', (name) => {
  const partsOf = (body: string): readonly string[] => body.match(/<(?:h2|p|li)\b|school@parley\.example/g) ?? [];

  it.each(LANGUAGES)('says the same in %s', async (language) => {
    const { body, isTranslated } = await page(name, null, language);
    expect(isTranslated).toBe(true);
    expect(body.text).toContain(`<article lang="${language}" dir="auto">`);
    expect(partsOf(body.text)).toEqual(partsOf((await page(name, null)).body.text));
  });

  it('is a text of its own in each language', async () => {
    const bodies = await Promise.all(LANGUAGES.map(async (language) => (await page(name, null, language)).body.text));
    expect(new Set(bodies).size).toBe(LANGUAGES.length);
  });
});

describe('the setting that the privacy text names', () => {
  it.each(LANGUAGES)('is called as in the app, in %s', async (language) => {
    const setting = localizerFor(language).t('Keep my recordings on my school’s server');
    expect((await page('privacy', null, language)).body.text).toContain(setting);
  });
});

describe('the folder of the downloads', () => {
  const downloads = join(dir, 'downloads');
  const put = (file: string, text = 'an installer'): void => writeFileSync(join(downloads, file), text);
  mkdirSync(downloads);
  for (const version of ['0.2.0', '0.10.0', '0.9.0']) {
    put(`Parley-${version}.exe`);
    put(`Parley-${version}.AppImage`);
  }
  const listed = async (): Promise<string[]> => (await readReleases(downloads)).map(({ file }) => file);

  it('may be missing, but must be readable', async () => {
    expect(await readReleases(join(dir, 'none'))).toEqual([]);
    await expect(readReleases(join(dir, 'privacy.md'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  it('is listed with the newest version first', async () => {
    expect((await listed()).filter((file) => file.endsWith('.exe'))).toEqual([
      'Parley-0.10.0.exe',
      'Parley-0.9.0.exe',
      'Parley-0.2.0.exe',
    ]);
  });

  it.each([': not YAML: [', 'version: 0.10.0', 'files: []'])('ignores the feed "%s"', async (text) => {
    put('latest.yml', text);
    expect(await listed()).toHaveLength(6);
  });

  it('is listed by platform as the release feed says', async () => {
    put('latest.yml', "version: 0.10.0\nfiles:\n  - url: Parley-0.10.0.exe\nreleaseDate: '2026-11-02T08:00:00.000Z'\n");
    const [windows, ...others] = (await readReleases(downloads))
      .filter(({ version }) => version === '0.10.0')
      .toReversed();
    expect(windows).toMatchObject({ file: 'Parley-0.10.0.exe', releasedAt: new Date('2026-11-02T08:00:00.000Z') });
    expect(others).toMatchObject([{ file: 'Parley-0.10.0.AppImage', releasedAt: null }]);
    expect((await listed()).filter((file) => file.endsWith('.exe'))).toEqual(['Parley-0.10.0.exe']);
    expect((await listed()).filter((file) => file.endsWith('.AppImage'))).toHaveLength(3);
  });
});
