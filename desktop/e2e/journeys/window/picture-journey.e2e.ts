/** The learner's own picture in Settings, in a real Chromium. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDevice, type Device } from '../../app/device.ts';

/** One pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let device: Device;
beforeAll(async () => {
  device = await createDevice();
  await device.start(null);
});
afterAll(() => device.remove());

it('removes the picture by keyboard, together with the warning about another file', async () => {
  const page = await device.open();
  const [address = ''] = page.url().split('#');
  await page.goto(`${address}#/settings`);
  const file = page.locator('input[type=file][accept*=png]');
  const warning = page.getByText(/This file isn’t a picture/);
  await file.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: PICTURE });
  await page.getByRole('img', { name: 'Your picture' }).waitFor();
  await file.setInputFiles({ name: 'me.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') });
  await warning.waitFor();

  await page.getByRole('button', { name: 'Remove the picture' }).press('Enter');
  await page.getByRole('img', { name: 'Your picture' }).waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Choose a picture');
  expect(await warning.count()).toBe(0);
});
