/** Changes made while the device is online and idle, which get their sequence number when they are made. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { aClock, type OpenHost } from '../../test-kit/open-host.ts';
import { readOutbox } from '../../test-kit/read-database.ts';
import { createDevices, untilSynced, typeTurns, learnerTexts } from '../../test-kit/devices.ts';
import { startServer, type TestServer } from '../../test-kit/test-server.ts';

const clock = aClock();
let server: TestServer;
const devices = createDevices(() => ({ serverUrl: server.url, clock }));
beforeAll(async () => {
  server = await startServer({ now: clock.now });
});
beforeEach(() => {
  server.fail = null;
});
afterEach(() => devices.closeAll());
afterAll(() => server.close());

/**
 * A device that has sent something, so that it knows that the server agrees with its numbers, and another device of the
 * same account.
 */
async function openIdlePair(): Promise<[one: OpenHost, two: OpenHost]> {
  const one = await devices.open();
  const two = await devices.openJoined(one);
  await typeTurns(one, 'The first sentence.');
  await untilSynced(one);
  return [one, two];
}

const numbersIn = ({ dataDir }: OpenHost): (number | null)[] => readOutbox(dataDir).map(({ deviceSeq }) => deviceSeq);

it('changes are numbered at once and sent once, also after the device was offline', async () => {
  const [one, two] = await openIdlePair();
  server.fail = 'sync.offline';
  const first = await typeTurns(one, 'Made while the device seems to be online.');
  const [number = null, ...others] = numbersIn(one);
  expect(number).toBeGreaterThan(1);
  const numbered = [number, ...others.filter((other) => other !== null)];
  expect(numbered).toEqual(numbered.map((_, index) => Number(number) + index));
  await expect.poll(async () => (await one.ask.sync.status()).state).toBe('offline');
  const second = await typeTurns(one, 'Made offline.');
  expect(numbersIn(one).at(-1)).toBeNull();
  server.fail = null;
  await untilSynced(one);
  await untilSynced(two);
  expect(await learnerTexts(two, first)).toEqual(['Made while the device seems to be online.']);
  expect(await learnerTexts(two, second)).toEqual(['Made offline.']);
});

it('changes are not sent twice when the app is closed before the response arrives', async () => {
  const [one, two] = await openIdlePair();
  server.fail = 'drop';
  const sessionId = await typeTurns(one, 'The response to this is lost.');
  await expect.poll(async () => (await one.ask.sync.status()).state).toBe('offline');
  const before = numbersIn(one);
  await devices.close(one);
  server.fail = null;
  const again = await devices.open({ dataDir: one.dataDir });
  await untilSynced(again);
  await untilSynced(two);
  expect(before[0]).not.toBeNull();
  for (const device of [again, two])
    expect(await learnerTexts(device, sessionId)).toEqual(['The response to this is lost.']);
});
