/**
 * A learner whose file another computer has imported, and who then signs in on the first computer to the other's
 * account.
 */
import { SessionId } from '@parley/domain';
import { afterEach, describe, expect, it } from 'vitest';
import { updateRow } from '../store/index.ts';
import { join, learnerTexts, sessionIdsOf, speakTurn, typeTurns, untilSynced, userIdOf } from '../test-kit/devices.ts';
import { anAssessment, aScriptedScorer, type OpenHost } from '../test-kit/open-host.ts';
import { openTestStore } from '../test-kit/open-test-store.ts';
import { damageTable, inDatabase } from '../test-kit/read-database.ts';
import { setUpSignIn } from '../test-kit/sign-in-scene.ts';
import { drill, exportOf, importInto, practise, seen } from '../test-kit/transfer-devices.ts';

const HOUR_MS = 3_600_000;
const KNOWN_ROWS_PATH = '/v1/account/known-rows';
const scene = setUpSignIn();
const { clock, devices, mailbox } = scene;
const scorer = aScriptedScorer({ assess: (text) => anAssessment(text, () => 40) });

afterEach(() => {
  scene.server.failOn = null;
});

const withClock = (device: OpenHost) => ({ ...device, clock });
const bring = async (from: OpenHost, to: OpenHost) => importInto(withClock(to), await exportOf(withClock(from)));
const rowsOf = ({ dataDir }: OpenHost, columns: string): unknown[] =>
  inDatabase(dataDir, (sqlite) => sqlite.prepare(`SELECT ${columns}`).raw().all());
const LOG = 'id, word, session_id, turn_id FROM word_attempts ORDER BY id';
const DIFFICULTIES = 'id, difficulty FROM practice_history WHERE deleted_at IS NULL ORDER BY id';

async function textsOf(device: OpenHost): Promise<string[][]> {
  const texts: string[][] = [];
  for (const sessionId of await sessionIdsOf(device)) texts.push(await learnerTexts(device, sessionId));
  return texts.toSorted((a, b) => (a.join() < b.join() ? -1 : 1));
}

async function setDifficulty(device: OpenHost, difficulty: 'intermediate' | 'hard'): Promise<OpenHost> {
  await devices.close(device);
  const store = await openTestStore(device.dataDir, clock);
  const [id] = store.sqlite.prepare<[], string>('SELECT id FROM practice_history').pluck().all();
  updateRow(store, 'practiceHistory', SessionId.parse(id), { difficulty });
  store.close();
  return devices.open({ dataDir: device.dataDir, scorer });
}

/** The old computer, whose file the new one has imported. */
async function twoComputers(): Promise<[OpenHost, OpenHost]> {
  return [await devices.open({ scorer }), await devices.open({ scorer })];
}

