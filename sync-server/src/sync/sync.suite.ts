import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { PronunciationWords, recordWordAttempt } from '@parley/domain';
import fc from 'fast-check';
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

    it.each([0, 2, 99])('refuses protocol version %d', async (protocol) => {
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

    it('names parents before the rows that refer to them', async () => {
      const order = (await laptop.pull()).map(({ table }) => table);
      expect(order.indexOf('users')).toBeLessThan(order.indexOf('practice_history'));
      expect(order.indexOf('courses')).toBeLessThan(order.indexOf('course_sections'));
    });

    it('holds no customer number and no other account', async () => {
      const rows = await stranger.pull();
      expect(rows.some(({ table }) => table === 'customers')).toBe(false);
      expect(rows.filter(({ table }) => table === 'users').map(({ fields }) => fields['userId'])).toEqual([
        stranger.userId,
      ]);
    });
  });

  it('two devices that edit at random, push at random and repeat themselves end equal, as the model says', async () => {
    const edit = fc.record({
      device: fc.constantFrom(0, 1),
      row: fc.integer({ min: 0, max: 2 }),
      field: fc.constantFrom('summary', 'score', 'duration'),
      value: fc.integer({ min: 0, max: 100 }),
      ms: fc.integer({ min: 1, max: 40 }),
      repeats: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 14 }), async (edits) => {
        const first = await registerDevice(server);
        const devices = [first, await joinDevice(server, first)];
        const rowIds: string[] = [];
        for (let row = 0; row < 3; row += 1) rowIds.push((await pushSession(server, first, ids)).rowId);
        const base = server.now().getTime();
        const model = rowIds.map(() => new Map<string, { at: string; value: unknown }>());
        for (const { device: chosen, row, field, value, ms, repeats } of edits) {
          const device = devices[chosen] ?? first;
          const rowId = rowIds[row] ?? '';
          const written = field === 'summary' ? `${value}` : value;
          const change = device.change({
            table: 'practice_history',
            rowId,
            fields: { [field]: written },
            ms: base + ms,
          });
          await device.push(change);
          if (repeats) await device.push(change);
          const known = model[row]?.get(field);
          if (known === undefined || change.at > known.at) model[row]?.set(field, { at: change.at, value: written });
        }
        const views = await Promise.all(devices.map((device) => device.pull()));
        expect(views[1]).toEqual(views[0]);
        for (const [row, rowId] of rowIds.entries()) {
          const kept = views[0]?.find(({ fields }) => fields['id'] === rowId)?.fields;
          for (const [field, { value }] of model[row] ?? []) expect(kept?.[field]).toBe(value);
        }
      }),
      { numRuns: 12, seed: 20_261_118 },
    );
  });

  it('takes a compressed body for what it is: not JSON', async () => {
    const { status } = await server.send({
      method: 'POST',
      url: '/v1/sync/push',
      headers: {
        authorization: `Bearer ${laptop.token}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      payload: gzipSync('{}'),
    });
    expect(status).toBe(400);
  });
}
