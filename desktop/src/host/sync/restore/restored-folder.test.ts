/**
 * A device whose folder or database is older than the server's knowledge of it: restored from a copy or rebuilt after
 * damage.
 */
import { sql } from 'drizzle-orm';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDevices, untilSynced, typeTurns, learnerTexts, sessionIdsOf } from '../../test-kit/devices.ts';
import { startServer, type TestServer } from '../../test-kit/test-server.ts';
import {
  aClock,
  aDataFolder,
  anAssessment,
  aScriptedScorer,
  type OpenHost,
  voiceLikePcm,
} from '../../test-kit/open-host.ts';
import { damageTable, inDatabase, readOutbox } from '../../test-kit/read-database.ts';

const HOUR_MS = 3_600_000;

let clock = aClock();
/** How far the server's clock is ahead of the devices' clock. */
let serverAheadMs = 0;
let server: TestServer;
const devices = createDevices(() => ({
  serverUrl: server.url,
  clock,
  scorer: aScriptedScorer({ assess: (text) => anAssessment(text, () => 40) }),
}));
beforeAll(async () => {
  server = await startServer({ now: () => new Date(clock.now().getTime() + serverAheadMs) });
});
beforeEach(() => {
  clock = aClock();
  serverAheadMs = 0;
  server.fail = null;
});
afterEach(() => devices.closeAll());
afterAll(() => server.close());

/** Makes one attempt at the word `strengths`. */
async function attempt({ ask }: OpenHost): Promise<void> {
  const { turnId } = await ask.drill.begin({ text: 'strengths', other: null });
  await ask.drill.appendAudio({ turnId, seq: 0, pcm: new Blob([voiceLikePcm(200)]) });
  await ask.drill.finish({ turnId });
}

/** Returns the attempts at the word in the log. */
const attemptsOf = ({ dataDir }: OpenHost): number =>
  inDatabase(dataDir, (sqlite) =>
    Number(
      sqlite
        .prepare(
          "SELECT count(*) FROM word_attempts WHERE word = 'strengths' AND kind = 'attempt' AND deleted_at IS NULL",
        )
        .pluck()
        .get(),
    ),
  );

/** Copies a data folder and returns a function that restores the copy. */
function copyOf({ dataDir }: OpenHost): () => void {
  const copy = join(aDataFolder(), 'copy');
  cpSync(dataDir, copy, { recursive: true });
  return () => {
    rmSync(dataDir, { recursive: true });
    cpSync(copy, dataDir, { recursive: true });
  };
}

