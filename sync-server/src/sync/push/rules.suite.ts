import { type Mutation, schemaFingerprint } from '@parley/contract';
import { randomUUID } from 'node:crypto';
import { enrolmentId, type PronunciationWord } from '@parley/domain';
import {
  MAX_PRONUNCIATION_WORDS,
  PronunciationWords,
  recordWordAttempt,
} from '@parley/domain/test-kit/pronunciation-words';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { setUpSyncFixture } from '../../../test-kit/sync/sync-fixture.ts';
import { aRow } from '../../../test-kit/sync/any-row.ts';
import { pushSession, rowOf, sessionFields, setSummary } from '../../../test-kit/sync/rows.ts';
import { joinDevice, registerDevice, type TestDevice } from '../../../test-kit/server.ts';
import { aLearnerTurn, interactionChange, turnChange } from '../../../test-kit/sync/turns.ts';

const DAY_MS = 24 * 3_600_000;

export function rulesSuite(open: () => Promise<DatabaseConnection>): void {
  const home = setUpSyncFixture(open);

  const aWord = (word: string, given: Partial<PronunciationWord> = {}): PronunciationWord => ({
    word,
    ipa: '',
    attempts: 1,
    meanAccuracy: 40,
    worstPhonemes: [],
    lastPracticedAt: '2026-11-18T10:00:00.000Z',
    due: null,
    stability: null,
    difficulty: null,
    ...given,
  });
  const words = (prefix: string, count: number): PronunciationWord[] =>
    Array.from({ length: count }, (_, nr) => aWord(`${prefix}${nr}`));
  const listOf = (device: TestDevice, list: readonly PronunciationWord[], rowId = device.userId) =>
    device.change({
      table: 'pronunciation_improvement_summary',
      rowId,
      fields: { userId: device.userId, words: list as never },
    });
  const aPair = async () => {
    const laptop = await registerDevice(home.server);
    return { laptop, phone: await joinDevice(home.server, laptop) };
  };
  const enrolment = (device: TestDevice, rowId: string) => ({
    table: 'enrollments',
    rowId,
    fields: { userId: device.userId, courseId: home.ids.courseId, enrollmentDate: '2026-11-18T10:00:00.000Z' },
  });
  const derived = (device: TestDevice): string => enrolmentId(device.userId, home.ids.courseId);
  const rowsOf = async (device: TestDevice, table: string) =>
    (await device.pull()).filter((row) => row.table === table).map(({ fields }) => fields);

  describe('a completed session', () => {
    it('stays completed with its scores and cannot be paused', async () => {
      const { server, ids } = home;
      const { laptop, phone } = await aPair();
      const { rowId } = await pushSession(server, laptop, ids);
      const of = { table: 'practice_history', rowId };
      server.advanceClock(60_000);
      await laptop.push(laptop.change({ ...of, fields: { status: 'completed', score: 91, summary: 'Good.' } }));
      server.advanceClock(60_000);
      const { outcomes } = await phone.push(
        phone.change({ ...of, fields: { status: 'failed_to_generate_score', score: null, summary: null } }),
        phone.change({ ...of, fields: { pausedAt: server.now().toISOString(), duration: 300 } }),
      );
      expect(outcomes).toMatchObject([{ status: 'merged' }, { status: 'merged' }]);
      expect(await rowOf(phone, rowId)).toMatchObject({
        status: 'completed',
        score: 91,
        summary: 'Good.',
        pausedAt: null,
        duration: 300,
      });
      await laptop.push(laptop.change({ ...of, fields: { duration: 200 } }));
      expect(await rowOf(phone, rowId)).toMatchObject({ duration: 300 });
    });
  });

  describe('words to train', () => {
    it('add up the attempts of each device: 1, 20 and 1 are 22', async () => {
      const { laptop, phone } = await aPair();
      const practise = (device: TestDevice, times: number, list: PronunciationWords): PronunciationWords =>
        Array.from({ length: times }).reduce<PronunciationWords>(
          (said) =>
            recordWordAttempt(said, {
              word: 'quarter',
              ipa: '',
              accuracy: 50,
              worstPhonemes: [],
              at: home.server.now().toISOString(),
              deviceId: device.deviceId,
            }),
          list,
        );
      const kept = async () =>
        PronunciationWords.parse((await rowsOf(laptop, 'pronunciation_improvement_summary'))[0]?.['words']);
      const first = practise(laptop, 1, []);
      await laptop.push(listOf(laptop, first));
      const onPhone = practise(phone, 20, first);
      const onLaptop = practise(laptop, 1, first);
      await phone.push(listOf(phone, onPhone));
      await laptop.push(listOf(laptop, onLaptop));
      expect(await kept()).toMatchObject([{ word: 'quarter', attempts: 22, meanAccuracy: 50 }]);
      // A repeated list counts once.
      await phone.push(listOf(phone, onPhone));
      expect(await kept()).toMatchObject([{ attempts: 22 }]);
    });

    it('in excess reject the list that exceeds the limit and nothing after it', async () => {
      const { laptop, phone } = await aPair();
      await laptop.push(listOf(laptop, words('a', 3_000)));
      const tooMany = listOf(phone, words('b', 2_500));
      expect((await phone.push(tooMany)).outcomes).toMatchObject([
        { status: 'rejected', code: 'limit_exceeded', field: 'words' },
      ]);
      const some = await phone.push(listOf(phone, words('b', MAX_PRONUNCIATION_WORDS - 3_000)));
      expect(some.outcomes).toMatchObject([{ status: 'merged' }]);
      const old = await registerDevice(home.server);
      await old.pushV2(listOf(old, words('a', 3_000), randomUUID()));
      const [row] = await rowsOf(old, 'pronunciation_improvement_summary');
      const { outcomes } = await old.pushV2(listOf(old, words('b', 2_500), String(row?.['id'])));
      expect(outcomes).toMatchObject([{ status: 'rejected', code: 'invalid_value', field: 'words' }]);
    });

    it.each([
      ['too many words', JSON.stringify(words('x', MAX_PRONUNCIATION_WORDS + 1))],
      ['no list', '{"no": "list"}'],
      ['nothing', 'null'],
      ['invalid entries', JSON.stringify([null, 5, { word: 'half' }, aWord('good')])],
    ])('that are stored as %s fail no push', async (_what, stored) => {
      const device = await registerDevice(home.server);
      await device.push(listOf(device, [aWord('first')]));
      await home.server.database.db.execute(sql`
        update pronunciation_improvement_summary set words = ${stored}::jsonb, field_clocks = '{"words": 5, "x": null}'
        where user_id = ${device.userId}`);
      const { outcomes } = await device.push(
        listOf(device, [aWord('more')]),
        device.change({ table: 'users', rowId: device.userId, fields: { jobTitle: 'Nurse' } }),
      );
      expect(outcomes[0]?.status).toMatch(/merged|rejected/);
      expect(outcomes[1]).toMatchObject({ status: 'applied' });
      const [user] = await rowsOf(device, 'users');
      expect(user).toMatchObject({ jobTitle: 'Nurse' });
      // The rest of such a row can still be changed.
      const rest = {
        table: 'pronunciation_improvement_summary',
        rowId: device.userId,
        fields: { userId: device.userId },
      };
      expect((await device.push(device.change(rest))).outcomes).toMatchObject([{ status: 'applied' }]);
      if (stored.includes('half')) {
        const [list] = await rowsOf(device, 'pronunciation_improvement_summary');
        expect(list?.['words']).toMatchObject([{ word: 'good' }, { word: 'more' }, null, 5, { word: 'half' }]);
      }
    });

    it('form one list per learner, with the learner’s id', async () => {
      const { laptop } = await aPair();
      const { outcomes } = await laptop.push(listOf(laptop, [], randomUUID()), listOf(laptop, []));
      expect(outcomes).toMatchObject([
        { status: 'rejected', code: 'invalid_value', field: 'id' },
        { status: 'applied' },
      ]);
      expect((await laptop.pushV2(listOf(laptop, [], randomUUID()))).outcomes).toMatchObject([{ code: 'conflict' }]);
    });
  });

  describe('enrolments', () => {
    it('made offline on two devices become one', async () => {
      const { laptop, phone } = await aPair();
      expect((await laptop.push(laptop.change(enrolment(laptop, derived(laptop))))).outcomes).toMatchObject([
        { status: 'applied' },
      ]);
      home.server.advanceClock(1_000);
      const again = enrolment(phone, derived(phone));
      const later = { ...again.fields, createdAt: home.server.now().toISOString() };
      expect((await phone.push(phone.change({ ...again, fields: later }))).outcomes).toMatchObject([
        { status: 'merged' },
      ]);
      expect(await rowsOf(laptop, 'enrollments')).toMatchObject([{ enrollmentId: derived(laptop), deletedAt: null }]);
    });

    it('can be left and resumed under the same id or, in older apps, another', async () => {
      const { laptop } = await aPair();
      const own = enrolment(laptop, derived(laptop));
      const enrol = () => laptop.change(own);
      const leave = () => laptop.change({ ...own, fields: {}, op: 'delete' });
      const statuses = async (...changes: ReturnType<typeof enrol>[]) =>
        (await laptop.push(...changes)).outcomes.map(({ status }) => status);
      expect(await statuses(enrol(), leave(), enrol())).toEqual(['applied', 'applied', 'merged']);
      expect(await rowsOf(laptop, 'enrollments')).toMatchObject([{ deletedAt: null }]);
      await laptop.push(leave());
      const other = laptop.change(enrolment(laptop, randomUUID()));
      expect((await laptop.pushV2(other)).outcomes).toMatchObject([{ status: 'applied' }]);
      // The new row now has the key, so the first cannot return beside it.
      expect((await laptop.push(enrol())).outcomes).toMatchObject([{ status: 'rejected', code: 'conflict' }]);
    });

    it('have a derived id that must belong to the learner', async () => {
      const { laptop } = await aPair();
      const foreign = enrolmentId(randomUUID(), home.ids.courseId);
      const { outcomes } = await laptop.push(laptop.change(enrolment(laptop, foreign)));
      expect(outcomes).toMatchObject([{ status: 'rejected', code: 'invalid_value', field: 'enrollmentId' }]);
    });
  });

  describe('attempts', () => {
    it.each([
      ['day', 'not-a-day'],
      ['day', '2026-13-45'],
      ['day', '2026-02-30'],
      ['word', ''],
    ])('with a %s of “%s” are rejected, because no device could show them', async (name, value) => {
      const { laptop } = await aPair();
      const { id, ...row } = aRow('wordAttempts', new Map([['users', laptop.userId]]), 'sparse');
      const fields = Object.fromEntries(
        Object.entries(row).filter(([field]) => !['syncVersion', 'updatedAt', 'deletedAt'].includes(field)),
      ) as Mutation['fields'];
      const attempt = (given: Mutation['fields']) =>
        laptop.change({ table: 'word_attempts', rowId: String(id), fields: { ...fields, ...given } });
      expect((await laptop.push(attempt({ [name]: value }), attempt({}))).outcomes).toMatchObject([
        { status: 'rejected', code: 'invalid_value', field: name },
        { status: 'applied' },
      ]);
    });
  });

  describe('a wrong clock', () => {
    it.each([
      ['two days ahead', 2 * DAY_MS],
      ['two days behind', -2 * DAY_MS],
      ['centuries ahead', Date.parse('2286-01-01T00:00:00.000Z') - Date.parse('2026-11-18T10:00:00.000Z')],
      ['at the start of the epoch', Date.parse('1970-01-01T00:00:00.000Z') - Date.parse('2026-11-18T10:00:00.000Z')],
    ])('%s wins and loses by the actual order of events', async (_what, aheadMs) => {
      const { server, ids } = home;
      const { laptop, phone } = await aPair();
      const { rowId } = await pushSession(server, laptop, ids);
      server.advanceClock(60_000);
      phone.clockAheadMs = aheadMs;
      const [outcome] = (await phone.push(setSummary(phone, rowId, 'by the wrong clock'))).outcomes;
      expect(outcome).toMatchObject({ status: 'applied', at: expect.stringContaining(phone.deviceId) });
      expect(await rowOf(laptop, rowId)).toMatchObject({ summary: 'by the wrong clock' });
      server.advanceClock(60_000);
      await laptop.push(setSummary(laptop, rowId, 'a minute later'));
      expect(await rowOf(phone, rowId)).toMatchObject({ summary: 'a minute later' });
      server.advanceClock(60_000);
      await phone.push(phone.change({ table: 'practice_history', rowId, op: 'delete' }));
      expect((await rowOf(laptop, rowId))?.['deletedAt']).not.toBeNull();
    });

    it('does not matter to a device that already had the row', async () => {
      const { server, ids } = home;
      const { laptop, phone } = await aPair();
      const { rowId } = await pushSession(server, laptop, ids);
      const ahead = await phone.push(setSummary(phone, rowId, 'half a minute ahead', server.now().getTime() + 30_000));
      const seen = { ...setSummary(laptop, rowId, 'seen'), base: ahead.userVersion };
      expect((await laptop.push(seen)).outcomes).toMatchObject([{ status: 'applied', at: expect.any(String) }]);
      const unseen = { ...setSummary(phone, rowId, 'unseen', server.now().getTime() - 30_000), base: 1 };
      expect((await phone.push(unseen)).outcomes).toMatchObject([{ status: 'merged' }]);
      expect(await rowOf(phone, rowId)).toMatchObject({ summary: 'seen' });
    });
  });

  describe('refused fields', () => {
    it('are left out, and named again when the response was lost', async () => {
      const device = await registerDevice(home.server);
      const fields = { jobTitle: 'Nurse', mood: 'sunny', practiceStyle: 'telepathy', englishLevel: 'advanced' };
      const change = device.change({ table: 'users', rowId: device.userId, fields });
      const refused = [
        { field: 'mood', code: 'unknown_field' },
        { field: 'practiceStyle', code: 'invalid_value' },
      ];
      const first = await device.push(change);
      expect(first.outcomes).toEqual([{ id: change.id, status: 'merged', refused }]);
      expect((await device.push(change)).outcomes).toEqual(first.outcomes);
      const [user] = await rowsOf(device, 'users');
      expect(user).toMatchObject({ jobTitle: 'Nurse', practiceStyle: null, englishLevel: 'advanced' });
      expect(first.schema).toBe(schemaFingerprint());
    });

    it('reject a new row that requires them', async () => {
      const { laptop, ids } = home;
      const given = sessionFields(ids, laptop.userId);
      const create = (fields: object) =>
        laptop.change({ table: 'practice_history', rowId: randomUUID(), fields: { ...given, ...fields } });
      const { outcomes } = await laptop.push(
        create({ difficulty: 'impossible' }),
        create({ userId: 'unknown' }),
        create({ score: 'A+' }),
      );
      expect(outcomes).toMatchObject([
        { status: 'rejected', code: 'invalid_value', field: 'difficulty' },
        { status: 'rejected', code: 'invalid_value', field: 'userId' },
        { status: 'merged', refused: [{ field: 'score', code: 'invalid_value' }] },
      ]);
    });

    it('keep values that the server’s schema does not know', async () => {
      const device = await registerDevice(home.server);
      const known = { ...aWord('known'), pitchRange: { low: 90 } } as PronunciationWord;
      await device.push(listOf(device, [known]));
      const [list] = await rowsOf(device, 'pronunciation_improvement_summary');
      expect(list?.['words']).toEqual([known]);
    });
  });

  describe('a coach', () => {
    it('is assigned once: of two choices made offline the later stays', async () => {
      const { server, ids } = home;
      const { laptop, phone } = await aPair();
      const choose = (device: TestDevice, assignmentStartDate: string) =>
        device.change({
          table: 'coach_assignment_history',
          rowId: randomUUID(),
          fields: { userId: device.userId, agentId: ids.agentId, assignmentStartDate, assignmentEndDate: null },
        });
      const [earlier, later] = [choose(phone, '2026-11-18T09:00:00.000Z'), choose(laptop, '2026-11-18T09:30:00.000Z')];
      await laptop.push(later);
      server.advanceClock(1_000);
      const { outcomes, rows } = await phone.push(earlier);
      expect(outcomes).toMatchObject([{ status: 'merged' }]);
      expect(rows).toHaveLength(1);
      const end = (rowId: string) =>
        laptop
          .pull()
          .then((pulled) => pulled.find(({ fields }) => fields['assignmentId'] === rowId)?.fields['assignmentEndDate']);
      expect([await end(earlier.rowId), await end(later.rowId)]).toEqual(['2026-11-18T09:30:00.000Z', null]);
      const third = choose(phone, '2026-11-18T11:00:00.000Z');
      const closing = await phone.push(third);
      expect(closing.outcomes).toMatchObject([{ status: 'applied' }]);
      expect(closing.rows[0]?.rows).toHaveLength(1);
      expect([await end(later.rowId), await end(third.rowId)]).toEqual(['2026-11-18T11:00:00.000Z', null]);
    });
  });

  describe('another learner’s row', () => {
    it('cannot be taken over with another spelling of its id', async () => {
      const { server, laptop, stranger, ids } = home;
      const { rowId } = await pushSession(server, laptop, ids, 'in confidence');
      const loud = rowId.toUpperCase();
      const fields = sessionFields(ids, stranger.userId, 'taken over');
      for (const push of [stranger.push, stranger.pushV2])
        for (const given of [fields, { ...fields, id: loud }]) {
          const { outcomes } = await push(stranger.change({ table: 'practice_history', rowId: loud, fields: given }));
          expect(outcomes).toMatchObject([{ status: 'rejected', code: 'not_yours' }]);
        }
      expect(await rowOf(laptop, rowId)).toMatchObject({ summary: 'in confidence', userId: laptop.userId });
    });

    it('keeps its conversation when a change of it is rejected', async () => {
      const { server, laptop, stranger, ids } = home;
      const { rowId: sessionId } = await pushSession(server, laptop, ids);
      const interaction = interactionChange(server, laptop, sessionId);
      const turn = aLearnerTurn({ text: 'in confidence' });
      const at = { sessionId, interactionId: interaction.rowId, previousTurnId: null };
      await laptop.push(interaction, turnChange(laptop, turn, at));
      const change = stranger.change({ table: 'practice_history', rowId: sessionId, fields: { status: 'completed' } });
      expect(await stranger.pushV2(change)).toMatchObject({ outcomes: [{ status: 'rejected' }], rows: [] });
      const session = (await laptop.pullV2()).find(({ fields }) => fields['id'] === sessionId);
      expect(session?.fields['entireConversation']).toMatchObject([{ text: 'in confidence' }]);
    });
  });
}
