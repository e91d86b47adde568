/** A review card in languages with other scripts, in a real Chromium. */
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDevice, type Device } from '../../app/device.ts';

const WORD = 'thorough';

let device: Device;
beforeAll(async () => {
  device = await createDevice();
  await device.start(null);
  const page = await device.open();
  await page.goto(`${page.url().split('#')[0]}#/review`);
  await page.getByLabel('Add a word').fill(WORD);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Review one word' }).waitFor();
});
afterAll(() => device.remove());

async function openCard(locale: string): Promise<Page> {
  const page = await device.open({ locale });
  await page.goto(`${page.url().split('#')[0]}#/review?words=${encodeURIComponent(JSON.stringify([WORD]))}`);
  await page.getByRole('heading', { name: WORD }).waitFor();
  return page;
}

async function boxOf(element: Locator): Promise<{ x: number; width: number; height: number }> {
  const box = await element.boundingBox();
  if (box === null) throw new Error('It is not shown.');
  return box;
}

it('keeps a word beside its sounds in Arabic', async () => {
  const page = await openCard('ar');
  const word = await boxOf(page.getByRole('heading', { name: WORD }));
  const sounds = page.getByText(/^\/.+\/$/);
  const endOf = ({ x, width }: { x: number; width: number }): number => Math.round(x + width);
  expect(endOf(await boxOf(sounds))).toBe(endOf(word));
  expect(word.width).toBeLessThan(400);
});

it.each([1001, 1280])('writes the name of the step on one line in Japanese, %i px wide', async (width) => {
  const page = await openCard('ja');
  await page.setViewportSize({ width, height: 800 });
  const step = page.getByRole('heading', { name: '単語を言う' });
  const lineHeightPx = await step.evaluate((heading) => parseFloat(getComputedStyle(heading).lineHeight));
  expect((await boxOf(step)).height).toBeLessThan(1.5 * lineHeightPx);
});