describe('a data folder restored from a copy', () => {
  it('loses no new change to reused sequence numbers', { tags: ['slow'] }, async () => {
    const one = await devices.open();
    const two = await devices.openJoined(one);
    const first = await typeTurns(one, 'bananas before the copy');
    await untilSynced(one);
    await devices.close(one);
    const putBack = copyOf(one);

    const later = await devices.open({ dataDir: one.dataDir });
    const known = await typeTurns(later, 'bananas after the copy');
    await later.ask.settings.updateProfile({ firstName: 'Ana', jobTitle: 'Planner' });
    await untilSynced(later);
    await devices.close(later);
    const numbersGiven = server.pushed.flat().length;
    expect(numbersGiven).toBeGreaterThan(0);

    putBack();
    clock.pass(HOUR_MS);
    server.fail = 'sync.offline';
    const restored = await devices.open({ dataDir: one.dataDir });
    const fresh = await typeTurns(restored, 'bananas of the restored folder');
    await restored.ask.settings.updateProfile({ jobTitle: 'Nurse' });
    server.fail = null;
    await untilSynced(restored, two);
    for (const device of [restored, two]) {
      expect(await sessionIdsOf(device)).toEqual([first, known, fresh].toSorted());
      expect(await learnerTexts(device, fresh)).toEqual(['bananas of the restored folder']);
      expect(await learnerTexts(device, known)).toEqual(['bananas after the copy']);
      expect((await device.ask.settings.read()).profile).toMatchObject({ firstName: 'Ana', jobTitle: 'Nurse' });
    }
  });

  it('resends changes without undoing later ones', async () => {
    const one = await devices.open();
    const two = await devices.openJoined(one);
    await one.ask.settings.updateProfile({ jobTitle: 'Planner' });
    await untilSynced(one);
    server.fail = 'sync.offline';
    clock.pass(HOUR_MS);
    await one.ask.settings.updateProfile({ jobTitle: 'Copied while it waited' });
    const waiting = await typeTurns(one, 'bananas that waited');
    await devices.close(one);
    const putBack = copyOf(one);

    server.fail = null;
    const later = await devices.open({ dataDir: one.dataDir });
    await untilSynced(later);
    clock.pass(HOUR_MS);
    await later.ask.settings.updateProfile({ jobTitle: 'Changed after the copy' });
    await untilSynced(later);
    await devices.close(later);

    putBack();
    clock.pass(HOUR_MS);
    const restored = await devices.open({ dataDir: one.dataDir });
    const fresh = await typeTurns(restored, 'bananas of the restored folder');
    await untilSynced(restored, two);
    for (const device of [restored, two]) {
      expect(await sessionIdsOf(device)).toEqual([waiting, fresh].toSorted());
      expect(await learnerTexts(device, waiting)).toEqual(['bananas that waited']);
      expect((await device.ask.settings.read()).profile.jobTitle).toBe('Changed after the copy');
    }
  });

  it('loses no change while the original is in use as well', { tags: ['slow'] }, async () => {
    const one = await devices.open();
    const two = await devices.openJoined(one);
    const sessions = [await typeTurns(one, 'bananas before the copy')];
    await untilSynced(one);
    await devices.close(one);
    const dataDir = join(aDataFolder(), 'copy');
    cpSync(one.dataDir, dataDir, { recursive: true });
    const both = [await devices.open({ dataDir: one.dataDir }), await devices.open({ dataDir })];
    for (const text of ['bananas', 'more bananas', 'the last bananas'])
      for (const device of both) {
        clock.pass(HOUR_MS);
        sessions.push(await typeTurns(device, text));
        await untilSynced(device);
      }
    await untilSynced(...both, two);
    for (const device of [...both, two]) {
      expect(await sessionIdsOf(device)).toEqual(sessions.toSorted());
      expect(await learnerTexts(device, sessions.at(-1) ?? '')).toEqual(['the last bananas']);
    }
  });

  it('loses no change whose number the original has used before the request was repeated', async () => {
    const one = await devices.open();
    const two = await devices.openJoined(one);
    await untilSynced(one);
    await devices.close(one);
    const dataDir = join(aDataFolder(), 'copy');
    cpSync(one.dataDir, dataDir, { recursive: true });
    const [original, copy] = [await devices.open({ dataDir: one.dataDir }), await devices.open({ dataDir })];
    for (const device of [original, copy]) {
      await device.ask.settings.updateProfile({ lastName: 'Costa' });
      await untilSynced(device);
    }
    await untilSynced(original);
    // The request breaks off, so the copy cannot know whether it arrived.
    server.failOnPush = (changes) =>
      changes.some(({ fields }) => fields['firstName'] === 'Ana') ? 'sync.offline' : null;
    await copy.ask.settings.updateProfile({ firstName: 'Ana' });
    await copy.ask.sync.run();
    await original.ask.settings.updateProfile({ jobTitle: 'Planner' });
    await untilSynced(original);
    server.failOnPush = null;
    await untilSynced(copy, two);
    expect((await two.ask.settings.read()).profile).toMatchObject({ firstName: 'Ana', jobTitle: 'Planner' });
  });

  it('loses no attempt at a word and counts none twice', async () => {
    const one = await devices.open();
    const two = await devices.openJoined(one);
    await attempt(one);
    await untilSynced(one);
    await devices.close(one);
    const putBack = copyOf(one);
    const later = await devices.open({ dataDir: one.dataDir });
    for (let time = 0; time < 3; time += 1) await attempt(later);
    await untilSynced(later);
    await devices.close(later);

    putBack();
    const restored = await devices.open({ dataDir: one.dataDir });
    await restored.ask.settings.updateProfile({ firstName: 'Ana' });
    await untilSynced(restored);
    for (let time = 0; time < 2; time += 1) await attempt(restored);
    await untilSynced(restored, two);
    expect([restored, two].map(attemptsOf)).toEqual([6, 6]);
  });
});

