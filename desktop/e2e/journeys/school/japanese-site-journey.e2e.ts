/** How the public site breaks Japanese lines, in a real Chromium. */
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readLineStarts } from '../../app/read-line-starts.ts';
import { launchPanelBrowser, type PanelServer, startPanelServer } from '../../panel/open-panel.ts';

let server: PanelServer;
let browser: Browser;
beforeAll(async () => {
  server = await startPanelServer();
  browser = await launchPanelBrowser();
});
afterAll(async () => {
  await browser.close();
  await server.stop();
});

it('begins no Japanese line with a small or long sound', async () => {
  const context = await browser.newContext({ locale: 'ja' });
  const page = await context.newPage();
  for (const path of ['/', '/pricing', '/privacy'])
    for (const width of [1280, 900, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${server.address}${path}`);
      const starts = await readLineStarts(page.locator(':is(h1, h2, h3, p):lang(ja)'));
      expect(starts.length).toBeGreaterThan(5);
      expect
        .soft(
          starts.filter((start) => /[ーぁぃぅぇぉっゃゅょァィゥェォッャュョ]/.test(start)),
          `${path} at ${width} px`,
        )
        .toEqual([]);
    }
  await context.close();
});
