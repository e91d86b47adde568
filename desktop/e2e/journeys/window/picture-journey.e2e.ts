/** The learner's own picture in Settings, in a real Chromium. */
import { expect, it } from 'vitest';
import { setUpDevice } from '../../app/set-up-device.ts';

/** A picture of one pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const device = setUpDevice(null);

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

it('makes a busy picture small enough for the changes that a poke carries', async () => {
  const page = await device.open();
  const [address = ''] = page.url().split('#');
  await page.goto(`${address}#/settings`);
  const noise = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 192;
    const pixels = new ImageData(192, 192);
    for (let at = 0; at < pixels.data.length; at += 1)
      pixels.data[at] = at % 4 === 3 ? 255 : (Math.imul(at + 1, 2_654_435_761) >>> 13) % 256;
    canvas.getContext('2d')?.putImageData(pixels, 0, 0);
    return canvas.toDataURL('image/png').split(',')[1] ?? '';
  });
  await page
    .locator('input[type=file][accept*=png]')
    .setInputFiles({ name: 'noise.png', mimeType: 'image/png', buffer: Buffer.from(noise, 'base64') });
  const source = await page.getByRole('img', { name: 'Your picture' }).getAttribute('src');
  expect(source?.length).toBeGreaterThan(1_000);
  expect(source?.length).toBeLessThanOrEqual(12_000);
});
