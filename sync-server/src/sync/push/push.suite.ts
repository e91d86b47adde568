import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { setUpSyncFixture } from '../../../test-kit/sync/sync-fixture.ts';
import { pushSession, rowOf, sessionFields, setSummary } from '../../../test-kit/sync/rows.ts';
import { registerDevice, type TestDevice } from '../../../test-kit/server.ts';

export function pushSuite(open: () => Promise<DatabaseConnection>): void {
  const home = setUpSyncFixture(open);

  describe('a push', () => {
    it('reaches only the learner’s other device', async () => {
      const { server, laptop, phone, stranger, ids } = home;
      const { rowId, pushed } = await pushSession(server, laptop, ids);
      expect(pushed.outcomes).toMatchObject([{ status: 'applied' }]);
      expect(await rowOf(phone, rowId)).toMatchObject({ summary: 'first', userId: laptop.userId, duration: 0 });
      expect(await rowOf(stranger, rowId)).toBeUndefined();
    });

    it('sent twice is applied once and gets the same response', async () => {
      const { server, laptop, ids } = home;
      const { rowId, change, pushed } = await pushSession(server, laptop, ids);
      const again = await laptop.push(change, setSummary(laptop, rowId, 'second'));
      expect(again.outcomes).toMatchObject([{ status: 'duplicate' }, { status: 'applied' }]);
      expect(again.lastSeq).toBe(pushed.lastSeq + 1);
      expect(await rowOf(laptop, rowId)).toMatchObject({ summary: 'second' });
    });

    it('with a gap is rejected and begins a new epoch for the learner', async () => {
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

    it('with a gap in protocol 2 returns the server’s sequence number', async () => {
      const { server, ids } = home;
      const device = await registerDevice(server);
      const { pushed } = await pushSession(server, device, ids);
      device.change({ table: 'practice_history', rowId: randomUUID() });
      await expect(device.pushV2(setSummary(device, randomUUID(), 'lost'))).rejects.toThrow(
        new RegExp(`409.*sync.gap.*"${pushed.lastSeq}"`),
      );
    });

    it('keeps valid changes when another is rejected', async () => {
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
        'another learner’s row',
        'not_yours',
        null,
        () => ({ table: 'users', rowId: home.stranger.userId, fields: { jobTitle: 'x' } }),
      ],
      [
        'a row given to another learner',
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
        'an out-of-range value',
        'invalid_value',
        'score',
        () => ({
          table: 'practice_history',
          rowId: randomUUID(),
          fields: { ...sessionFields(home.ids, home.laptop.userId), score: 101 },
        }),
      ],
      [
        'SQL in a list value',
        'invalid_value',
        'status',
        () => ({
          table: 'practice_history',
          rowId: randomUUID(),
          fields: { ...sessionFields(home.ids, home.laptop.userId), status: "x'; drop table users; --" },
        }),
      ],
      [
        'prototype pollution',
        'unknown_field',
        '__proto__',
        () => ({ table: 'users', rowId: home.laptop.userId, fields: JSON.parse('{"__proto__":{"isAdmin":true}}') }),
      ],
      [
        'an inherited object key',
        'unknown_field',
        'toString',
        () => ({ table: 'users', rowId: home.laptop.userId, fields: { toString: 'x' } }),
      ],
      [
        'a null character',
        'invalid_value',
        null,
        () => ({
          table: 'practice_history',
          rowId: randomUUID(),
          fields: sessionFields(home.ids, home.laptop.userId, 'nul \u0000'),
        }),
      ],
      [
        'an impossible date',
        'invalid_value',
        null,
        () => ({
          table: 'practice_history',
          rowId: randomUUID(),
          fields: { ...sessionFields(home.ids, home.laptop.userId), pausedAt: '0000-01-01T00:00:00Z' },
        }),
      ],
      [
        'a key that differs from the row id',
        'invalid_value',
        'id',
        () => ({
          table: 'practice_history',
          rowId: randomUUID(),
          fields: { ...sessionFields(home.ids, home.laptop.userId), id: randomUUID() },
        }),
      ],
      [
        'an unknown practice',
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
    it.each(refused)('rejects %s', async (_what, code, field, change) => {
      const sent = home.laptop.change(change() as Parameters<TestDevice['change']>[0]);
      expect((await home.laptop.pushV2(sent)).outcomes).toMatchObject([{ status: 'rejected', code, field }]);
    });

    it.each(refused)('keeps nothing of %s in protocol 3', async (_what, code, field, change) => {
      const sent = home.laptop.change(change() as Parameters<TestDevice['change']>[0]);
      const [outcome] = (await home.laptop.push(sent)).outcomes;
      if (outcome?.status === 'merged') expect(outcome.refused).toMatchObject([{ field: expect.any(String), code }]);
      else expect(outcome).toMatchObject({ status: 'rejected', code, ...(field === null ? {} : { field }) });
      expect(JSON.stringify((await home.laptop.pull()).filter(({ table }) => table !== 'practices'))).not.toMatch(
        /colour|"x'; drop|__proto__|nul \\\\u0000/,
      );
    });

    it('rejects a second enrolment in a course and applies later changes', async () => {
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
      ['too many changes', 501, 10, 400, 'request.invalid'],
      ['too many bytes', 300, 4_000, 413, 'request.too_large'],
    ])('rejects %s', async (_what, count, length, status, code) => {
      const device = await registerDevice(home.server);
      const mutations = Array.from({ length: count }, () =>
        device.change({ table: 'users', rowId: device.userId, fields: { summary: 'x'.repeat(length) } }),
      );
      expect(await device.tryPush(mutations)).toMatchObject({ status, body: { code } });
    });

    it('rejects a write to another learner’s row, which stays unchanged', async () => {
      const { server, laptop, stranger, ids } = home;
      const { rowId } = await pushSession(server, laptop, ids);
      const { outcomes } = await stranger.push(
        setSummary(stranger, rowId, 'taken over'),
        stranger.change({ table: 'practice_history', rowId, op: 'delete' }),
      );
      expect(outcomes).toMatchObject([{ code: 'not_yours' }, { code: 'not_yours' }]);
      expect(await rowOf(laptop, rowId)).toMatchObject({ summary: 'first', deletedAt: null });
    });

    it('rejects a device that names another device', async () => {
      const answer = await home.stranger.tryPush([], { deviceId: home.laptop.deviceId });
      expect(answer).toMatchObject({ status: 403, body: { code: 'auth.forbidden' } });
    });

    it('rejects a change that is sent again before its response as well', async () => {
      for (let round = 0; round < 20; round += 1) {
        const device = await registerDevice(home.server);
        const wrong = device.change({ table: 'nonsense', rowId: randomUUID() });
        const answers = await Promise.all([device.push(wrong), device.push(wrong)]);
        for (const { outcomes } of answers) expect(outcomes).toMatchObject([{ id: wrong.id, status: 'rejected' }]);
      }
    });

    it('repeats a rejection until the device has moved on', async () => {
      const device = await registerDevice(home.server);
      const wrong = device.change({ table: 'users', rowId: device.userId, fields: { hasAccess: true } });
      const right = device.change({ table: 'users', rowId: device.userId, fields: { jobTitle: 'Nurse' } });
      const first = await device.push(wrong, right);
      expect(first.outcomes).toMatchObject([{ status: 'rejected', code: 'account_field' }, { status: 'applied' }]);
      const again = await device.push(wrong, right);
      expect(again.outcomes).toEqual([first.outcomes[0], { id: right.id, status: 'duplicate' }]);
      // For a change that was applied earlier, only the current row shows the result.
      expect(again.rows.map(({ table }) => table)).toEqual(['users']);
      const next = device.change({ table: 'users', rowId: device.userId, fields: { jobTitle: 'Doctor' } });
      expect((await device.push(next)).outcomes).toMatchObject([{ status: 'applied' }]);
      expect((await device.push(wrong, right, next)).outcomes[0]).toMatchObject({ status: 'duplicate' });
    });

    it('rejects references to another learner’s row without revealing it', async () => {
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

    it('gives each change its own outcome and never deletes an account', async () => {
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

    it.each([0, 1, 4, 99])('rejects protocol version %d', async (protocol) => {
      for (const path of ['push', 'stream']) {
        const { status } = await home.server.post(`/v1/sync/${path}`, { protocol }, home.laptop.token);
        expect(status).toBe(protocol === 0 ? 400 : 426);
      }
    });

    it('has no pull route, which only protocol 1 had', async () => {
      expect((await home.server.post('/v1/sync/pull', { protocol: 1 }, home.laptop.token)).status).toBe(404);
    });
  });
}
