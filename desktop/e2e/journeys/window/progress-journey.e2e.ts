/** The plots of Progress in windows of every width and in a right-to-left language, in a real Chromium. */
import { seedSessions } from '../../../src/host/test-kit/seed-sessions.ts';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDevice, type Device, type OpenOptions } from '../../app/device.ts';

let device: Device;
beforeAll(async () => {
  device = await createDevice();
  await device.start(null);
  await device.stop();
  seedSessions(device.dataDir, 3);
  await device.start(null);
});
afterAll(() => device.remove());

async function openProgress(options?: OpenOptions): Promise<Page> {
  const page = await device.open(options);
  await page.goto(`${page.url().split('#')[0]}#/progress`);
  await page.locator('svg[data-plot] text').first().waitFor();
  return page;
}

it('writes every plot in the size of the words around it', async () => {
  const page = await openProgress();
  for (const width of [360, 640, 900, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    const sizes = await page.locator('svg[data-plot] text, svg[data-plot] tspan').evaluateAll((texts) =>
      texts.map((text) => {
        const scale = (text as SVGTextContentElement).getScreenCTM()?.a ?? 0;
        return Math.round(parseFloat(getComputedStyle(text).fontSize) * scale);
      }),
    );
    expect
      .soft(
        [...new Set(sizes)].toSorted((a, b) => a - b),
        `at ${width} px`,
      )
      .toEqual([12, 15]);
  }
});

it('begins the dates of a plot at the right in Arabic', async () => {
  const page = await openProgress({ locale: 'ar' });
  // Each label is a number followed by the name of a month.
  const dates = page.locator('svg[data-plot][role=img] text').filter({ hasText: /^\d+ \p{Script=Arabic}+$/u });
  const startsAtRight = await dates.evaluateAll((texts) =>
    (texts as SVGTextContentElement[]).map(
      (text) => text.getStartPositionOfChar(0).x > text.getStartPositionOfChar(text.getNumberOfChars() - 1).x,
    ),
  );
  expect(startsAtRight.length).toBeGreaterThan(1);
  expect(new Set(startsAtRight)).toEqual(new Set([true]));
});
