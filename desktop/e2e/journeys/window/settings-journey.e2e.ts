/** What Settings confirm, in a real Chromium. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDevice, type Device } from '../../app/device.ts';

let device: Device;
beforeAll(async () => {
  device = await createDevice();
  await device.start(null);
});
afterAll(() => device.remove());

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

it('confirms a name only while the field shows what is stored', async () => {
  const page = await device.open();
  await page.goto(`${page.url().split('#')[0]}#/settings`);
  const firstName = page.getByLabel('First name');
  const saved = page.getByText('Saved', { exact: true });
  const saveButton = page.getByRole('button', { name: 'Save', exact: true });
  await firstName.fill('Ada');
  await saveButton.click();
  await saved.waitFor();

  await firstName.fill('Ada B');
  await saveButton.waitFor();
  expect(await saved.count()).toBe(0);

  // A choice is stored at once, and the name still is not.
  await page.getByRole('button', { name: 'Your English' }).click();
  await page.getByRole('option').nth(2).click();
  await page.getByRole('option').first().waitFor({ state: 'detached' });
  expect(await saved.count()).toBe(0);

  await firstName.fill('Ada');
  await saved.waitFor();
});
