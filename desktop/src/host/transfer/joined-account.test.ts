/** A learner who brings their practice to a second computer in a file, and later joins both computers to one account. */
import { LinkCode } from '@parley/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { inDatabase } from '../test-kit/read-database.ts';
import { startServer, type TestServer } from '../test-kit/test-server.ts';
import {
  aDevice,
  aLearner,
  type Device,
  closeDevices,
  drill,
  exportOf,
  importInto,
  NOW,
  practise,
  removeDevices,
  seen,
} from '../test-kit/transfer-devices.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ now: () => new Date(NOW) });
});
afterEach(removeDevices);
afterAll(async () => {
  await closeDevices();
  await server.close();
});

const logOf = ({ dataDir }: Device): unknown[] =>
  inDatabase(dataDir, (sqlite) =>
    sqlite.prepare('SELECT id, word, session_id, recording_id FROM word_attempts ORDER BY id').all(),
  );

async function untilSynced(...devices: Device[]): Promise<void> {
  for (const { ask } of [...devices, ...devices])
    await expect.poll(() => ask.sync.run(), { timeout: 20_000 }).toMatchObject({ state: 'idle', waiting: 0 });
}

/** The learner's own turns whose recording can be played on this device. */
async function playableTurns({ ask }: Device): Promise<number> {
  const { items } = await ask.history.list({ search: '', offset: 0, limit: 50 });
  let playable = 0;
  for (const { sessionId } of items)
    for (const turn of (await ask.practice.result({ sessionId })).session.turns)
      if (turn.role === 'learner' && turn.recordingId !== null) {
        await ask.recordings.read({ recordingId: turn.recordingId });
        playable += 1;
      }
  return playable;
}

describe('two computers between which a file was carried', () => {
  it('show each practice once when one joins the account of the other', async () => {
    const one = await aDevice({ serverUrl: server.url });
    const two = await aDevice({ serverUrl: server.url });
    await Promise.all([one.host.whenIdle(), two.host.whenIdle()]);
    await practise(one);
    await drill(one, 'I think so');
    await importInto(two, await exportOf(one));
    two.clock.pass(60_000);
    await practise(two);
    await two.ask.account.join({ code: LinkCode.parse((await one.ask.account.createLinkCode()).code) });
    await untilSynced(two, one);
    const [here, there] = [await seen(one), await seen(two)];
    expect(here.sessions).toHaveLength(2);
    expect(there.sessions).toEqual(here.sessions);
    expect(there.words).toEqual(here.words);
    expect(here.words.find(({ word }) => word === 'think')?.attempts).toBe(1);
    expect(logOf(two)).toEqual(logOf(one));
    expect(await two.ask.sync.rejected()).toEqual([]);
    expect(await playableTurns(two)).toBe(2);
    // The file that is still around brings nothing twice.
    await importInto(one, await exportOf(two));
    expect((await seen(one)).sessions).toHaveLength(2);
  });

  it('show each practice once when the second had not reached a server before', async () => {
    const one = await aLearner();
    const two = await aDevice();
    await importInto(two, await exportOf(one));
    for (const device of [one, two]) await device.ask.server.change({ url: server.url });
    await one.host.whenIdle();
    await two.ask.account.join({ code: LinkCode.parse((await one.ask.account.createLinkCode()).code) });
    await untilSynced(two, one);
    for (const device of [one, two]) expect((await seen(device)).sessions).toHaveLength(1);
    expect(logOf(two)).toEqual(logOf(one));
  });
});
