/** Going back to a list, and addresses that lead nowhere, in a real Chromium. */
import { toWav } from '@parley/test-kit';
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { setUpDevice } from '../../app/set-up-device.ts';
import type { OpenOptions } from '../../app/device.ts';

const device = setUpDevice(null);

async function openScreen(screen: string, options?: OpenOptions): Promise<Page> {
  const page = await device.open(options);
  await page.goto(`${page.url().split('#')[0]}#${screen}`);
  return page;
}

it('keeps the search and the filters of practices, and says how many were found', async () => {
  const page = await openScreen('/practise');
  await page.getByLabel('Search').fill('ask');
  await page.getByRole('button', { name: 'Level' }).click();
  await page.getByRole('option', { name: 'Beginner', exact: true }).click();
  const found = page.getByRole('status').filter({ hasText: /^\d+ practices?$/ });
  await found.waitFor();
  const before = await found.innerText();
  await page.getByRole('main').getByRole('listitem').getByRole('link').first().click();
  await page.getByRole('heading', { name: 'Objectives' }).waitFor();
  await page.goBack();
  await expect.poll(() => page.getByLabel('Search').inputValue()).toBe('ask');
  expect(await page.getByRole('button', { name: 'Level' }).innerText()).toContain('Beginner');
  expect(await found.innerText()).toBe(before);
  await page.reload();
  await expect.poll(() => page.getByLabel('Search').inputValue()).toBe('ask');

  await page.getByLabel('Search').fill('zebra');
  await page.getByRole('status').filter({ hasText: 'No practices match' }).waitFor();
  await page.getByRole('button', { name: 'Show all practices' }).focus();
  await page.keyboard.press('Enter');
  const all = page.getByRole('heading', { name: /^\d\d practices$/ });
  await expect.poll(() => all.evaluate((heading) => heading === document.activeElement)).toBe(true);
  expect(await page.getByLabel('Search').inputValue()).toBe('');
});

it('applies the filters in the address when Practise is opened again', async () => {
  const page = await openScreen('/practise');
  const search = page.getByLabel('Search');
  await search.fill('delay');
  await expect.poll(() => page.url()).toContain('search=delay');
  await page.getByRole('link', { name: 'Practise', exact: true }).click();
  await expect.poll(() => search.inputValue()).toBe('');
  expect(page.url()).not.toContain('delay');
  await page.goBack();
  await expect.poll(() => search.inputValue()).toBe('delay');
});

it('keeps the kind of drills', async () => {
  const page = await openScreen('/drills');
  await page.getByRole('tab', { name: 'Pairs' }).click();
  await page.getByRole('tabpanel').getByRole('link', { name: 'sheep' }).click();
  await page.getByRole('button', { name: 'Listen' }).waitFor();
  await page.goBack();
  await page.getByRole('tab', { name: 'Pairs', selected: true }).waitFor();
});

it('continues with the card of a review when another microphone has been chosen', async () => {
  const page = await openScreen('/review', { microphone: toWav(Buffer.alloc(8 * 32_000), 16_000) });
  const field = page.getByLabel('Add a word');
  for (const word of ['thorough', 'weather']) {
    await field.fill(word);
    await field.press('Enter');
    await page.getByText(`“${word}” is on your list.`).waitFor();
  }
  await page.getByRole('button', { name: 'Review 2 words' }).click();
  await page.getByRole('button', { name: 'Later' }).click();
  const word = await page.getByRole('heading', { level: 1 }).innerText();
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
  await page.getByText('Recording').waitFor();
  await page.waitForTimeout(1_500);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByRole('button', { name: 'Choose a microphone' }).click();
  await page.getByRole('button', { name: 'Continue without a check' }).click();
  await page.getByRole('heading', { level: 1, name: word }).waitFor();
});

it.each(['/courses/nonsense', '/courses/59748e90-ec88-5d56-8f45-000000000000'])(
  'says that %s is gone',
  async (address) => {
    const page = await openScreen(address);
    await page
      .getByRole('alert')
      .filter({ hasText: /course/ })
      .waitFor();
  },
);

it.each(['/practise/nonsense', '/practise/59748e90-ec88-5d56-8f45-000000000000'])(
  'says that %s is gone',
  async (address) => {
    const page = await openScreen(address);
    await page.getByText('This practice is no longer in the catalogue.').waitFor();
  },
);
