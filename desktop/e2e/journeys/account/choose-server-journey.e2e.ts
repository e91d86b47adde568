/** An app without a server: the learner chooses one, whose coach's model is still loading. */
import { type LoadingServer, startLoadingServer } from '@parley/fakes/openai-compatible/loading-server.ts';
import { connect, createServer, type Socket } from 'node:net';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { createDevice, type Device } from '../../app/device.ts';
import { inDatabase } from '../../../src/host/test-kit/read-database.ts';
import { picture } from '../../steps/panel.ts';
import { chooseWriting, LIVE_PRACTICE } from '../../steps/typed-session.ts';
import { type RunningServer, startSyncServer } from '../../servers/sync-server.ts';

/** A session that this device knows about, but whose turns it has not fetched. */
const UNFETCHED_SESSION = '01900000-0000-7000-8000-00000000beef';
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

/** Another address of a server, which can be closed while the server keeps running. */
async function openForwarder(address: string): Promise<{ address: string; close: () => void }> {
  const sockets = new Set<Socket>();
  const forwarder = createServer((from) => {
    const to = connect(Number(new URL(address).port), '127.0.0.1');
    for (const socket of [from, to]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    from.pipe(to).pipe(from);
  });
  await new Promise<void>((resolve) => void forwarder.listen(0, '127.0.0.1', resolve));
  const at = forwarder.address();
  if (at === null || typeof at === 'string') throw new Error('the forwarder has no port');
  return {
    address: `http://127.0.0.1:${at.port}`,
    close: () => {
      forwarder.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

it('an app without a server leads to the server setting', { tags: ['slow'] }, async () => {
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

it('a server address is checked and explained before it is used', { tags: ['slow'] }, async () => {
  const page = await laptop.open();
  await goTo(page, '/settings?part=server');
  const address = page.getByLabel('Address of the server');
  await address.fill('http://parley.example');
  await page.getByRole('button', { name: 'Use this server' }).click();
  await page.getByText('Others could read what you send').waitFor();
  await address.fill('127.0.0.1:9');
  await page.getByRole('button', { name: 'Use this server' }).click();
  await page.getByText('There’s no response from this address.').waitFor();
  await expectAccessible(page);
  await address.fill(server.address);
  await page.getByRole('button', { name: 'Use this server' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('From now on, Parley will send').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Use this server' }).click();
  await page.getByText('You chose this server.').waitFor();
  await page.getByText('Everything saved').first().waitFor();
  await page.getByRole('button', { name: 'Link another device' }).waitFor();
});

it('asks before it leaves conversations behind on an old address', { tags: ['slow'] }, async () => {
  const old = await openForwarder(server.address);
  const device = await createDevice();
  const useServer = async (page: Page, label: string, address: string): Promise<Locator> => {
    await goTo(page, '/settings?part=server');
    await page.getByLabel(label).fill(address);
    await page.getByRole('button', { name: 'Use this server' }).click();
    return page.getByRole('dialog');
  };
  try {
    await device.start(null);
    let page = await device.open();
    const first = await useServer(page, 'Address of the server', old.address);
    await first.getByRole('button', { name: 'Use this server' }).click();
    await page.getByText('Everything saved').first().waitFor();
    await device.stop();
    old.close();
    inDatabase(device.dataDir, (sqlite) =>
      sqlite.exec(`INSERT INTO missing_turns SELECT user_id, '${UNFETCHED_SESSION}', 5 FROM sync_state`),
    );
    await device.start(null);
    page = await device.open();
    const dialog = await useServer(page, 'Address of another server', server.address);
    await dialog.getByText('Your work moves with you.').waitFor();
    await dialog.getByRole('button', { name: 'Use the new address' }).click();
    await dialog.getByText('Some of your sessions are only on the server you use now').waitFor();
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByRole('button', { name: 'Continue without them' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'left-behind');
    await dialog.getByRole('button', { name: 'Continue without them' }).click();
    await page.getByText(server.address, { exact: true }).first().waitFor();
  } finally {
    old.close();
    await device.remove();
  }
});

it('a coach whose model is loading says so, then replies', { tags: ['slow'] }, async () => {
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
