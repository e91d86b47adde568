import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { setUpHousehold } from '../test-kit/household.ts';
import { pushSession, rowOf, sessionFields, setSummary } from '../test-kit/rows.ts';
import { registerDevice, type TestDevice } from '../test-kit/server.ts';

export function pushSuite(open: () => Promise<DatabaseConnection>): void {
  const home = setUpHousehold(open);

  describe('a push', () => {
    it('reaches the other device of the learner, and nobody else', async () => {
      const { server, laptop, phone, stranger, ids } = home;
      const { rowId, pushed } = await pushSession(server, laptop, ids);
      expect(pushed.outcomes).toMatchObject([{ status: 'applied' }]);
      expect(await rowOf(phone, rowId)).toMatchObject({ summary: 'first', userId: laptop.userId, duration: 0 });
      expect(await rowOf(stranger, rowId)).toBeUndefined();
    });

    it('that comes twice is applied once, and answered as if it had come once', async () => {
      const { server, laptop, ids } = home;
      const { rowId, change, pushed } = await pushSession(server, laptop, ids);
      const again = await laptop.push(change, setSummary(laptop, rowId, 'second'));
      expect(again.outcomes).toMatchObject([{ status: 'duplicate' }, { status: 'applied' }]);
      expect(again.lastSeq).toBe(pushed.lastSeq + 1);
      expect(await rowOf(laptop, rowId)).toMatchObject({ summary: 'second' });
    });

    it('with a gap in its sequence is refused whole, and begins a new epoch for this learner', async () => {
      const { server, ids } = home;
      const device = await registerDevice(server);
      const { pushed } = await pushSession(server, device, ids);
      device.change({ table: 'practice_history', rowId: randomUUID() });
      const answer = await device.tryPush([setSummary(device, randomUUID(), 'lost')]);
      expect(answer).toMatchObject({ status: 410, body: { code: 'sync.resync', data: { detail: 'epoch' } } });
      const { epoch, lastSeq } = await device.push();
      expect(lastSeq).toBe(pushed.lastSeq);
      expect(epoch).not.toBe(pushed.epoch);
    });

    it('of protocol 2 with a gap says what the server holds', async () => {
      const { server, ids } = home;
      const device = await registerDevice(server);
      const { pushed } = await pushSession(server, device, ids);
      device.change({ table: 'practice_history', rowId: randomUUID() });
      await expect(device.pushV2(setSummary(device, randomUUID(), 'lost'))).rejects.toThrow(
        new RegExp(`409.*sync.gap.*"${pushed.lastSeq}"`),
      );
    });

    it('keeps what is right when something in it is refused', async () => {
      const { laptop, ids } = home;
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
        () => ({ table: 'users', rowId: home.laptop.userId, fields: { isAdmin: true } }),
      ],
      [
        'another learner',
        'not_yours',
        null,
        () => ({ table: 'users', rowId: home.stranger.userId, fields: { jobTitle: 'x' } }),
      ],
      [
        'a row given to another',
        'not_yours',
        null,
        () => ({
          table: 'practice_history',
          rowId: randomUUID(),
          fields: sessionFields(home.ids, home.stranger.userId),
        }),
      ],
      [
        'the catalogue',
        'read_only',
        null,
        () => ({ table: 'practices', rowId: home.ids.practiceId, fields: { title: 'Mine' } }),
      ],
      ['a subscription', 'read_only', null, () => ({ table: 'subscriptions', rowId: randomUUID() })],
      [
        'an unknown field',
        'unknown_field',
        'colour',
        () => ({ table: 'users', rowId: home.laptop.userId, fields: { colour: 'red' } }),
      ],
      [
        'a field named like a method',
        'unknown_field',
        'constructor',
        () => ({ table: 'users', rowId: home.laptop.userId, fields: { constructor: 'x' } }),
      ],
      [
        'a value out of range',
        'invalid_value',
        'score',
        () => ({
          table: 'practice_history',
          rowId: randomUUID(),
          fields: { ...sessionFields(home.ids, home.laptop.userId), score: 101 },
        }),
      ],
      [
        'SQL in a value that is a list',
        'invalid_value',
        'status',
        () => ({
          table: 'practice_history',
          rowId: randomUUID(),
          fields: { ...sessionFields(home.ids, home.laptop.userId), status: "x'; drop table users; --" },
        }),
      ],
      [
        'a prototype',
        'unknown_field',
        '__proto__',
        () => ({ table: 'users', rowId: home.laptop.userId, fields: JSON.parse('{"__proto__":{"isAdmin":true}}') }),
      ],
      [
        'what every object has',
        'unknown_field',
        'toString',
        () => ({ table: 'users', rowId: home.laptop.userId, fields: { toString: 'x' } }),
      ],
      [
        'a character that no text may hold',
        'invalid_value',
        null,
        () => ({
          table: 'practice_history',
          rowId: randomUUID(),
          fields: sessionFields(home.ids, home.laptop.userId, 'nul \u0000'),
        }),
      ],
      [
        'a time that no calendar has',
        'invalid_value',
        null,
        () => ({
          table: 'practice_history',
          rowId: randomUUID(),
          fields: { ...sessionFields(home.ids, home.laptop.userId), pausedAt: '0000-01-01T00:00:00Z' },
        }),
      ],
      [
        'a key that is not its row',
        'invalid_value',
        'id',
        () => ({
          table: 'practice_history',
          rowId: randomUUID(),
          fields: { ...sessionFields(home.ids, home.laptop.userId), id: randomUUID() },
        }),
      ],
      [
        'a practice that is not there',
        'missing_reference',
        null,
        () => ({
          table: 'practice_history',
          rowId: randomUUID(),
          fields: { ...sessionFields(home.ids, home.laptop.userId), practiceId: randomUUID() },
        }),
      ],
      [
        'a row without its required fields',
        'invalid_value',
        'practiceId',
        () => ({ table: 'practice_history', rowId: randomUUID(), fields: { userId: home.laptop.userId } }),
      ],
    ];
    it.each(refused)('refuses %s', async (_what, code, field, change) => {
      const sent = home.laptop.change(change() as Parameters<TestDevice['change']>[0]);
      expect((await home.laptop.pushV2(sent)).outcomes).toMatchObject([{ status: 'rejected', code, field }]);
    });

    it.each(refused)('leaves nothing of %s behind in protocol 3', async (_what, code, field, change) => {
      const sent = home.laptop.change(change() as Parameters<TestDevice['change']>[0]);
      const [outcome] = (await home.laptop.push(sent)).outcomes;
      if (outcome?.status === 'merged') expect(outcome.refused).toMatchObject([{ field: expect.any(String), code }]);
      else expect(outcome).toMatchObject({ status: 'rejected', code, ...(field === null ? {} : { field }) });
      expect(JSON.stringify(await home.laptop.pull())).not.toMatch(/colour|"x'; drop|__proto__|nul \\\\u0000/);
    });

    it('refuses a second enrolment in a course, and keeps what comes behind it', async () => {
      const { laptop, phone, ids } = home;
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
      const device = await registerDevice(home.server);
      const mutations = Array.from({ length: count }, () =>
        device.change({ table: 'users', rowId: device.userId, fields: { summary: 'x'.repeat(length) } }),
      );
      expect(await device.tryPush(mutations)).toMatchObject({ status, body: { code } });
    });

    it('refuses to write a row of another learner, whose row stays as it was', async () => {
      const { server, laptop, stranger, ids } = home;
      const { rowId } = await pushSession(server, laptop, ids);
      const { outcomes } = await stranger.push(
        setSummary(stranger, rowId, 'taken over'),
        stranger.change({ table: 'practice_history', rowId, op: 'delete' }),
      );
      expect(outcomes).toMatchObject([{ code: 'not_yours' }, { code: 'not_yours' }]);
      expect(await rowOf(laptop, rowId)).toMatchObject({ summary: 'first', deletedAt: null });
    });

    it('refuses a device that speaks for another', async () => {
      const answer = await home.stranger.tryPush([], { deviceId: home.laptop.deviceId });
      expect(answer).toMatchObject({ status: 403, body: { code: 'auth.forbidden' } });
    });

    it('refuses a change again in the same words when the first answer was lost, until the device has gone on', async () => {
      const device = await registerDevice(home.server);
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
      const { server, laptop, stranger } = home;
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
      const device = await registerDevice(home.server);
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

    it.each([0, 1, 4, 99])('refuses protocol version %d', async (protocol) => {
      for (const path of ['push', 'stream']) {
        const { status } = await home.server.post(`/v1/sync/${path}`, { protocol }, home.laptop.token);
        expect(status).toBe(protocol === 0 ? 400 : 426);
      }
    });

    it('has a pull no more, which only protocol 1 had', async () => {
      expect((await home.server.post('/v1/sync/pull', { protocol: 1 }, home.laptop.token)).status).toBe(404);
    });
  });
}
