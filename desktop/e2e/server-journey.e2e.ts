/** An app that was started from its icon: no server, then one that the learner chooses, then a coach whose model is still loading. */
import { type LoadingServer, startLoadingServer } from '@parley/sync-server/openai/loading-server';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible } from './support/accessible.ts';
import { createDevice, type Device } from './support/device.ts';
import { chooseWriting, LIVE_PRACTICE } from './support/hold-live.ts';
import { type RunningServer, startSyncServer } from './support/sync-server.ts';

const LINE = 'Good morning, this is Grace. Where is my order?';

let ollama: LoadingServer;
let server: RunningServer;
let laptop: Device;
beforeAll(async () => {
  ollama = await startLoadingServer();
  ollama.says(LINE);
  server = await startSyncServer({ OPENAI_BASE_URL: ollama.url, OPENAI_MODEL: 'llama3.3' });
  laptop = await createDevice();
  await laptop.start(null);
});
afterAll(async () => {
  await laptop.remove();
  await server.stop();
  await ollama.close();
});

const goTo = (page: Page, place: string): Promise<void> =>
  page.evaluate((hash) => {
    location.hash = hash;
  }, place);

it('an app without a server says what is missing everywhere, and leads to where a server is chosen', async () => {
  const page = await laptop.open();
  await page.getByText('Only on this computer').waitFor();
  for (const place of ['/plan', '/sign-in']) {
    await goTo(page, place);
    await page.getByRole('button', { name: 'Choose a server' }).waitFor();
    await expectAccessible(page);
  }
  await goTo(page, '/practise');
  await page.getByRole('link', { name: new RegExp(LIVE_PRACTICE) }).click();
  await page.getByText('To talk freely with a coach, Parley needs a server.').waitFor();
  await page.getByRole('button', { name: 'Choose a server' }).click();
  await page.getByRole('heading', { name: 'Server', exact: true }).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Server');
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.getByRole('button', { name: 'Choose a server' }).first().click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Server');
  for (const dead of ['Sync now', 'Link another device', 'Sign in'])
    expect(await page.getByRole('button', { name: dead, exact: true }).count()).toBe(0);
  await expectAccessible(page);
});

it('a typed address is checked, and says what it means before it counts', async () => {
  const page = await laptop.open();
  await goTo(page, '/settings?part=server');
  const address = page.getByLabel('Address of the server');
  await address.fill('http://parley.example');
  await page.getByRole('button', { name: 'Use this server' }).click();
  await page.getByText('Others could read what you send').waitFor();
  await address.fill('127.0.0.1:9');
  await page.getByRole('button', { name: 'Use this server' }).click();
  await page.getByText('Nothing answers at this address.').waitFor();
  await expectAccessible(page);
  await address.fill(server.address);
  await page.getByRole('button', { name: 'Use this server' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('what you have done on this computer').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Use this server' }).click();
  await page.getByText('You chose this server.').waitFor();
  await page.getByText('Everything saved').first().waitFor();
  await page.getByRole('button', { name: 'Link another device' }).waitFor();
});

it('a coach whose model is still loading says so, and then answers', async () => {
  const page = await laptop.open();
  await chooseWriting(page);
  await ollama.asked;
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('The model is loading').waitFor();
  await expectAccessible(page);
  expect(ollama.abortedLoads()).toBe(0);
  ollama.finishLoading();
  await page.getByText('Where is my order?').waitFor();
});
