import { randomUUID } from 'node:crypto';
import { entities, entityKeyByTable, formatHybridTime, PronunciationWords, recordWordAttempt } from '@parley/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { type CatalogueIds, catalogueIds, pushSession, rowOf, sessionFields } from '../test-kit/rows.ts';
import { joinDevice, registerDevice, startServer, type TestDevice, type TestServer } from '../test-kit/server.ts';

export function syncSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let laptop: TestDevice;
  let phone: TestDevice;
  let stranger: TestDevice;
  let ids: CatalogueIds;

  beforeAll(async () => {
    server = await startServer(await open(), { withCatalogue: true });
    laptop = await registerDevice(server);
    phone = await joinDevice(server, laptop);
    stranger = await registerDevice(server);
    ids = await catalogueIds(laptop);
  });
  afterAll(() => server.close());

  const setSummary = (device: TestDevice, rowId: string, summary: string, ms?: number) =>
    device.change({
      table: 'practice_history',
      rowId,
      fields: { summary },
      ...(ms === undefined ? {} : { ms }),
    });

  describe('a push', () => {
    it('reaches the other device of the learner, and nobody else', async () => {
      const { rowId, pushed } = await pushSession(server, laptop, ids);
      expect(pushed.outcomes).toMatchObject([{ status: 'applied' }]);
      expect(await rowOf(phone, rowId)).toMatchObject({ summary: 'first', userId: laptop.userId, duration: 0 });
      expect(await rowOf(stranger, rowId)).toBeUndefined();
    });

    it('that comes twice is applied once, and answered as if it had come once', async () => {
      const { rowId, change, pushed } = await pushSession(server, laptop, ids);
      const again = await laptop.push(change, setSummary(laptop, rowId, 'second'));
      expect(again.outcomes).toMatchObject([{ status: 'duplicate' }, { status: 'applied' }]);
      expect(again.lastSeq).toBe(pushed.lastSeq + 1);
      expect(await rowOf(laptop, rowId)).toMatchObject({ summary: 'second' });
    });

    it('with a gap in its sequence is refused whole, and says what the server holds', async () => {
      const device = await registerDevice(server);
      const { pushed } = await pushSession(server, device, ids);
      device.change({ table: 'practice_history', rowId: randomUUID() });
      const answer = await server.post(
        '/v1/sync/push',
        {
          protocol: 1,
          deviceId: device.deviceId,
          mutations: [setSummary(device, randomUUID(), 'lost')],
        },
        device.token,
      );
      expect(answer).toMatchObject({
        status: 409,
        body: { code: 'sync.gap', data: { detail: String(pushed.lastSeq) } },
      });
    });

    it('keeps what is right when something in it is refused', async () => {
      const rowId = randomUUID();
      const { outcomes } = await laptop.push(
        laptop.change({ table: 'nonsense', rowId }),
        laptop.change({ table: 'practice_history', rowId, fields: sessionFields(ids, laptop.userId, 'kept') }),
      );
      expect(outcomes).toMatchObject([{ status: 'rejected', code: 'unknown_table' }, { status: 'applied' }]);
      expect(await rowOf(laptop, rowId)).toMatchObject({ summary: 'kept' });
    });

    const refused: [what: string, code: string, field: string | null, change: () => Record<string, unknown>][] = [
      [
        'an account field',
        'account_field',
        'isAdmin',
        () => ({ table: 'users', rowId: laptop.userId, fields: { isAdmin: true } }),
      ],
      [
        'another learner',
        'not_yours',
        null,
        () => ({ table: 'users', rowId: stranger.userId, fields: { jobTitle: 'x' } }),
      ],
      [
        'a row given to another',
        'not_yours',
        null,
        () => ({ table: 'practice_history', rowId: randomUUID(), fields: sessionFields(ids, stranger.userId) }),
      ],
      [
        'the catalogue',
        'read_only',
        null,
        () => ({ table: 'practices', rowId: ids.practiceId, fields: { title: 'Mine' } }),
      ],
      ['a subscription', 'read_only', null, () => ({ table: 'subscriptions', rowId: randomUUID() })],
      [
        'an unknown field',
        'unknown_field',
        'colour',
        () => ({ table: 'users', rowId: laptop.userId, fields: { colour: 'red' } }),
      ],
      [
        'a field named like a method',
        'unknown_field',
        'constructor',
        () => ({ table: 'users', rowId: laptop.userId, fields: { constructor: 'x' } }),
      ],
      [
        'a value out of range',
        'invalid_value',
        'score',
        () => ({
          table: 'practice_history',
          rowId: randomUUID(),
          fields: { ...sessionFields(ids, laptop.userId), score: 101 },
        }),
      ],
      [
        'SQL in a value that is a list',
        'invalid_value',
        'status',
        () => ({
          table: 'practice_history',
          rowId: randomUUID(),
          fields: { ...sessionFields(ids, laptop.userId), status: "x'; drop table users; --" },
        }),
      ],
      [
        'a prototype',
        'unknown_field',
        'toString',
        () => ({
          table: 'users',
          rowId: laptop.userId,
          fields: JSON.parse('{"__proto__":{"isAdmin":true},"toString":"x"}'),
        }),
      ],
      [
        'a character that no text may hold',
        'invalid_value',
        null,
        () => ({
          table: 'practice_history',
          rowId: randomUUID(),
          fields: sessionFields(ids, laptop.userId, 'nul \u0000'),
        }),
      ],
      [
        'a time that no calendar has',
        'invalid_value',
        null,
        () => ({
          table: 'practice_history',
          rowId: randomUUID(),
          fields: { ...sessionFields(ids, laptop.userId), pausedAt: '0000-01-01T00:00:00Z' },
        }),
      ],
      [
        'a key that is not its row',
        'invalid_value',
        'id',
        () => ({
          table: 'practice_history',
          rowId: randomUUID(),
          fields: { ...sessionFields(ids, laptop.userId), id: randomUUID() },
        }),
      ],
      [
        'a practice that is not there',
        'missing_reference',
        null,
        () => ({
          table: 'practice_history',
          rowId: randomUUID(),
          fields: { ...sessionFields(ids, laptop.userId), practiceId: randomUUID() },
        }),
      ],
      [
        'a row without its required fields',
        'invalid_value',
        'practiceId',
        () => ({ table: 'practice_history', rowId: randomUUID(), fields: { userId: laptop.userId } }),
      ],
    ];
    it.each(refused)('refuses %s', async (_what, code, field, change) => {
      const { outcomes } = await laptop.push(laptop.change(change() as Parameters<typeof laptop.change>[0]));
      expect(outcomes).toMatchObject([{ status: 'rejected', code, field }]);
    });

    it('refuses a second enrolment in a course, and keeps what comes behind it', async () => {
      const enrol = () =>
        laptop.change({
          table: 'enrollments',
          rowId: randomUUID(),
          fields: { userId: laptop.userId, courseId: ids.courseId, enrollmentDate: '2026-11-18T10:00:00.000Z' },
        });
      const { outcomes } = await laptop.push(
        enrol(),
        enrol(),
        laptop.change({ table: 'users', rowId: laptop.userId, fields: { jobTitle: 'Behind it' } }),
      );
      expect(outcomes).toMatchObject([{ status: 'applied' }, { code: 'conflict' }, { status: 'applied' }]);
      const user = (await phone.pull()).find(({ table }) => table === 'users');
      expect(user?.fields).toMatchObject({ jobTitle: 'Behind it', isAdmin: false });
    });

    it.each([
      ['more changes than a push may hold', 501, 10, 400, 'request.invalid'],
      ['more bytes than a push may hold', 300, 4_000, 413, 'request.too_large'],
    ])('refuses %s', async (_what, count, length, status, code) => {
      const device = await registerDevice(server);
      const mutations = Array.from({ length: count }, () =>
        device.change({ table: 'users', rowId: device.userId, fields: { summary: 'x'.repeat(length) } }),
      );
      const answer = await server.post(
        '/v1/sync/push',
        { protocol: 1, deviceId: device.deviceId, mutations },
        device.token,
      );
      expect(answer).toMatchObject({ status, body: { code } });
    });

    it('refuses to write a row of another learner, whose row stays as it was', async () => {
      const { rowId } = await pushSession(server, laptop, ids);
      const { outcomes } = await stranger.push(
        setSummary(stranger, rowId, 'taken over'),
        stranger.change({ table: 'practice_history', rowId, op: 'delete' }),
      );
      expect(outcomes).toMatchObject([{ code: 'not_yours' }, { code: 'not_yours' }]);
      expect(await rowOf(laptop, rowId)).toMatchObject({ summary: 'first', deletedAt: null });
    });

    it('refuses a device that speaks for another', async () => {
      const answer = await server.post(
        '/v1/sync/push',
        { protocol: 1, deviceId: laptop.deviceId, mutations: [] },
        stranger.token,
      );
      expect(answer).toMatchObject({ status: 403, body: { code: 'auth.forbidden' } });
    });

    it('refuses a change again in the same words when the first answer was lost, until the device has gone on', async () => {
      const device = await registerDevice(server);
      const wrong = device.change({ table: 'users', rowId: device.userId, fields: { hasAccess: true } });
      const right = device.change({ table: 'users', rowId: device.userId, fields: { jobTitle: 'Nurse' } });
      const first = await device.push(wrong, right);
      expect(first.outcomes).toMatchObject([{ status: 'rejected', code: 'account_field' }, { status: 'applied' }]);
      const again = await device.push(wrong, right);
      expect(again.outcomes).toEqual([first.outcomes[0], { id: right.id, status: 'duplicate' }]);
      // Of what came before only the row can tell what became of it.
      expect(again.rows.map(({ table }) => table)).toEqual(['users']);
      const next = device.change({ table: 'users', rowId: device.userId, fields: { jobTitle: 'Doctor' } });
      expect((await device.push(next)).outcomes).toMatchObject([{ status: 'applied' }]);
      expect((await device.push(wrong, right, next)).outcomes[0]).toMatchObject({ status: 'duplicate' });
    });

    it('lets nobody refer to a row of another learner, and does not say that it exists', async () => {
      const interactionId = randomUUID();
      const details = { sessionId: randomUUID(), practiceId: null, videoId: null, courseSectionId: null };
      const taken = { userId: stranger.userId, courseId: null, interactionType: 'practice' as const, details };
      const timestamp = server.now().toISOString();
      const theirs = stranger.change({
        table: 'user_course_interaction',
        rowId: interactionId,
        fields: { ...taken, timestamp },
      });
      expect((await stranger.push(theirs)).outcomes).toMatchObject([{ status: 'applied' }]);
      const feedback = (id: string) =>
        laptop.change({
          table: 'feedback_details',
          rowId: randomUUID(),
          fields: {
            userId: laptop.userId,
            interactionId: id,
            performanceCategories: [],
            suggestions: ['Speak up.'],
            score: null,
          },
        });
      const { outcomes } = await laptop.push(feedback(interactionId), feedback(randomUUID()));
      const refused = { status: 'rejected', code: 'missing_reference', field: null };
      expect(outcomes).toMatchObject([refused, refused]);
    });

    it('gives each change its own outcome, also under one id, and takes no account away', async () => {
      const device = await registerDevice(server);
      const own = { table: 'users', rowId: device.userId };
      const wrong = device.change({ ...own, fields: { hasAccess: true } });
      const right = { ...device.change({ ...own, fields: { jobTitle: 'Nurse' } }), id: wrong.id };
      const farewell = device.change({ ...own, op: 'delete' });
      expect((await device.push(wrong, right, farewell)).outcomes).toMatchObject([
        { status: 'rejected', code: 'account_field' },
        { status: 'applied' },
        { status: 'rejected', code: 'read_only' },
      ]);
    });

    it.each([0, 3, 99])('refuses protocol version %d', async (protocol) => {
      for (const path of ['push', 'pull']) {
        const body = { protocol, deviceId: laptop.deviceId };
        const { status } = await server.post(
          `/v1/sync/${path}`,
          path === 'push' ? { ...body, mutations: [] } : { ...body, cursors: { user: 0, catalogue: 0 }, limit: 10 },
          laptop.token,
        );
        expect(status).toBe(protocol === 0 ? 400 : 426);
      }
    });
  });

  describe('two devices', () => {
    it('keep both edits of different fields, and the later edit of one', async () => {
      const { rowId } = await pushSession(server, laptop, ids);
      const base = server.now().getTime();
      await phone.push(
        phone.change({ table: 'practice_history', rowId, fields: { score: 80 }, ms: base + 1 }),
        setSummary(phone, rowId, 'later', base + 30),
      );
      await laptop.push(setSummary(laptop, rowId, 'earlier', base + 20));
      expect(await rowOf(laptop, rowId)).toMatchObject({ score: 80, summary: 'later' });
    });

    it('cannot win for ever with a clock that runs ahead', async () => {
      const { rowId } = await pushSession(server, laptop, ids);
      const twoDays = 2 * 24 * 3_600_000;
      await phone.push(setSummary(phone, rowId, 'from the future', server.now().getTime() + twoDays));
      server.pass(5 * 60_000);
      await laptop.push(setSummary(laptop, rowId, 'five minutes later'));
      expect(await rowOf(phone, rowId)).toMatchObject({ summary: 'five minutes later' });
    });

    it('keep the later of two edits by a device whose clock runs ahead, and its deletion after them', async () => {
      const { rowId } = await pushSession(server, laptop, ids);
      const ahead = server.now().getTime() + 24 * 3_600_000;
      await phone.push(setSummary(phone, rowId, 'first', ahead), setSummary(phone, rowId, 'second', ahead + 1_000));
      expect(await rowOf(laptop, rowId)).toMatchObject({ summary: 'second' });
      await phone.push(phone.change({ table: 'practice_history', rowId, op: 'delete', ms: ahead + 2_000 }));
      expect((await rowOf(laptop, rowId))?.['deletedAt']).toEqual(expect.any(String));
    });

    it('that edit a field in the same instant agree on one, whoever comes first', async () => {
      const [lower, higher] = [laptop, phone].toSorted((a, b) => (a.deviceId < b.deviceId ? -1 : 1));
      for (const order of [
        [lower, higher],
        [higher, lower],
      ]) {
        const { rowId } = await pushSession(server, laptop, ids);
        const ms = server.now().getTime() + 10;
        for (const device of order) {
          const at = formatHybridTime({ ms, counter: 0, deviceId: device?.deviceId ?? '' });
          const fields = { summary: device === higher ? 'higher' : 'lower' };
          await device?.push(device.change({ table: 'practice_history', rowId, fields, at }));
        }
        expect(await rowOf(laptop, rowId)).toMatchObject({ summary: 'higher' });
      }
    });

    it('delete a row with a tombstone, which a newer edit revives and an older one does not', async () => {
      const { rowId } = await pushSession(server, laptop, ids);
      const base = server.now().getTime();
      await laptop.push(laptop.change({ table: 'practice_history', rowId, op: 'delete', ms: base + 100 }));
      expect((await rowOf(phone, rowId))?.['deletedAt']).toEqual(expect.any(String));
      await phone.push(setSummary(phone, rowId, 'older', base + 50));
      expect((await rowOf(phone, rowId))?.['deletedAt']).toEqual(expect.any(String));
      await phone.push(setSummary(phone, rowId, 'newer', base + 200));
      expect(await rowOf(laptop, rowId)).toMatchObject({ deletedAt: null, summary: 'newer' });
    });

    it('never change what was only to be added', async () => {
      const interactionId = randomUUID();
      const fields = {
        userId: laptop.userId,
        courseId: null,
        interactionType: 'practice',
        timestamp: '2026-11-18T10:00:00.000Z',
        details: { sessionId: null, practiceId: null, videoId: null, courseSectionId: null },
      };
      await laptop.push(laptop.change({ table: 'user_course_interaction', rowId: interactionId, fields }));
      await phone.push(
        phone.change({
          table: 'user_course_interaction',
          rowId: interactionId,
          fields: { ...fields, interactionType: 'video' },
        }),
      );
      const kept = (await laptop.pull()).find((row) => row.fields['interactionId'] === interactionId);
      expect(kept?.fields).toMatchObject({ interactionType: 'practice' });
    });

    it('merge their lists of words to train word by word', async () => {
      const rowId = randomUUID();
      const said = (word: string, at: string, before: PronunciationWords = []) =>
        recordWordAttempt(before, { word, ipa: '', accuracy: 40, worstPhonemes: [], at });
      const list = (device: TestDevice, words: PronunciationWords, ms: number) =>
        device.change({
          table: 'pronunciation_improvement_summary',
          rowId,
          fields: { userId: laptop.userId, words },
          ms: server.now().getTime() + ms,
        });
      const monday = '2026-11-16T10:00:00.000Z';
      const tuesday = '2026-11-17T10:00:00.000Z';
      const twice = said('quarter', tuesday, said('quarter', monday));
      await laptop.push(list(laptop, said('invoice', monday, twice), 20));
      await phone.push(list(phone, said('schedule', monday, said('quarter', monday)), 10));
      const kept = PronunciationWords.parse((await rowOf(phone, rowId))?.['words']);
      expect(kept.map(({ word, attempts }) => `${word} ${attempts}`)).toEqual(['invoice 1', 'quarter 2', 'schedule 1']);
    });
  });

  describe('a pull', () => {
    it('gives the same rows page by page as at once, none twice', async () => {
      for (let index = 0; index < 12; index += 1) await pushSession(server, laptop, ids, `page ${index}`);
      const whole = await phone.pull();
      for (const limit of [1, 3, 50]) {
        const paged = await phone.pull({ limit });
        const keyOf = ({ table, fields }: (typeof paged)[number]): string => `${table} ${JSON.stringify(fields)}`;
        expect(paged.map(keyOf).toSorted()).toEqual(whole.map(keyOf).toSorted());
      }
    });

    it('names parents before the rows that refer to them, of those that were written together', async () => {
      const interactionId = randomUUID();
      const common = { userId: laptop.userId, courseId: null };
      await laptop.push(
        laptop.change({
          table: 'user_course_interaction',
          rowId: interactionId,
          fields: {
            ...common,
            interactionType: 'practice',
            timestamp: '2026-11-18T10:00:00.000Z',
            details: { sessionId: null, practiceId: null, videoId: null, courseSectionId: null },
          },
        }),
        laptop.change({
          table: 'ai_conversations',
          rowId: randomUUID(),
          fields: { ...common, interactionId, content: 'Good morning', role: 'learner' },
        }),
      );
      const rows = await laptop.pull();
      const tableOrder = [...entityKeyByTable.keys()];
      const versions = Map.groupBy(rows, ({ table, fields }) => {
        const key = entityKeyByTable.get(table);
        return `${key !== undefined && entities[key].owner === 'catalogue'} ${String(fields['syncVersion'])}`;
      });
      for (const together of versions.values()) {
        const places = together.map(({ table }) => tableOrder.indexOf(table));
        expect(places).toEqual(places.toSorted((a, b) => a - b));
      }
      expect(
        [...versions.values()].filter((together) => new Set(together.map(({ table }) => table)).size > 1),
      ).not.toEqual([]);
    });

    it('gives only what is newer than the cursors, and never half of a push', async () => {
      const before = (await pushSession(server, laptop, ids)).pushed.userVersion;
      const changes = Array.from({ length: 5 }, () =>
        laptop.change({
          table: 'practice_history',
          rowId: randomUUID(),
          fields: sessionFields(ids, laptop.userId, 'five'),
        }),
      );
      await laptop.push(...changes);
      const later = await pushSession(server, laptop, ids, 'later');
      const cursors = { user: before, catalogue: Number.MAX_SAFE_INTEGER };
      const page = await server.post(
        '/v1/sync/pull',
        { protocol: 1, deviceId: phone.deviceId, cursors, limit: 2 },
        phone.token,
      );
      expect(page.body).toMatchObject({ more: true, next: { user: before + 1 } });
      expect(page.body['rows']).toHaveLength(5);
      const rest = await phone.pull({ user: before + 1, catalogue: cursors.catalogue });
      expect(rest.map(({ fields }) => fields['id'])).toEqual([later.rowId]);
      expect(await phone.pull({ user: later.pushed.userVersion, catalogue: cursors.catalogue })).toEqual([]);
    });

    it.each([
      ['a page of nothing', { limit: 0 }],
      ['a page without end', { limit: 1_001 }],
      ['a cursor before the beginning', { cursors: { user: -1, catalogue: 0 } }],
      ['a cursor that is no number', { cursors: { user: '0 or 1=1', catalogue: 0 } }],
      ['another learner by name', { userId: stranger?.userId ?? randomUUID() }],
    ])('refuses %s', async (_what, wrong) => {
      const body = { protocol: 1, deviceId: laptop.deviceId, cursors: { user: 0, catalogue: 0 }, limit: 1, ...wrong };
      expect(await server.post('/v1/sync/pull', body, laptop.token)).toMatchObject({
        status: 400,
        body: { code: 'request.invalid' },
      });
    });

    it('holds no customer number and no other account', async () => {
      const rows = await stranger.pull();
      expect(rows.some(({ table }) => table === 'customers')).toBe(false);
      expect(rows.filter(({ table }) => table === 'users').map(({ fields }) => fields['userId'])).toEqual([
        stranger.userId,
      ]);
    });
  });
}
