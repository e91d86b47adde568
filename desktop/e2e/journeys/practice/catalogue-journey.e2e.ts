/** The catalogue in a real Chromium: filters by length and style, a practice that needs a live coach, and the coach's first line. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { setUpDevice } from '../../app/set-up-device.ts';
import { expectAccessible } from '../../app/expect-accessible.ts';

const WITHOUT_SCRIPT = 'Ask a colleague for help';

const device = setUpDevice(null);

it('filters practices by length and style, and says why one is locked', async () => {
  const page = await device.open();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  const database = new Database(join(device.dataDir, 'parley.sqlite'));
  database.prepare('UPDATE practices SET dialogue = NULL WHERE title = ?').run(WITHOUT_SCRIPT);
  database.close();
  await page.reload();
  await page.getByRole('link', { name: 'Practise', exact: true }).click();
  const cards = page.getByRole('main').getByRole('listitem');
  await cards.first().waitFor();
  const all = await cards.count();

  const choose = async (label: string, option: string): Promise<void> => {
    await page.getByRole('button', { name: label }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await choose('Length', 'Up to 4 min');
  await expect.poll(() => cards.count()).toBeLessThan(all);
  expect(await cards.getByText('4 min', { exact: true }).count()).toBe(await cards.count());

  await choose('Style', 'Only with a live coach');
  await expect.poll(() => cards.count()).toBe(1);
  await cards.getByText('Needs a live coach, and a live coach needs a server.').waitFor();
  await expectAccessible(page);

  await choose('Style', 'Guided, works offline');
  await expect.poll(() => cards.count()).toBeGreaterThan(1);
  expect(await page.getByText(WITHOUT_SCRIPT).count()).toBe(0);

  const card = cards.first();
  const line = card.getByText(/^“.+”$/);
  const cover = card.locator('img').first();
  // Nothing covers the text that the learner is reading.
  await card.getByRole('heading').hover();
  await page.waitForTimeout(1_000);
  expect(await line.count()).toBe(0);
  await cover.hover();
  await line.waitFor();
  const [lineBox, headingBox] = [await line.boundingBox(), await card.getByRole('heading').boundingBox()];
  expect((lineBox?.y ?? 0) + (lineBox?.height ?? 0)).toBeLessThanOrEqual(headingBox?.y ?? 0);
  await page.mouse.move(0, 0);
  await line.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Style' }).focus();
  await page.keyboard.press('Tab');
  await line.waitFor();
  await page.keyboard.press('Escape');
  await line.waitFor({ state: 'detached' });
});
