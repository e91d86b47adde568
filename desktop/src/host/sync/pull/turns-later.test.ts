/** A device that joins an account with years of practice: the list first, recent conversations next, the others later. */
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { learnerTexts, typeTurns, untilNothingWaits } from '../../test-kit/devices.ts';
import {
  AT_ONCE,
  expectSame,
  given,
  LATER,
  missingOn,
  OLD_SESSIONS,
  search,
  setUpLongHistory,
  TURNS_PATH,
} from '../../test-kit/long-history.ts';
import { inDatabase } from '../../test-kit/read-database.ts';

const scene = setUpLongHistory();

describe('a device that joins an account with years of practice', () => {
  it('lists all sessions and has the recent ones, before the others come', async () => {
    const { one, old, recent } = await scene.aLongHistory();
    const two = await scene.join(one);
    expect((await search(two, '')).items.map(({ sessionId }) => sessionId)).toEqual([recent, ...old.toReversed()]);
    expect(missingOn(two).toSorted()).toEqual(old.toSorted());
    const { items } = await search(two, '');
    expect(items.filter(({ isDownloaded }) => isDownloaded).map(({ sessionId }) => sessionId)).toEqual([recent]);
    scene.server.fail = 'sync.offline';
    expect(await learnerTexts(two, recent)).toEqual(['a recent giraffe']);
  });

  it('says in a search how many sessions were not searched', { tags: ['slow'] }, async () => {
    const { one, old, recent } = await scene.aLongHistory();
    const two = await scene.join(one);
    expect(await search(two, 'elephant')).toMatchObject({ items: [], total: 0, unsearched: OLD_SESSIONS });
    expect(await search(two, 'giraffe')).toMatchObject({ items: [{ sessionId: recent }], unsearched: OLD_SESSIONS });
    const [first] = old;
    if (first === undefined) throw new Error('no session');
    await two.ask.practice.result({ sessionId: first });
    expect(await search(two, 'elephant')).toMatchObject({
      items: [{ sessionId: first }],
      unsearched: OLD_SESSIONS - 1,
    });
    expect((await search(one, 'elephant')).unsearched).toBe(0);
  });

  it('fetches a session that is opened, and says when it cannot', async () => {
    const { one, old } = await scene.aLongHistory();
    const two = await scene.join(one);
    const [first, second] = old;
    if (first === undefined || second === undefined) throw new Error('no sessions');
    expect((await two.ask.practice.result({ sessionId: first })).session.turns).toEqual(
      (await one.ask.practice.result({ sessionId: first })).session.turns,
    );
    scene.server.fail = 'sync.offline';
    await expect(two.ask.practice.result({ sessionId: second })).rejects.toMatchObject({
      code: 'session.not_downloaded',
    });
    expect((await two.ask.practice.result({ sessionId: first })).session.turns.length).toBeGreaterThan(0);
    scene.server.fail = null;
    expect(await learnerTexts(two, second)).toEqual(['elephant number 1']);
  });

  it('fetches the others in the background, while new turns are written', { tags: ['slow'] }, async () => {
    const { one } = await scene.aLongHistory();
    const two = await scene.join(one, { turns: AT_ONCE });
    const mine = await typeTurns(two, 'said meanwhile');
    await one.ask.practice.sendTyped({
      sessionId: (await search(one, 'giraffe')).items[0]?.sessionId ?? mine,
      text: 'more',
      hintLevel: 0,
    });
    await untilNothingWaits(one);
    await expectSame(one, two);
    expect(await learnerTexts(one, mine)).toEqual(['said meanwhile']);
  });

  it('waits with the background until the learner has been quiet', { tags: ['slow'] }, async () => {
    const { one } = await scene.aLongHistory();
    const two = await scene.join(one, { turns: { pauseMs: 0, quietMs: 3_600_000 } });
    // The device asked before the learner did anything.
    const before = missingOn(two).length;
    await typeTurns(two, 'something');
    await untilNothingWaits(two);
    const during = missingOn(two).length;
    expect(during).toBeLessThanOrEqual(before);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(missingOn(two).length).toBe(during);
  });

  it('continues after a close, a cut connection and a server restart', { tags: ['slow'] }, async () => {
    const { one } = await scene.aLongHistory();
    scene.server.cutStreamAfterLines = 2;
    const two = await scene.join(one);
    await scene.devices.close(two);
    scene.server.cutStreamAfterLines = 3;
    const again = await scene.devices.open({ dataDir: two.dataDir, turns: LATER });
    await again.ask.sync.run();
    await scene.devices.close(again);
    scene.server.cutStreamAfterLines = null;
    let asked = 0;
    scene.server.failOn = (path) => (path === TURNS_PATH && (asked += 1) > 1 ? 'drop' : null);
    const third = await scene.devices.open({ dataDir: two.dataDir, turns: AT_ONCE });
    await third.ask.sync.run();
    await expect.poll(() => asked, { timeout: 10_000 }).toBeGreaterThan(1);
    expect(missingOn(third).length).toBeGreaterThan(0);
    await scene.devices.close(third);
    await scene.server.upgrade('1.0.1');
    scene.server.failOn = null;
    await expectSame(one, await scene.devices.open({ dataDir: two.dataDir, turns: AT_ONCE }));
  });

  it('can be replaced before everything has come', { tags: ['slow'] }, async () => {
    const { one } = await scene.aLongHistory();
    const two = await scene.join(one);
    const mine = await typeTurns(two, 'said on the device that breaks');
    await untilNothingWaits(two);
    expect(missingOn(two).length).toBe(OLD_SESSIONS);
    await scene.devices.close(two);
    const three = await scene.join(one, { turns: AT_ONCE });
    await untilNothingWaits(one);
    await expectSame(one, three);
    expect(await learnerTexts(three, mine)).toEqual(['said on the device that breaks']);
  });

  it('deletes a session that is not here, and brings it back', { tags: ['slow'] }, async () => {
    const { one, old } = await scene.aLongHistory();
    const two = await scene.join(one);
    const [first, second] = old;
    if (first === undefined || second === undefined) throw new Error('no sessions');
    await two.ask.history.remove({ sessionId: first });
    await two.ask.history.remove({ sessionId: second });
    await two.ask.history.restore({ sessionId: second });
    await untilNothingWaits(two, one);
    expect((await search(one, '')).items.map(({ sessionId }) => sessionId)).not.toContain(first);
    expect(await learnerTexts(one, second)).toEqual(['elephant number 1']);
    expect(await learnerTexts(two, second)).toEqual(['elephant number 1']);
    await one.ask.history.restore({ sessionId: first });
    await untilNothingWaits(one, two);
    expect(await learnerTexts(two, first)).toEqual(['elephant number 0']);
  });

  it('never finishes a session whose turns it does not have', async () => {
    const one = await scene.devices.open();
    const open = await typeTurns(one, 'not finished');
    await untilNothingWaits(one);
    scene.passYears();
    scene.server.failOn = (path) => (path === TURNS_PATH ? 'sync.offline' : null);
    const two = await scene.join(one);
    await scene.devices.close(two);
    // At startup, a device finishes sessions that were abandoned long ago.
    const again = await scene.devices.open({ dataDir: two.dataDir, turns: LATER });
    expect(missingOn(again)).toEqual([open]);
    expect((await search(again, '')).items).toMatchObject([{ sessionId: open, status: 'in_progress' }]);
    expect((await again.ask.sync.run()).waiting).toBe(0);
    scene.server.failOn = null;
    await again.ask.sync.run();
    expect(await learnerTexts(again, open)).toEqual(['not finished']);
  });

  it('counts an old session that was continued recently as a recent one', async () => {
    const one = await scene.devices.open();
    const continued = await typeTurns(one, 'begun long ago');
    await untilNothingWaits(one);
    scene.passYears();
    await one.ask.practice.sendTyped({ sessionId: continued, text: 'continued today', hintLevel: 0 });
    await untilNothingWaits(one);
    expect(missingOn(await scene.join(one))).toEqual([]);
  });

  it('opens a session while a stream is still coming', { tags: ['slow'] }, async () => {
    const { one, old } = await scene.aLongHistory();
    const two = await scene.join(one);
    const [first] = old;
    if (first === undefined) throw new Error('no session');
    let texts: string[] = [];
    scene.server.onPull = async () => {
      texts = await learnerTexts(two, first);
    };
    await untilNothingWaits(two);
    expect(texts).toEqual(['elephant number 0']);
  });

  it('says why a session cannot be fetched', { tags: ['slow'] }, async () => {
    const { one, old } = await scene.aLongHistory();
    const two = await scene.join(one);
    const [first] = old;
    if (first === undefined) throw new Error('no session');
    scene.server.failOn = (path) => (path === TURNS_PATH ? 'auth.device_revoked' : null);
    await expect(two.ask.practice.result({ sessionId: first })).rejects.toMatchObject({ code: 'auth.device_revoked' });
  });

  it('tries again after the server was busy', { tags: ['slow'] }, async () => {
    const { one } = await scene.aLongHistory();
    let refusals = 4;
    scene.server.failOn = (path) => (path === TURNS_PATH && (refusals -= 1) >= 0 ? 'request.too_many' : null);
    await expectSame(one, await scene.join(one, { turns: AT_ONCE }));
  });

  it('fetches the others when the server fails on one session', { tags: ['slow'] }, async () => {
    const { one, old } = await scene.aLongHistory();
    const [, second] = old;
    scene.server.failOnTurnsOf = (sessionId) => sessionId === second;
    const two = await scene.join(one, { turns: AT_ONCE });
    await expect.poll(() => missingOn(two), { timeout: 15_000 }).toEqual([second]);
    scene.server.failOnTurnsOf = null;
    expect(await learnerTexts(two, given(second))).toEqual(['elephant number 1']);
  });

  it('does not take a session for complete when fewer turns come than were announced', { tags: ['slow'] }, async () => {
    const { one, old } = await scene.aLongHistory();
    const two = await scene.join(one);
    const [first] = old;
    if (first === undefined) throw new Error('no session');
    await scene.server.execute(sql`update ai_conversations set session_id = ${old[1]} where session_id = ${first}`);
    await expect(two.ask.practice.result({ sessionId: first })).rejects.toMatchObject({ code: 'internal' });
    expect(missingOn(two)).toContain(first);
    await untilNothingWaits(two);
    await expect
      .poll(async () => (await two.ask.practice.result({ sessionId: first }).catch(() => null)) !== null)
      .toBe(true);
    expect(missingOn(two)).not.toContain(first);
  });

  it('stores new turns of an open session that turns out to lack turns', async () => {
    const one = await scene.devices.open();
    const open = await typeTurns(one, 'said before');
    inDatabase(one.dataDir, (sqlite) =>
      sqlite.prepare('INSERT INTO missing_turns SELECT user_id, ?, 99 FROM sync_state').run(open),
    );
    await one.ask.practice.sendTyped({ sessionId: open, text: 'said meanwhile', hintLevel: 0 });
    const said = inDatabase(one.dataDir, (sqlite) =>
      sqlite.prepare("SELECT content FROM ai_conversations WHERE role = 'learner' ORDER BY said_at").pluck().all(),
    );
    expect(said).toEqual(['said before', 'said meanwhile']);
  });
});
