/** An app without a server: the learner chooses one, whose coach's model is still loading. */
import { type LoadingServer, startLoadingServer } from '@parley/fakes/openai-compatible/loading-server.ts';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { createDevice, type Device } from '../../app/device.ts';
import { chooseWriting, LIVE_PRACTICE } from '../../steps/typed-session.ts';
import { type RunningServer, startSyncServer } from '../../servers/sync-server.ts';

const COACH_UTTERANCE = 'Good morning, this is Grace. Where is my order?';

let ollama: LoadingServer;
let server: RunningServer;
let laptop: Device;
beforeAll(async () => {
  ollama = await startLoadingServer();
  ollama.setReply(COACH_UTTERANCE);
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

it('an app without a server leads to the server setting', async () => {
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

it('a server address is checked and explained before it is used', async () => {
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
  await dialog.getByText('From now on, Parley sends').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Use this server' }).click();
  await page.getByText('You chose this server.').waitFor();
  await page.getByText('Everything saved').first().waitFor();
  await page.getByRole('button', { name: 'Link another device' }).waitFor();
});

it('a coach whose model is loading says so, then replies', async () => {
  const page = await laptop.open();
  await chooseWriting(page);
  await ollama.firstRequest;
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('The model is loading').waitFor();
  await expectAccessible(page);
  expect(ollama.abortedLoads()).toBe(0);
  ollama.finishLoading();
  await page.getByText('Where is my order?').waitFor();
});
