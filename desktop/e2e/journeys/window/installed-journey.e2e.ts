/** A new installation: the first question, two servers on one computer, and a school's link. */
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { createDevice, type Device } from '../../app/device.ts';
import { type RunningServer, startSyncServer } from '../../servers/sync-server.ts';

let school: RunningServer;
let company: RunningServer;
let laptop: Device;
let page: Page;
beforeAll(async () => {
  [school, company] = await Promise.all([startSyncServer({}), startSyncServer({})]);
  laptop = await createDevice({ isNew: true, defaultServerUrl: company.address });
  await laptop.start(null);
  page = await laptop.open();
});
afterAll(async () => {
  await laptop.remove();
  await Promise.all([school.stop(), company.stop()]);
});

const goTo = (place: string): Promise<void> =>
  page.evaluate((hash) => {
    location.hash = hash;
  }, place);

it('asks where the work is kept before anything else', { tags: ['slow'] }, async () => {
  await page.getByRole('heading', { name: 'Where should Parley keep your work?' }).waitFor();
  await page.getByText(company.address).waitFor();
  await page.getByText('It runs on this computer too').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Only on this computer' }).click();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
});

it('shows where a school’s link leads and asks, then takes the work along', { tags: ['slow'] }, async () => {
  await goTo('/practise');
  await page.getByRole('link', { name: /Explain a delay to a client/ }).click();
  await page.getByText('In writing').click();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('textbox').waitFor();
  await goTo(`/connect?server=${encodeURIComponent(school.address)}`);
  await page.getByText('A link asks Parley to use this server.').waitFor();
  await page.getByText(school.address).first().waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Use this server' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('What you’ve done so far is only on this computer.').waitFor();
  await expectAccessible(page);
  await dialog.evaluate((element) => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    new MutationObserver(() => seen.push(element.textContent ?? '')).observe(element, {
      subtree: true,
      childList: true,
    });
  });
  await dialog.getByRole('button', { name: 'Take my work with me' }).click();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  // While the server is being changed, the dialog must not describe the change as if it had been made already.
  const seen = await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen);
  expect(seen.filter((text) => text.includes('empty history'))).toEqual([]);
  await page.getByText('Everything saved').first().waitFor();
  await goTo('/history');
  await page.getByRole('link', { name: /Explain a delay to a client/ }).waitFor();
});

it('keeps a second server apart, and comes back to the first one', { tags: ['slow'] }, async () => {
  await goTo('/settings?part=server');
  await page.getByLabel('Address of another server').fill(company.address);
  await page.getByRole('button', { name: 'Use this server' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('you start with an empty history').waitFor();
  await dialog.getByRole('button', { name: 'Use this server' }).click();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  await goTo('/history');
  await page.getByRole('heading', { name: 'History' }).waitFor();
  expect(await page.getByRole('link', { name: /Explain a delay to a client/ }).count()).toBe(0);
  await goTo('/settings?part=server');
  await page.getByRole('button', { name: new RegExp(`Switch to .${new URL(school.address).host}`) }).click();
  await dialog.getByText('is on this computer already').waitFor();
  await dialog.getByRole('button', { name: 'Use this server' }).click();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  await goTo('/history');
  await page.getByRole('link', { name: /Explain a delay to a client/ }).waitFor();
});
