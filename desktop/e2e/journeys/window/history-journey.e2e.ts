/** Deleting a session from years of practice, in a real Chromium. */
import { inDatabase } from '../../../src/host/test-kit/read-database.ts';
import { seedSessions } from '../../../src/host/test-kit/seed-sessions.ts';
import type { Locator, Page } from 'playwright';
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

/** As a sync does after another device has undone the deletions. */
const bringAllBack = (): unknown =>
  inDatabase(device.dataDir, (sqlite) => sqlite.exec('UPDATE practice_history SET deleted_at = NULL'));

const nameOfFocused = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(() => {
    const focused = document.activeElement;
    return focused?.getAttribute('aria-label') ?? focused?.textContent;
  });

const deleteButtons = (page: Page): Locator => page.getByRole('button', { name: /^Delete/ });

const expectCount = (page: Page, count: number): Promise<void> =>
  page.getByText(`${count} sessions`, { exact: true }).waitFor();

it('moves the focus from a deleted session to its notice, and back to the list', async () => {
  const page = await openHistory();
  await deleteButtons(page).first().focus();
  await page.keyboard.press('Enter');
  await expectCount(page, 49);
  await expect.poll(() => nameOfFocused(page)).toMatch(/is deleted\.$/);
  await page.keyboard.press('Tab');
  await expect.poll(() => nameOfFocused(page)).toBe('Undo');
  await page.keyboard.press('Enter');
  await expectCount(page, 50);
  await expect.poll(() => nameOfFocused(page)).toBe('Sessions');
});

it('deletes a session once when Enter is pressed twice', async () => {
  const page = await openHistory();
  await deleteButtons(page).first().focus();
  await Promise.all([page.keyboard.press('Enter'), page.keyboard.press('Enter')]);
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await page.waitForTimeout(500);
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.keyboard.press('Enter');
  await page.waitForTimeout(500);
  await expectCount(page, 49);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expectCount(page, 50);
});

it('brings back each session, even when one is undone while another is being deleted', async () => {
  const page = await openHistory();
  await deleteButtons(page).first().click();
  await expectCount(page, 49);
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.waitFor();
  // In one task, so that the deletion cannot have been answered before the button is pressed.
  await deleteButtons(page)
    .first()
    .evaluate((button: HTMLElement) => {
      button.click();
      document.querySelector<HTMLElement>('[role="status"] button')?.click();
    });
  await expect.poll(() => undo.isEnabled()).toBe(true);
  await page.waitForTimeout(500);
  await expectCount(page, 49);
  await undo.click();
  await expectCount(page, 50);
  expect(await undo.count()).toBe(0);
  expect(await page.getByRole('alert').count()).toBe(0);
});

it('continues when another device has restored a session', async () => {
  const page = await openHistory();
  const undo = page.getByRole('button', { name: 'Undo' });
  await deleteButtons(page).first().click();
  await expectCount(page, 49);
  bringAllBack();
  await undo.click();
  await undo.waitFor({ state: 'detached' });
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.reload();
  await expectCount(page, 50);

  await deleteButtons(page).first().click();
  await expectCount(page, 49);
  bringAllBack();
  // All sessions have this title, and a search fetches the list again.
  await page.getByRole('searchbox').fill(await page.getByRole('heading', { level: 2 }).first().innerText());
  await expectCount(page, 50);
  await deleteButtons(page).first().click();
  await expectCount(page, 49);
  await undo.click();
  await expectCount(page, 50);
  expect(await undo.count()).toBe(0);
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
