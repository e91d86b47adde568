/** The confirmations in Settings, in a real Chromium. */
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { setUpDevice } from '../../app/set-up-device.ts';
import { inDatabase } from '../../../src/host/test-kit/read-database.ts';
import { DEAD_SERVER } from '../../app/device.ts';

const device = setUpDevice(null);

it('saves a name with Enter', async () => {
  const page = await device.open();
  await page.goto(`${page.url().split('#')[0]}#/settings`);
  const jobTitle = page.getByLabel('Job title');
  await jobTitle.fill('Nurse');
  await jobTitle.press('Enter');
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.reload();
  await expect.poll(() => jobTitle.inputValue()).toBe('Nurse');
});

it.each([
  ['by a link', (page: Page) => page.getByRole('link', { name: 'Today', exact: true }).click()],
  ['by the way back', (page: Page) => page.goBack()],
])('saves a name when the screen is left %s', async (way, leave) => {
  const page = await device.open();
  const settings = page.getByRole('link', { name: 'Settings', exact: true });
  await settings.click();
  const lastName = page.getByLabel('Last name');
  await lastName.fill(`Lovelace ${way}`);
  await leave(page);
  await lastName.waitFor({ state: 'detached' });
  await settings.click();
  await expect.poll(() => lastName.inputValue()).toBe(`Lovelace ${way}`);
});

it('uses the name of the coach in the sidebar as its accessible name', async () => {
  const page = await device.open();
  await page.goto(`${page.url().split('#')[0]}#/settings`);
  await page.getByRole('button', { name: 'Your coach' }).click();
  await page.getByRole('option', { name: 'Grace', exact: true }).click();
  const link = page.getByRole('navigation', { name: 'Main' }).getByText('Grace, your coach');
  await link.waitFor();
  expect(await link.locator('..').getAttribute('aria-label')).toBe('Grace, your coach');
});

it('confirms a name once the field shows the stored value', async () => {
  const page = await device.open();
  await page.goto(`${page.url().split('#')[0]}#/settings`);
  const firstName = page.getByLabel('First name');
  const saved = page.getByText('Saved', { exact: true });
  await firstName.fill('Ada');
  await firstName.press('Tab');
  await saved.waitFor();

  await firstName.fill('Ada B');
  await saved.waitFor({ state: 'detached' });
  await firstName.fill('Ada');
  await saved.waitFor();
});

it('keeps the focus close by when refused changes are removed from the list', async () => {
  await device.stop();
  inDatabase(device.dataDir, (sqlite) => {
    const refuse = sqlite.prepare(
      `INSERT INTO rejected_changes (id, user_id, table_name, row_id, code, fields, is_dismissed, at)
       SELECT ?, user_id, 'users', user_id, 'too_large', '{"jobTitle":"Planner"}', 0, ? FROM sync_state`,
    );
    for (let count = 0; count < 2; count += 1) refuse.run(crypto.randomUUID(), Date.now());
  });
  await device.start(DEAD_SERVER);
  const page = await device.open();
  await page.goto(`${page.url().split('#')[0]}#/settings`);
  const focused = (): Promise<string | null | undefined> => page.evaluate(() => document.activeElement?.textContent);
  const remove = page.getByRole('button', { name: 'Remove from the list' });
  await remove.first().press('Enter');
  await expect.poll(() => remove.count()).toBe(1);
  expect(await focused()).toBe('Couldn’t be saved');
  await remove.press('Enter');
  await remove.waitFor({ state: 'detached' });
  expect(await focused()).toBe('Your devices');
});
