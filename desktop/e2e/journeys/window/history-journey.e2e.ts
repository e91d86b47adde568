/** Deleting a session from years of practice, in a real Chromium. */
import { inDatabase } from '../../../src/host/test-kit/read-database.ts';
import { seedSessions } from '../../../src/host/test-kit/seed-sessions.ts';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDevice, type Device } from '../../app/device.ts';

let device: Device;
beforeAll(async () => {
  device = await createDevice();
  await device.start(null);
  await device.stop();
  seedSessions(device.dataDir, 50);
  inDatabase(device.dataDir, (sqlite) =>
    sqlite.exec('UPDATE practice_history SET practice_id = (SELECT practice_id FROM practices)'),
  );
  await device.start(null);
});
afterAll(() => device.remove());

async function openHistory(): Promise<Page> {
  const page = await device.open();
  await page.goto(`${page.url().split('#')[0]}#/history`);
  await page.getByText('50 sessions', { exact: true }).waitFor();
  return page;
}

const nameOfFocused = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(() => {
    const focused = document.activeElement;
    return focused?.getAttribute('aria-label') ?? focused?.textContent;
  });

it('takes the keyboard from a deleted session to the undo button, and back to the list', async () => {
  const page = await openHistory();
  await page
    .getByRole('button', { name: /^Delete/ })
    .first()
    .focus();
  await page.keyboard.press('Enter');
  await page.getByText('49 sessions', { exact: true }).waitFor();
  await expect.poll(() => nameOfFocused(page)).toBe('Undo');
  await page.keyboard.press('Enter');
  await page.getByText('50 sessions', { exact: true }).waitFor();
  await expect.poll(() => nameOfFocused(page)).toBe('Sessions');
});

it('deletes a session once when the button is pressed twice, and brings back whatever was deleted', async () => {
  const page = await openHistory();
  const button = page.getByRole('button', { name: /^Delete/ }).first();
  // A second click that comes later meets the button of the next session.
  await button.evaluate((element: HTMLElement) => {
    element.click();
    element.click();
  });
  await page.getByText('49 sessions', { exact: true }).waitFor();
  await button.click();
  await page.getByText('48 sessions', { exact: true }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.click();
  await page.getByText('49 sessions', { exact: true }).waitFor();
  await undo.click();
  await page.getByText('50 sessions', { exact: true }).waitFor();
});

it('shows the title of a session in a window of 320 pixels', async () => {
  const page = await openHistory();
  await page.setViewportSize({ width: 320, height: 640 });
  const row = page.getByRole('region', { name: 'Sessions' }).getByRole('link').first();
  const { title, score, right } = await row.evaluate((link) => ({
    title: link.querySelector('h2')?.getBoundingClientRect().width ?? 0,
    score: link.lastElementChild?.getBoundingClientRect().right ?? 0,
    right: link.getBoundingClientRect().right,
  }));
  expect(title).toBeGreaterThan(100);
  expect(score).toBeLessThanOrEqual(right);
});

it('keeps the English title of a session beside its coach in a mirrored window', async () => {
  const page = await device.open({ locale: 'ar' });
  await page.goto(`${page.url().split('#')[0]}#/history`);
  const title = page.locator('h2 [lang="en"], h2[lang="en"]').first();
  await title.waitFor();
  const gap = await title.evaluate((element) => {
    const portrait = element.closest('a')?.firstElementChild?.getBoundingClientRect();
    return (portrait?.left ?? 0) - element.getBoundingClientRect().right;
  });
  expect(gap).toBeGreaterThan(0);
  expect(gap).toBeLessThan(30);
  expect(await title.evaluate((element) => element.getBoundingClientRect().width)).toBeLessThan(400);
});