describe('an old computer that joins the account of a new one that imported its file', () => {
  it('shows everything once, as the new one does', async () => {
    const [old, now] = await twoComputers();
    await practise(withClock(old));
    await drill(withClock(old), 'I think so');
    await bring(old, now);
    clock.pass(HOUR_MS);
    await practise(withClock(old));
    clock.pass(HOUR_MS);
    await practise(withClock(now));
    await untilSynced(old, now);
    await join(old, now);
    await untilSynced(old, now, old);
    const [here, there] = [await seen(withClock(old)), await seen(withClock(now))];
    expect(there.sessions).toHaveLength(3);
    expect(here.sessions).toEqual(there.sessions);
    expect(here.words).toEqual(there.words);
    expect(there.words.find(({ word }) => word === 'think')?.attempts).toBe(1);
    expect(rowsOf(old, LOG)).toEqual(rowsOf(now, LOG));
  });

  it('shows drills once when it had nothing else', async () => {
    const [old, now] = await twoComputers();
    await drill(withClock(old), 'I think so');
    await bring(old, now);
    await untilSynced(old, now);
    await join(old, now);
    await untilSynced(old, now, old);
    expect((await seen(withClock(now))).words.find(({ word }) => word === 'think')?.attempts).toBe(1);
    expect(rowsOf(old, LOG)).toEqual(rowsOf(now, LOG));
  });

  it('shows everything once after a sign-in with an address, and still plays its recordings', async () => {
    const [old, now] = await twoComputers();
    const { recordingId } = await speakTurn(old);
    await bring(old, now);
    await mailbox.signIn(now, scene.email);
    await untilSynced(old, now);
    const imported = await sessionIdsOf(now);
    await mailbox.signIn(old, scene.email);
    await untilSynced(old, now, old);
    for (const device of [old, now]) expect(await sessionIdsOf(device)).toEqual(imported);
    expect((await old.ask.recordings.read({ recordingId })).size).toBeGreaterThan(44);
    expect(rowsOf(old, 'session_id FROM recordings')).toEqual([imported]);
  });

  it.each(['old', 'new'] as const)('keeps what is newer on the %s one', async (newer) => {
    let [old, now] = await twoComputers();
    await typeTurns(old, 'bananas');
    await bring(old, now);
    clock.pass(HOUR_MS);
    if (newer === 'old') now = await setDifficulty(now, 'intermediate');
    else old = await setDifficulty(old, 'intermediate');
    clock.pass(HOUR_MS);
    if (newer === 'old') old = await setDifficulty(old, 'hard');
    else now = await setDifficulty(now, 'hard');
    await untilSynced(old, now);
    await join(old, now);
    await untilSynced(old, now, old);
    for (const device of [old, now]) expect(rowsOf(device, DIFFICULTIES)).toEqual([[expect.any(String), 'hard']]);
  });

  it('leaves out what was deleted on either, and has one session that both continued', async () => {
    const [old, now] = await twoComputers();
    const continued = await typeTurns(old, 'bananas to keep');
    await typeTurns(old, 'bananas deleted here');
    await typeTurns(old, 'bananas deleted there');
    await bring(old, now);
    const find = async ({ ask }: OpenHost, search: string) =>
      (await ask.history.list({ search, offset: 0, limit: 5 })).items.map(({ sessionId }) => sessionId);
    clock.pass(HOUR_MS);
    for (const sessionId of await find(old, 'here')) await old.ask.practice.discard({ sessionId });
    for (const sessionId of await find(now, 'there')) await now.ask.practice.discard({ sessionId });
    for (const sessionId of await find(now, 'keep'))
      await now.ask.practice.sendTyped({ sessionId, text: 'bananas of the new one', hintLevel: 0 });
    clock.pass(HOUR_MS);
    await old.ask.practice.sendTyped({ sessionId: continued, text: 'bananas of the old one', hintLevel: 0 });
    await untilSynced(old, now);
    await join(old, now);
    await untilSynced(old, now, old);
    for (const device of [old, now])
      expect((await textsOf(device)).map((texts) => texts.toSorted())).toEqual([
        ['bananas of the new one', 'bananas of the old one', 'bananas to keep'],
      ]);
  });

  it('shows everything once after its database is replaced by a backup from before', async () => {
    const [old, now] = await twoComputers();
    await typeTurns(old, 'bananas');
    await bring(old, now);
    await untilSynced(old, now);
    await devices.close(old);
    clock.pass(25 * HOUR_MS);
    const later = await devices.open({ dataDir: old.dataDir });
    await join(later, now);
    await untilSynced(later, now, later);
    await devices.close(later);
    damageTable(later.dataDir, 'practice_history');
    const restored = await devices.open({ dataDir: later.dataDir });
    expect((await restored.ask.app.about()).restoredFrom).not.toBeNull();
    await untilSynced(restored, now, restored);
    for (const device of [now, restored]) expect(await textsOf(device)).toEqual([['bananas']]);
  });

  it.each([
    ['the network failed', false],
    ['the app was killed', true],
  ])('shows everything once if %s before the server could tell', async (_why, isKilled) => {
    const [old, now] = await twoComputers();
    const before = await typeTurns(old, 'bananas');
    await bring(old, now);
    await untilSynced(old, now);
    scene.server.failOn = (path) => (path === KNOWN_ROWS_PATH ? 'sync.offline' : null);
    await expect(join(old, now)).rejects.toMatchObject({ code: 'sync.offline' });
    expect(await old.ask.sync.status()).toMatchObject({ state: 'not_moved', isMoveOffline: true });
    const offline = isKilled ? await devices.reopen(old) : old;
    expect(await offline.ask.sync.run()).toMatchObject({ state: 'not_moved' });
    expect(await sessionIdsOf(offline)).toEqual([before]);
    await typeTurns(offline, 'bananas meanwhile');
    scene.server.failOn = null;
    await untilSynced(offline, now, offline);
    expect(userIdOf(offline)).toBe(userIdOf(now));
    for (const device of [offline, now]) expect(await textsOf(device)).toEqual([['bananas'], ['bananas meanwhile']]);
  });

  it('loses nothing if the server cannot tell', async () => {
    const [old, now] = await twoComputers();
    await typeTurns(old, 'bananas');
    await bring(old, now);
    await untilSynced(old, now);
    scene.server.failOn = (path) => (path === KNOWN_ROWS_PATH ? 'session.not_found' : null);
    await join(old, now);
    await untilSynced(old, now, old);
    for (const device of [old, now]) expect(await textsOf(device)).toEqual([['bananas'], ['bananas']]);
  });
});

