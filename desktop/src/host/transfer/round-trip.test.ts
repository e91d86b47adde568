/** Exports that are imported on the computer that they came from. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { inDatabase } from '../test-kit/read-database.ts';
import { OTHER_COACH } from '../test-kit/test-catalogue.ts';
import {
  aDevice,
  aLearner,
  type Device,
  drill,
  exportOf,
  importInto,
  practise,
  closeDevices,
  seen,
  send,
} from '../test-kit/transfer-devices.ts';

afterEach(closeDevices);

const TABLES = [
  'practice_history',
  'ai_conversations',
  'user_course_interaction',
  'word_attempts',
  'enrollments',
  'feedback_details',
  'coach_assignment_history',
  'recordings',
  'drill_attempts',
];

/** The number of rows in each table, and of audio files, on the device. */
const countsOf = ({ dataDir }: Device): Record<string, number> => ({
  ...inDatabase(dataDir, (sqlite) =>
    Object.fromEntries(
      TABLES.map((table) => [table, Number(sqlite.prepare(`SELECT count(*) FROM ${table}`).pluck().get())]),
    ),
  ),
  files: readdirSync(join(dataDir, 'recordings')).length,
});

const recordingsOfTurns = ({ dataDir }: Device): unknown[] =>
  inDatabase(dataDir, (sqlite) =>
    sqlite
      .prepare('SELECT recordings.recording_id FROM ai_conversations JOIN recordings USING (recording_id) ORDER BY 1')
      .pluck()
      .all(),
  );

const openAssignments = ({ dataDir }: Device): unknown[] =>
  inDatabase(dataDir, (sqlite) =>
    sqlite
      .prepare('SELECT assignment_id FROM coach_assignment_history WHERE assignment_end_date IS NULL')
      .pluck()
      .all(),
  );

const bring = async (from: Device, to: Device): Promise<void> => void (await importInto(to, await exportOf(from)));

describe('an export that comes back', () => {
  it('duplicates nothing, however often it goes back and forth', async () => {
    const [one, two] = [await aLearner(), await aDevice()];
    const before = await seen(one);
    const [voices, coach] = [recordingsOfTurns(one), openAssignments(one)];
    expect(voices).toHaveLength(1);
    expect(coach).toHaveLength(1);
    await bring(one, two);
    await bring(two, one);
    expect(await seen(one)).toEqual(before);
    const counts = countsOf(one);
    for (let round = 0; round < 3; round += 1) {
      await bring(one, two);
      await bring(two, one);
    }
    expect(await seen(one)).toEqual(before);
    expect(countsOf(one)).toEqual(counts);
    expect(countsOf(one)).toMatchObject({ practice_history: 1, recordings: 2, drill_attempts: 1, files: 2 });
    expect(recordingsOfTurns(one)).toEqual(voices);
    expect(openAssignments(one)).toEqual(coach);
    expect(recordingsOfTurns(two)).toHaveLength(voices.length);
    expect(countsOf(two)).toMatchObject({ practice_history: 1, recordings: 2, drill_attempts: 1, files: 2 });
  });

  it('leaves each computer the coach that its learner has there', async () => {
    const [one, two] = [await aLearner(), await aDevice()];
    await two.ask.settings.updateProfile({ agentId: OTHER_COACH });
    for (const { clock } of [one, two]) clock.pass(60_000);
    const coaches = [openAssignments(one), openAssignments(two)];
    for (let round = 0; round < 2; round += 1) {
      await bring(one, two);
      await bring(two, one);
    }
    expect([openAssignments(one), openAssignments(two)]).toEqual(coaches);
  });

  it('brings each side’s later practices once', async () => {
    const [one, two] = [await aLearner(), await aDevice()];
    await bring(one, two);
    two.clock.pass(3_600_000);
    await practise(two);
    await drill(two, 'I think so');
    one.clock.pass(7_200_000);
    await practise(one);
    for (let round = 0; round < 2; round += 1) {
      await bring(two, one);
      await bring(one, two);
    }
    for (const device of [one, two])
      expect(countsOf(device)).toMatchObject({ practice_history: 3, recordings: 5, drill_attempts: 2, files: 5 });
    expect((await seen(one)).words).toEqual((await seen(two)).words);
  });

  it('creates no duplicates on three computers, in any direction', async () => {
    const [one, two, three] = [await aLearner(), await aDevice(), await aDevice()];
    await bring(one, two);
    await bring(one, three);
    await bring(two, three);
    await bring(three, one);
    await bring(three, two);
    await bring(two, one);
    const words = (await seen(one)).words;
    for (const device of [one, two, three]) {
      expect(countsOf(device)).toMatchObject({ practice_history: 1, recordings: 2, drill_attempts: 1, files: 2 });
      expect((await seen(device)).words).toEqual(words);
    }
  });

  it('does not restore practices that were deleted here, and counts them', async () => {
    const [one, two] = [await aLearner(), await aDevice()];
    await bring(one, two);
    const [session] = (await seen(one)).sessions;
    one.clock.pass(60_000);
    await one.ask.history.remove({ sessionId: session?.sessionId ?? '' });
    for (const from of [one, two]) {
      const importId = await send(one, await exportOf(from));
      const deletedHere = from === two ? 1 : 0;
      expect(await one.ask.import.preview({ importId })).toMatchObject({ practices: { toImport: 0 }, deletedHere });
      await one.ask.import.apply({ importId });
      expect((await seen(one)).sessions).toEqual([]);
    }
  });
});
