/**
 * A learner who takes their practice to a second computer in a file, and later signs in there to the first computer's
 * account.
 */
import { cpSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { SessionId } from '@parley/domain';
import { afterEach, describe, expect, it } from 'vitest';
import { updateRow } from '../store/index.ts';
import {
  join,
  learnerTexts,
  sessionIdsOf,
  speakTurn,
  typeTurns,
  untilNothingWaits,
  untilSynced,
  userIdOf,
} from '../test-kit/devices.ts';
import { aDataFolder, anAssessment, aScriptedScorer, type OpenHost } from '../test-kit/open-host.ts';
import { openTestStore } from '../test-kit/open-test-store.ts';
import { damageTable, inDatabase } from '../test-kit/read-database.ts';
import { setUpSignIn } from '../test-kit/sign-in-scene.ts';
import { COACH, OTHER_COACH } from '../test-kit/test-catalogue.ts';
import { drill, exportOf, importInto, practise, seen } from '../test-kit/transfer-devices.ts';

const HOUR_MS = 3_600_000;
const scene = setUpSignIn();
const { clock, devices, mailbox } = scene;
const scorer = aScriptedScorer({ assess: (text) => anAssessment(text, () => 40) });

afterEach(() => {
  scene.server.failOn = null;
  scene.server.failOnPush = null;
  scene.server.failOnChange = null;
});

const withClock = (device: OpenHost) => ({ ...device, clock });
const fileOf = (device: OpenHost) => exportOf(withClock(device));
const bring = (file: Uint8Array<ArrayBuffer>, to: OpenHost) => importInto(withClock(to), file);

/** A computer that no server has seen keeps the ids of its rows when it signs in; any other gets new ones. */
const SECOND_COMPUTERS = [
  ['that a server knows', true],
  ['that no server has seen', false],
] as const;

async function twoComputers({ isKnown = true } = {}): Promise<[OpenHost, OpenHost]> {
  const one = await devices.open({ scorer });
  return [one, await devices.open({ scorer, ...(!isKnown && { serverUrl: null }) })];
}

const isKnownToServer = ({ dataDir }: OpenHost): boolean =>
  inDatabase(dataDir, (sqlite) => sqlite.prepare('SELECT is_registered FROM sync_state').pluck().get() === 1);

async function signInTo(one: OpenHost, two: OpenHost): Promise<void> {
  if (!isKnownToServer(two)) await two.ask.server.change({ url: scene.server.url });
  await join(two, one);
}

const textsOf = async (device: OpenHost): Promise<string[][]> => {
  const texts: string[][] = [];
  for (const sessionId of await sessionIdsOf(device)) texts.push(await learnerTexts(device, sessionId));
  return texts.toSorted((a, b) => (a.join() < b.join() ? -1 : 1));
};

const rowsOf = ({ dataDir }: OpenHost, columns: string): unknown[] =>
  inDatabase(dataDir, (sqlite) => sqlite.prepare(`SELECT ${columns}`).raw().all());
const LOG = 'id, word, session_id, turn_id FROM word_attempts ORDER BY id';
const DIFFICULTIES = 'id, difficulty FROM practice_history WHERE deleted_at IS NULL ORDER BY id';
const OPEN_COACHES = 'agent_id FROM coach_assignment_history WHERE assignment_end_date IS NULL AND deleted_at IS NULL';

/** The learner's own turns whose recording can be played on this computer. */
async function playableTurns({ ask }: OpenHost): Promise<number> {
  let playable = 0;
  for (const { sessionId } of (await ask.history.list({ search: '', offset: 0, limit: 50 })).items)
    for (const turn of (await ask.practice.result({ sessionId })).session.turns)
      if (turn.role === 'learner' && turn.recordingId !== null) {
        await ask.recordings.read({ recordingId: turn.recordingId });
        playable += 1;
      }
  return playable;
}

/** Sets the difficulty of a session, which no screen changes later but which syncs by last writer wins. */
const setDifficulty = (device: OpenHost, difficulty: 'intermediate' | 'hard'): Promise<OpenHost> =>
  setField(device, { difficulty });

async function setField(
  device: OpenHost,
  values: Parameters<typeof updateRow<'practiceHistory'>>[3],
): Promise<OpenHost> {
  const isKnown = isKnownToServer(device);
  await devices.close(device);
  const store = await openTestStore(device.dataDir, clock);
  const [id] = store.sqlite.prepare<[], string>('SELECT id FROM practice_history').pluck().all();
  updateRow(store, 'practiceHistory', SessionId.parse(id), values);
  store.close();
  return devices.open({ dataDir: device.dataDir, scorer, ...(!isKnown && { serverUrl: null }) });
}

describe('two computers between which a file was carried', () => {
  it.each(SECOND_COMPUTERS)('show everything once when the second, %s, signs in', async (_which, isKnown) => {
    const [one, two] = await twoComputers({ isKnown });
    await practise(withClock(one));
    await drill(withClock(one), 'I think so');
    const file = await fileOf(one);
    for (let time = 0; time < 2; time += 1) await bring(file, two);
    clock.pass(HOUR_MS);
    await practise(withClock(two));
    await signInTo(one, two);
    await untilSynced(two, one, two);
    const [here, there] = [await seen(withClock(one)), await seen(withClock(two))];
    expect(here.sessions).toHaveLength(2);
    expect(there.sessions).toEqual(here.sessions);
    expect(there.words).toEqual(here.words);
    expect(here.words.find(({ word }) => word === 'think')?.attempts).toBe(1);
    expect(rowsOf(two, LOG)).toEqual(rowsOf(one, LOG));
    expect(await playableTurns(two)).toBe(2);
    // Exports from before and after are of the same practice.
    await bring(await fileOf(two), one);
    await bring(file, two);
    for (const device of [one, two]) expect((await seen(withClock(device))).sessions).toEqual(here.sessions);
  });

  it.each([
    { newer: 'first', which: 'that a server knows', isKnown: true },
    { newer: 'first', which: 'that no server has seen', isKnown: false },
    { newer: 'second', which: 'that a server knows', isKnown: true },
    { newer: 'second', which: 'that no server has seen', isKnown: false },
  ])('keep what is newer on the $newer, if the second is one $which', async ({ newer, isKnown }) => {
    let [one, two] = await twoComputers({ isKnown });
    await typeTurns(one, 'bananas');
    await bring(await fileOf(one), two);
    clock.pass(HOUR_MS);
    if (newer === 'first') two = await setDifficulty(two, 'intermediate');
    else one = await setDifficulty(one, 'intermediate');
    clock.pass(HOUR_MS);
    if (newer === 'first') one = await setDifficulty(one, 'hard');
    else two = await setDifficulty(two, 'hard');
    await untilSynced(one);
    clock.pass(HOUR_MS);
    await signInTo(one, two);
    await untilSynced(two, one, two);
    expect(rowsOf(one, DIFFICULTIES)).toEqual([[expect.any(String), 'hard']]);
    expect(rowsOf(two, DIFFICULTIES)).toEqual(rowsOf(one, DIFFICULTIES));
  });

  it('keep what is newer after the answer to the registration of the second was lost', async () => {
    let [one, two] = await twoComputers({ isKnown: false });
    await typeTurns(one, 'bananas');
    await bring(await fileOf(one), two);
    clock.pass(HOUR_MS);
    one = await setDifficulty(one, 'hard');
    clock.pass(HOUR_MS);
    two = await setField(two, { pausedAt: clock.now() });
    let isLost = false;
    scene.server.failOn = (path) => {
      if (isLost || !path.includes('register')) return null;
      isLost = true;
      return 'drop';
    };
    await two.ask.server.change({ url: scene.server.url });
    await untilSynced(two, one);
    expect(isLost).toBe(true);
    await join(two, one);
    await untilSynced(two, one, two);
    expect(rowsOf(one, DIFFICULTIES)).toEqual([[expect.any(String), 'hard']]);
    expect(rowsOf(two, DIFFICULTIES)).toEqual(rowsOf(one, DIFFICULTIES));
  });

  it.each(SECOND_COMPUTERS)('leave out what either has deleted, if the second is one %s', async (_which, isKnown) => {
    const [one, two] = await twoComputers({ isKnown });
    for (const text of ['bananas to keep', 'bananas deleted here', 'bananas deleted there']) await typeTurns(one, text);
    await bring(await fileOf(one), two);
    clock.pass(HOUR_MS);
    const discard = async ({ ask }: OpenHost, search: string): Promise<void> => {
      for (const { sessionId } of (await ask.history.list({ search, offset: 0, limit: 5 })).items)
        await ask.practice.discard({ sessionId });
    };
    await discard(one, 'here');
    await discard(two, 'there');
    await untilSynced(one);
    clock.pass(HOUR_MS);
    await signInTo(one, two);
    await untilSynced(two, one, two);
    for (const device of [one, two]) expect(await textsOf(device)).toEqual([['bananas to keep']]);
  });

  it.each(SECOND_COMPUTERS)(
    'have one session that both continued, if the second is one %s',
    async (_which, isKnown) => {
      const [one, two] = await twoComputers({ isKnown });
      const sessionId = await typeTurns(one, 'bananas');
      await bring(await fileOf(one), two);
      const [imported] = await sessionIdsOf(two);
      clock.pass(HOUR_MS);
      await two.ask.practice.sendTyped({ sessionId: SessionId.parse(imported), text: 'bananas there', hintLevel: 0 });
      clock.pass(HOUR_MS);
      await one.ask.practice.sendTyped({ sessionId, text: 'bananas here', hintLevel: 0 });
      await signInTo(one, two);
      await untilSynced(two, one, two);
      for (const device of [one, two]) {
        expect(await sessionIdsOf(device)).toEqual([sessionId]);
        expect((await learnerTexts(device, sessionId)).toSorted()).toEqual([
          'bananas',
          'bananas here',
          'bananas there',
        ]);
      }
    },
  );

  it.each(SECOND_COMPUTERS)('keep the coach of the account, if the second is one %s', async (_which, isKnown) => {
    const [one, two] = await twoComputers({ isKnown });
    await one.ask.settings.updateProfile({ agentId: COACH });
    await two.ask.settings.updateProfile({ agentId: OTHER_COACH });
    clock.pass(HOUR_MS);
    await bring(await fileOf(one), two);
    clock.pass(HOUR_MS);
    await signInTo(one, two);
    await untilSynced(two, one, two);
    for (const device of [one, two]) expect(rowsOf(device, OPEN_COACHES)).toEqual([[COACH]]);
  });

  it('leave a course that was left in the account since', async () => {
    const [one, two] = await twoComputers({ isKnown: false });
    const [course] = await one.ask.courses.list();
    if (course === undefined) throw new Error('the catalogue has no course');
    const { courseId } = course;
    await one.ask.courses.enrol({ courseId });
    await bring(await fileOf(one), two);
    clock.pass(HOUR_MS);
    await one.ask.courses.leave({ courseId });
    await untilSynced(one);
    clock.pass(HOUR_MS);
    await signInTo(one, two);
    await untilSynced(two, one, two);
    for (const device of [one, two]) expect((await device.ask.courses.list())[0]).toMatchObject({ isEnrolled: false });
  });

  it('show everything once after a sign-in with the address that the first account has meanwhile', async () => {
    const [one, two] = await twoComputers();
    const { sessionId } = await speakTurn(one);
    await bring(await fileOf(one), two);
    await mailbox.signIn(one, scene.email);
    await untilSynced(one);
    await mailbox.signIn(two, scene.email);
    await untilSynced(two, one, two);
    for (const device of [one, two]) expect(await sessionIdsOf(device)).toEqual([sessionId]);
    expect(rowsOf(two, 'session_id, turn_id FROM recordings')).toEqual(
      rowsOf(one, 'session_id, turn_id FROM recordings'),
    );
  });

  it('show everything once after a move that failed and an app that was closed meanwhile', async () => {
    const [one, two] = await twoComputers();
    const sessionId = await typeTurns(one, 'bananas');
    await bring(await fileOf(one), two);
    await untilSynced(one, two);
    inDatabase(two.dataDir, (sqlite) =>
      sqlite.exec(
        `CREATE TRIGGER no_moves BEFORE UPDATE ON practice_history BEGIN SELECT raise(ABORT, 'no room'); END`,
      ),
    );
    await expect(join(two, one)).rejects.toThrow();
    await devices.close(two);
    inDatabase(two.dataDir, (sqlite) => sqlite.exec('DROP TRIGGER no_moves'));
    const later = await devices.open({ dataDir: two.dataDir });
    await untilSynced(later, one, later);
    for (const device of [one, later]) expect(await sessionIdsOf(device)).toEqual([sessionId]);
  });

  it('show everything once after the database of the second is replaced by a backup from before the sign-in', async () => {
    const [one, imported] = await twoComputers();
    const sessionId = await typeTurns(one, 'bananas');
    await bring(await fileOf(one), imported);
    await untilSynced(one, imported);
    await devices.close(imported);
    clock.pass(25 * HOUR_MS);
    const two = await devices.open({ dataDir: imported.dataDir });
    await join(two, one);
    await untilSynced(two, one, two);
    await devices.close(two);
    clock.pass(HOUR_MS);
    const store = await openTestStore(two.dataDir, clock);
    updateRow(store, 'practiceHistory', sessionId, { difficulty: 'hard' });
    store.close();
    damageTable(two.dataDir, 'practice_history');
    const restored = await devices.open({ dataDir: two.dataDir });
    expect((await restored.ask.app.about()).restoredFrom).not.toBeNull();
    await untilSynced(restored, one, restored);
    for (const device of [one, restored]) expect(rowsOf(device, DIFFICULTIES)).toEqual([[sessionId, 'hard']]);
    for (const device of [one, restored]) {
      expect(await sessionIdsOf(device)).toEqual([sessionId]);
      expect(await learnerTexts(device, sessionId)).toEqual(['bananas']);
    }
  });

  it('lose nothing that the server fails on, and show it once in the end', async () => {
    const [one, two] = await twoComputers();
    const sessionId = await typeTurns(one, 'bananas');
    await bring(await fileOf(one), two);
    const [imported] = await sessionIdsOf(two);
    clock.pass(HOUR_MS);
    await two.ask.practice.sendTyped({ sessionId: SessionId.parse(imported), text: 'bananas there', hintLevel: 0 });
    await untilSynced(one, two);
    scene.server.failOnChange = ({ rowId }) => rowId === sessionId;
    await join(two, one);
    await untilNothingWaits(two);
    expect(await learnerTexts(two, sessionId)).toEqual(['bananas', 'bananas there']);
    scene.server.failOnChange = null;
    await devices.close(two);
    clock.pass(24 * HOUR_MS);
    const later = await devices.open({ dataDir: two.dataDir });
    await untilSynced(later, one, later);
    for (const device of [one, later]) {
      expect(await sessionIdsOf(device)).toEqual([sessionId]);
      expect(await learnerTexts(device, sessionId)).toEqual(['bananas', 'bananas there']);
    }
  });

  it('keep the work of the other learner of the second computer apart', async () => {
    const [one, two] = await twoComputers();
    const other = await devices.open();
    await typeTurns(one, 'bananas');
    const file = await fileOf(one);
    await mailbox.signIn(one, scene.email);
    await mailbox.signIn(two, `other-${scene.email}`);
    scene.server.failOnPush = (changes) =>
      changes.some(({ fields }) => fields['content'] === 'bananas of another learner') ? 'sync.offline' : null;
    const unsent = await typeTurns(two, 'bananas of another learner');
    await join(two, other);
    scene.server.failOnPush = null;
    await bring(file, two);
    await join(two, one);
    await untilSynced(two, one, two);
    for (const device of [one, two]) expect(await textsOf(device)).toEqual([['bananas']]);
    await mailbox.signIn(two, `other-${scene.email}`);
    await untilSynced(two);
    expect(await sessionIdsOf(two)).toEqual([unsent]);
  });
});

describe('an account from which no file was imported', () => {
  it('receives the rows that were imported into another account as its own', async () => {
    const [one, two] = await twoComputers();
    const three = await devices.open();
    await typeTurns(one, 'bananas of the file');
    await typeTurns(three, 'bananas of the account');
    await bring(await fileOf(one), two);
    await join(two, three);
    await untilSynced(two, three, one);
    for (const device of [two, three])
      expect(await textsOf(device)).toEqual([['bananas of the account'], ['bananas of the file']]);
    expect(await sessionIdsOf(two)).not.toEqual(expect.arrayContaining(await sessionIdsOf(one)));
  });
});

describe('work that was moved by computers that do not know of the file', () => {
  it.each([
    ['once, if the server can tell what it has', true, [['bananas'], ['bananas there']]],
    ['the same for all of them, if it cannot', false, [['bananas'], ['bananas'], ['bananas there']]],
  ])('is in the account %s', async (_how, canTell, expected) => {
    scene.server.failOn = (path) => (!canTell && path === '/v1/account/known-rows' ? 'session.not_found' : null);
    const [one, two] = await twoComputers();
    const sessionId = await typeTurns(one, 'bananas');
    await bring(await fileOf(one), two);
    await typeTurns(two, 'bananas there');
    await untilSynced(two);
    // Another device of the second account, and a copy of the second computer from before the update.
    const three = await devices.openJoined(two);
    await untilSynced(three);
    await devices.close(two);
    const copyDir = joinPath(aDataFolder(), 'copy');
    cpSync(two.dataDir, copyDir, { recursive: true });
    inDatabase(copyDir, (sqlite) => sqlite.exec('DELETE FROM imported_rows'));
    const later = await devices.open({ dataDir: two.dataDir });
    await join(three, one);
    await join(later, one);
    await untilSynced(three, later, one);
    await devices.close(later);
    const copy = await devices.open({ dataDir: copyDir });
    expect(userIdOf(copy)).not.toBe(userIdOf(one));
    await join(copy, one);
    await untilSynced(copy, one, three);
    for (const device of [one, three, copy]) {
      expect(await textsOf(device)).toEqual(expected);
      expect(await sessionIdsOf(device)).toContain(sessionId);
    }
  });
});