describe('a third account that both computers join', () => {
  it.each([
    ['the new one', true],
    ['the old one', false],
  ])('shows everything once when %s joins first', async (_which, isNewFirst) => {
    const [old, now] = await twoComputers();
    await practise(withClock(old));
    await bring(old, now);
    clock.pass(HOUR_MS);
    await typeTurns(now, 'bananas of the new one');
    clock.pass(HOUR_MS);
    const third = await devices.open({ scorer });
    await typeTurns(third, 'bananas of the third');
    await untilSynced(old, now, third);
    for (const device of isNewFirst ? [now, old] : [old, now]) {
      await join(device, third);
      await untilSynced(device, third);
    }
    await untilSynced(old, now, third);
    const { sessions } = await seen(withClock(third));
    expect(sessions).toHaveLength(3);
    for (const device of [old, now]) {
      expect((await seen(withClock(device))).sessions).toEqual(sessions);
      expect(rowsOf(device, LOG)).toEqual(rowsOf(third, LOG));
    }
  });

  it('shows everything once when another computer of the account of the new one has joined before', async () => {
    const [old, now] = await twoComputers();
    await typeTurns(old, 'bananas');
    await bring(old, now);
    await untilSynced(now);
    const other = await devices.openJoined(now);
    const third = await devices.open();
    await typeTurns(third, 'bananas of the third');
    await untilSynced(other, third);
    for (const device of [other, now]) {
      await join(device, third);
      await untilSynced(device, third);
    }
    await untilSynced(other, now, third);
    for (const device of [other, now, third])
      expect(await textsOf(device)).toEqual([['bananas'], ['bananas of the third']]);
  });
});

describe('a computer that imported a file with a version that did not remember it', () => {
  it('shows everything once when it joins the account of the file', async () => {
    const [one, two] = await twoComputers();
    const sessionId = await typeTurns(one, 'bananas');
    await bring(one, two);
    inDatabase(two.dataDir, (sqlite) => sqlite.exec('DELETE FROM imported_rows'));
    clock.pass(HOUR_MS);
    await typeTurns(two, 'bananas of the second');
    await untilSynced(one, two);
    await join(two, one);
    await untilSynced(two, one, two);
    for (const device of [one, two]) {
      expect(await textsOf(device)).toEqual([['bananas'], ['bananas of the second']]);
      expect(await sessionIdsOf(device)).toContain(sessionId);
    }
  });
});
