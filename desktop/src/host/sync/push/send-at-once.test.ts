/** Changes made while the device is online and idle, which get their sequence number when they are made. */
import { LinkCode } from '@parley/contract';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { aClock, type OpenHost, openHost, removeDataFolders } from '../../test-kit/open-host.ts';
import { readOutbox } from '../../test-kit/read-database.ts';
import { LATE_DELIVERY } from '../../test-kit/test-catalogue.ts';
import { startServer, type TestServer } from '../../test-kit/test-server.ts';

const clock = aClock();
let server: TestServer;
let opened: OpenHost[] = [];
beforeAll(async () => {
  server = await startServer({ now: clock.now });
});
beforeEach(() => {
  server.fail = null;
});
afterEach(async () => {
  await Promise.all(opened.map(({ host }) => host.close()));
  opened = [];
  removeDataFolders();
});
afterAll(() => server.close());

async function open(options: Parameters<typeof openHost>[0] = {}): Promise<OpenHost> {
  const one = await openHost({ serverUrl: server.url, clock, ...options });
  opened.push(one);
  await one.host.whenIdle();
  return one;
}

async function close(one: OpenHost): Promise<void> {
  opened = opened.filter((other) => other !== one);
  await one.host.close();
}

async function typeTurn({ ask }: OpenHost, text: string): Promise<string> {
  const { sessionId } = await ask.practice.start({
    practiceId: LATE_DELIVERY,
    difficulty: 'easy',
    communicationStyle: 'text',
  });
  await ask.practice.sendTyped({ sessionId, text, hintLevel: 0 });
  return sessionId;
}

const wordsIn = async ({ ask }: OpenHost, sessionId: string): Promise<string[]> =>
  (await ask.practice.session({ sessionId })).turns.filter(({ role }) => role === 'learner').map(({ text }) => text);

const untilSynced = ({ ask }: OpenHost) =>
  expect
    .poll(async () => await ask.sync.run(), { timeout: 20_000 })
    .toMatchObject({ state: 'idle', waiting: 0, rejected: 0 });

/** A device that has sent something, so that it knows that the server agrees with its numbers, and another one of the same account. */
async function openIdlePair(): Promise<[one: OpenHost, two: OpenHost]> {
  const [one, two] = [await open(), await open()];
  const { code } = await one.ask.account.createLinkCode();
  await two.ask.account.join({ code: LinkCode.parse(code) });
  await typeTurn(one, 'The first sentence.');
  await untilSynced(one);
  return [one, two];
}

const numbersIn = ({ dataDir }: OpenHost): (number | null)[] => readOutbox(dataDir).map(({ deviceSeq }) => deviceSeq);

it('are sent once under these numbers, also after the device was offline', async () => {
  const [one, two] = await openIdlePair();
  server.fail = 'sync.offline';
  const first = await typeTurn(one, 'Made while the device seems to be online.');
  const [number = null, ...others] = numbersIn(one);
  expect(number).toBeGreaterThan(1);
  const numbered = [number, ...others.filter((other) => other !== null)];
  expect(numbered).toEqual(numbered.map((_, index) => Number(number) + index));
  await expect.poll(async () => (await one.ask.sync.status()).state).toBe('offline');
  const second = await typeTurn(one, 'Made offline.');
  expect(numbersIn(one).at(-1)).toBeNull();
  server.fail = null;
  await untilSynced(one);
  await untilSynced(two);
  expect(await wordsIn(two, first)).toEqual(['Made while the device seems to be online.']);
  expect(await wordsIn(two, second)).toEqual(['Made offline.']);
});

it('are not sent twice when the app is closed before the response arrives', async () => {
  const [one, two] = await openIdlePair();
  server.fail = 'drop';
  const sessionId = await typeTurn(one, 'The response to this is lost.');
  await expect.poll(async () => (await one.ask.sync.status()).state).toBe('offline');
  const before = numbersIn(one);
  await close(one);
  server.fail = null;
  const again = await open({ dataDir: one.dataDir });
  await untilSynced(again);
  await untilSynced(two);
  expect(before[0]).not.toBeNull();
  for (const device of [again, two])
    expect(await wordsIn(device, sessionId)).toEqual(['The response to this is lost.']);
});
