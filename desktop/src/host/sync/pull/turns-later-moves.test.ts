/** A device that still has conversations to fetch when it moves to another account or to another server. */
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { join, learnerTexts, typeTurns, untilNothingWaits, userIdOf } from '../../test-kit/devices.ts';
import {
  deviceIdOf,
  expectSame,
  given,
  LATER,
  missingOn,
  OLD_SESSIONS,
  search,
  setUpLongHistory,
  TURNS_PATH,
} from '../../test-kit/long-history.ts';
import { startServer } from '../../test-kit/test-server.ts';

const scene = setUpLongHistory();

describe('a device with conversations still to come', () => {
  it('pulls everything when the server begins a new epoch meanwhile', { tags: ['slow'] }, async () => {
    const { one, old } = await scene.aLongHistory();
    const two = await scene.join(one);
    const [lost] = old;
    // The server loses the turns of a session that only the first device has.
    await scene.server.execute(sql`delete from ai_conversations where session_id = ${lost}`);
    await scene.server.execute(sql`update sync_scopes set epoch = 'restored' where scope = ${`user:${userIdOf(one)}`}`);
    await untilNothingWaits(two);
    await expect.poll(() => missingOn(two), { timeout: 10_000 }).toEqual([]);
    await untilNothingWaits(one, two);
    await expectSame(one, two);
    expect(await learnerTexts(two, given(lost))).toEqual(['elephant number 0']);
  });

  it('takes all turns along when it moves to another account', { tags: ['slow'] }, async () => {
    const { one } = await scene.aLongHistory();
    const two = await scene.join(one);
    const other = await scene.devices.open();
    scene.server.failOn = (path) => (path === TURNS_PATH ? 'sync.offline' : null);
    await expect(join(two, other)).rejects.toMatchObject({ code: 'sync.offline' });
    scene.server.failOn = null;
    await join(two, other);
    await untilNothingWaits(two, other);
    expect(await search(other, 'elephant')).toMatchObject({ total: OLD_SESSIONS, unsearched: 0 });
  });

  it('gets everything from a server that was replaced by an older one', { tags: ['slow'] }, async () => {
    const { one } = await scene.aLongHistory();
    const two = await scene.join(one);
    scene.server.sendsTurnsAtOnce = true;
    await two.ask.practice.session({ sessionId: given(missingOn(two)[0]) }).catch(() => undefined);
    await untilNothingWaits(two);
    await expectSame(one, two);
  });

  it('does not take the 404 of a proxy for an older server', { tags: ['slow'] }, async () => {
    const { one, old } = await scene.aLongHistory();
    const two = await scene.join(one);
    scene.server.failOn = (path) => (path === TURNS_PATH ? 'session.not_found' : null);
    const [first] = old;
    if (first === undefined) throw new Error('no session');
    await expect(two.ask.practice.result({ sessionId: first })).rejects.toMatchObject({
      code: 'session.not_downloaded',
    });
    await untilNothingWaits(two);
    expect(missingOn(two).toSorted()).toEqual(old.toSorted());
    scene.server.failOn = null;
    expect(await learnerTexts(two, first)).toEqual(['elephant number 0']);
  });

  it('moves to another account although the server fails on one session', { tags: ['slow'] }, async () => {
    const { one, old } = await scene.aLongHistory();
    const two = await scene.join(one);
    const other = await scene.devices.open();
    scene.server.failOnTurnsOf = (sessionId) => sessionId === old[0];
    await join(two, other);
    await untilNothingWaits(two, other);
    expect((await search(other, '')).total).toBe(OLD_SESSIONS + 1);
    await expect.poll(() => missingOn(other), { timeout: 10_000 }).toEqual([]);
    expect((await search(other, 'elephant')).total).toBe(OLD_SESSIONS - 1);
  });

  it('moves no unfinished session without its turns after it was signed out', { tags: ['slow'] }, async () => {
    const one = await scene.devices.open();
    const unfinished = await typeTurns(one, 'not finished');
    const finished = await typeTurns(one, 'finished');
    await one.ask.practice.finish({ sessionId: finished });
    await untilNothingWaits(one);
    scene.server.failOn = (path) => (path === TURNS_PATH ? 'sync.offline' : null);
    const two = await scene.join(one);
    expect(missingOn(two).toSorted()).toEqual([finished, unfinished].toSorted());
    await one.ask.account.revokeDevice({ deviceId: deviceIdOf(two) });
    const other = await scene.devices.open();
    await join(two, other);
    scene.passYears();
    await untilNothingWaits(two, other);
    expect((await search(other, '')).items.map(({ status }) => status)).toEqual(['completed']);
    scene.server.failOn = null;
    expect(await learnerTexts(one, unfinished)).toEqual(['not finished']);
  });

  it('asks before it leaves a server with sessions that it cannot download', { tags: ['slow'] }, async () => {
    const { one, old } = await scene.aLongHistory();
    const next = await startServer({ now: scene.now });
    try {
      const two = await scene.devices.open({ serverUrl: null, turns: LATER });
      await two.ask.server.change({ url: scene.server.url });
      await join(two, one);
      scene.server.fail = 'sync.offline';
      await expect(two.ask.server.change({ url: next.url })).rejects.toMatchObject({ code: 'server.not_downloaded' });
      expect(missingOn(two).toSorted()).toEqual(old.toSorted());
      await two.ask.server.change({ url: next.url, abandonsUndownloaded: true });
      await untilNothingWaits(two);
      expect((await search(two, '')).total).toBe(OLD_SESSIONS + 1);
      expect(missingOn(two)).toEqual([]);
    } finally {
      await scene.devices.closeAll();
      await next.close();
    }
  });
});

describe('a new installation', () => {
  it('does not begin again with a server that cannot send turns later', async () => {
    scene.server.sendsTurnsAtOnce = true;
    const one = await scene.devices.open({ serverUrl: null });
    const mine = await typeTurns(one, 'said before there was a server');
    scene.server.requested = [];
    await one.ask.server.change({ url: scene.server.url, migratesData: true });
    await one.host.whenIdle();
    expect(scene.server.requested.filter((path) => path === '/v1/sync/stream')).toHaveLength(1);
    expect(await learnerTexts(one, mine)).toEqual(['said before there was a server']);
  });
});