describe('a database restored from its backup', () => {
  it.each([
    ['keeps the newest change', false],
    ['was upgraded meanwhile', true],
  ])('undoes no later change if the damaged file is unreadable and the server %s', async (_server, isUpgraded) => {
    const one = await devices.open();
    const two = await devices.openJoined(one);
    await one.ask.settings.updateProfile({ jobTitle: 'Planner' });
    await untilSynced(one);
    server.fail = 'sync.offline';
    await one.ask.settings.updateProfile({ jobTitle: 'Unsent in the backup' });
    await devices.close(one);
    clock.pass(25 * HOUR_MS);
    const backedUp = await devices.open({ dataDir: one.dataDir });
    server.fail = null;
    await untilSynced(backedUp);
    clock.pass(HOUR_MS);
    await backedUp.ask.settings.updateProfile({ jobTitle: 'Changed after the backup' });
    await untilSynced(backedUp, two);
    await devices.close(backedUp);
    writeFileSync(join(one.dataDir, 'parley.sqlite'), 'not a database any more '.repeat(1_000));

    if (isUpgraded) await server.execute(sql`update devices set last_change_at = null, last_change_offset_ms = null`);
    const restored = await devices.open({ dataDir: one.dataDir });
    expect((await restored.ask.app.about()).restoredFrom).not.toBeNull();
    await untilSynced(restored, two);
    for (const device of [restored, two])
      expect((await device.ask.settings.read()).profile.jobTitle).toBe('Changed after the backup');
  });

  it.each([
    ['is a day off', -24 * HOUR_MS, 900],
    ['is a day off', -24 * HOUR_MS, 9_000],
    ['is right', 0, 9_000],
  ])(
    'keeps the order of its changes when its clock %s (%d ms) and one took %d ms to arrive',
    async (_clock, offMs, delayMs) => {
      serverAheadMs = offMs;
      const one = await devices.open();
      await one.ask.settings.updateProfile({ firstName: 'Ana' });
      const two = await devices.openJoined(one);
      await untilSynced(one);
      await devices.close(one);
      clock.pass(25 * HOUR_MS);
      const backedUp = await devices.open({ dataDir: one.dataDir });
      await backedUp.ask.settings.updateProfile({ lastName: 'Silva' });
      await untilSynced(backedUp);
      server.fail = 'drop';
      serverAheadMs += delayMs;
      await backedUp.ask.settings.updateProfile({ jobTitle: 'First' });
      await expect
        .poll(async () => {
          await backedUp.ask.sync.run();
          return server.pushed.flat().map(({ fields }) => fields['jobTitle']);
        })
        .toContain('First');
      server.fail = 'sync.offline';
      serverAheadMs = offMs;
      clock.pass(10);
      await backedUp.ask.settings.updateProfile({ jobTitle: 'Second' });
      await devices.close(backedUp);
      damageTable(one.dataDir, 'practice_history');

      clock.pass(1_000);
      server.fail = null;
      const restored = await devices.open({ dataDir: one.dataDir });
      expect((await restored.ask.app.about()).restoredFrom).not.toBeNull();
      await untilSynced(restored, two);
      for (const device of [restored, two]) expect((await device.ask.settings.read()).profile.jobTitle).toBe('Second');
    },
  );

  it('does not leave a course again that was joined again after the backup', async () => {
    const one = await devices.open();
    const two = await devices.openJoined(one);
    const [course] = await one.ask.courses.list();
    if (course === undefined) throw new Error('the catalogue has no course');
    const { courseId } = course;
    await one.ask.courses.enrol({ courseId });
    await untilSynced(one);
    server.fail = 'sync.offline';
    await one.ask.courses.leave({ courseId });
    await devices.close(one);
    clock.pass(25 * HOUR_MS);
    const backedUp = await devices.open({ dataDir: one.dataDir });
    server.fail = null;
    await untilSynced(backedUp);
    clock.pass(HOUR_MS);
    await backedUp.ask.courses.enrol({ courseId });
    await untilSynced(backedUp, two);
    await devices.close(backedUp);
    writeFileSync(join(one.dataDir, 'parley.sqlite'), 'not a database any more '.repeat(1_000));

    const restored = await devices.open({ dataDir: one.dataDir });
    await untilSynced(restored, two);
    for (const { ask } of [restored, two])
      expect((await ask.courses.list()).find((each) => each.courseId === courseId)?.isEnrolled).toBe(true);
  });
});

describe('word attempts after database damage', () => {
  /** Makes three attempts: one in the backup, one only on the server, and one only on the device. */
  async function aDamagedDevice() {
    const one = await devices.open();
    const two = await devices.openJoined(one);
    await attempt(one);
    await untilSynced(one);
    await devices.close(one);
    clock.pass(25 * HOUR_MS);
    const backedUp = await devices.open({ dataDir: one.dataDir });
    for (let time = 0; time < 2; time += 1) await attempt(backedUp);
    await untilSynced(backedUp);
    server.fail = 'sync.offline';
    await attempt(backedUp);
    expect(attemptsOf(backedUp)).toBe(4);
    await devices.close(backedUp);
    return { two, dataDir: one.dataDir };
  }

  it('are counted exactly once after restoring a backup', async () => {
    const { two, dataDir } = await aDamagedDevice();
    damageTable(dataDir, 'practice_history');
    const restored = await devices.open({ dataDir });
    expect((await restored.ask.app.about()).restoredFrom).not.toBeNull();
    for (let time = 0; time < 2; time += 1) await attempt(restored);
    server.fail = null;
    await untilSynced(restored, two);
    expect([restored, two].map(attemptsOf)).toEqual([6, 6]);
    expect(readOutbox(dataDir)).toEqual([]);
  });

  it('are counted exactly once when no backup is left', { tags: ['slow'] }, async () => {
    const { two, dataDir } = await aDamagedDevice();
    damageTable(dataDir, 'practice_history');
    rmSync(join(dataDir, 'backups'), { recursive: true });
    const rebuilt = await devices.open({ dataDir });
    for (let time = 0; time < 2; time += 1) await attempt(rebuilt);
    server.fail = null;
    await untilSynced(rebuilt, two);
    expect([rebuilt, two].map(attemptsOf)).toEqual([6, 6]);
  });
});
