/**
 * Where the keyboard focus is after a button was pressed, and what Enter does while an input method is composing, in a
 * real Chromium.
 */
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { setUpDevice } from '../../app/set-up-device.ts';

const device = setUpDevice(null);

async function openScreen(screen: string): Promise<Page> {
  const page = await device.open();
  await page.goto(`${page.url().split('#')[0]}#${screen}`);
  return page;
}

it('leaves the focus on a button while it works and afterwards', async () => {
  const page = await openScreen('/settings');
  const button = page.getByRole('button', { name: 'Export everything' });
  await button.focus();
  await page.keyboard.press('Enter');
  await page.getByText(/^Exported/).waitFor();
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
});

it('does not send what an input method is still composing', async () => {
  const page = await openScreen('/settings');
  const field = page.getByLabel('Address of the server');
  await field.fill('not an address');
  await field.evaluate((input) => {
    const composed = { key: 'Enter', isComposing: true, bubbles: true };
    input.dispatchEvent(new KeyboardEvent('keydown', composed));
  });
  await page.waitForTimeout(500);
  expect(await page.getByRole('alert').count()).toBe(0);
  await field.press('Enter');
  await page.getByRole('alert').waitFor();
});
