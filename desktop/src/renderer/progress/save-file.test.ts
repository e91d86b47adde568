import { activateLanguage, SOURCE_LANGUAGE } from '@parley/i18n';
import { afterEach, expect, it, vi } from 'vitest';
import { saveCsv } from './save-file.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  activateLanguage(SOURCE_LANGUAGE, {});
});

/** The text of the file that is handed to the browser. */
async function savedText(rows: readonly (readonly unknown[])[]): Promise<string | undefined> {
  vi.stubGlobal('document', { createElement: () => ({ click: () => undefined }) });
  const create = vi.spyOn(URL, 'createObjectURL');
  saveCsv('parley-weeks', rows);
  const content = create.mock.calls[0]?.[0];
  return content instanceof Blob ? new TextDecoder().decode(await content.arrayBuffer()) : undefined;
}

it.each([
  ['en', 'Week,Minutes\r\n2026-11-16,15.3\r\n'],
  // Excel would open the English file as one column, and read 15.3 as the 15th of March.
  ['de', 'Week;Minutes\r\n2026-11-16;"15,3"\r\n'],
])('writes columns and decimals as a spreadsheet reads them in %s', async (language, text) => {
  activateLanguage(language, {});
  const rows = [
    ['Week', 'Minutes'],
    ['2026-11-16', 15.3],
  ];
  expect(await savedText(rows)).toBe(text);
});
