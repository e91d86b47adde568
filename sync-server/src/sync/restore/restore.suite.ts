import { randomUUID } from 'node:crypto';
import { formatHybridTime } from '@parley/domain';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { setUpSyncFixture } from '../../../test-kit/sync/sync-fixture.ts';
import { pushSession, sessionFields, setSummary } from '../../../test-kit/sync/rows.ts';
import { joinDevice, registerDevice, type TestDevice } from '../../../test-kit/server.ts';
import { INITIAL_CURSORS, LocalCopy, type SyncedRow } from '../../../test-kit/sync/sync-stream.ts';

const SET_BY_SERVER = new Set(['syncVersion', 'updatedAt', 'deletedAt', 'fieldClocks', 'createdAt', 'id']);

export function restoreSuite(open: () => Promise<DatabaseConnection>): void {
  const home = setUpSyncFixture(open);

  /** Builds the restore change that a device sends for a row it has. */
  const restoreOf = (device: TestDevice, { table, fields }: SyncedRow) =>
    device.change({
      table,
      rowId: String(fields['id']),
      op: 'restore',
      fields: Object.fromEntries(Object.entries(fields).filter(([name]) => !SET_BY_SERVER.has(name))) as never,
      clocks: fields['fieldClocks'] as Record<string, string>,
    });
  const copyOf = async (device: TestDevice, rowId: string): Promise<SyncedRow | undefined> =>
    new LocalCopy()
      .apply((await device.stream(INITIAL_CURSORS, { epoch: null })).pages)
      .rows.get(`practice_history ${rowId}`);
  const held = (row: SyncedRow | undefined): SyncedRow => {
    if (row === undefined) throw new Error('the row did not arrive');
    return row;
  };
  /** Deletes the row, as if the backup were older. */
  const lose = (rowId: string) =>
    home.server.database.db.execute(sql`delete from practice_history where id = ${rowId}`);

  describe('copies of a row that the server lost', () => {
    const orders = [
      ['P', 'Q', 'R'],
      ['P', 'R', 'Q'],
      ['Q', 'P', 'R'],
      ['Q', 'R', 'P'],
      ['R', 'P', 'Q'],
      ['R', 'Q', 'P'],
    ] as const;
    it.each(orders)('rebuild the same row in any order of devices: %s, %s, %s', async (...order) => {
      const { server, ids } = home;
      const P = await registerDevice(server);
      const [Q, R] = [await joinDevice(server, P), await joinDevice(server, P)];
      const { rowId } = await pushSession(server, P, ids, 'begun');
      const of = { table: 'practice_history', rowId };
      const stale = held(await copyOf(Q, rowId));
      server.advanceClock(60_000);
      await P.push(P.change({ ...of, fields: { status: 'completed', score: 91, summary: 'the end' } }));
      server.advanceClock(60_000);
      await P.push(P.change({ ...of, fields: { difficulty: 'hard' } }));
      const fresh = held(await copyOf(R, rowId));
      await lose(rowId);
      server.advanceClock(60_000);
      const copies = { P: { device: P, row: fresh }, Q: { device: Q, row: stale }, R: { device: R, row: fresh } };
      for (const name of order) {
        const { device, row } = copies[name];
        expect((await device.push(restoreOf(device, row))).outcomes).toMatchObject([{ status: 'merged' }]);
      }
      const kept = held(await copyOf(P, rowId));
      expect(kept.fields).toMatchObject({
        status: 'completed',
        score: 91,
        summary: 'the end',
        difficulty: 'hard',
        deletedAt: null,
      });
      expect(clocksOf(kept)).toEqual(clocksOf(fresh));
      // A device that already has the row changes nothing more.
      const { userVersion } = await R.push(restoreOf(R, fresh));
      expect(held(await copyOf(P, rowId)).version).toBeLessThan(userVersion);
    });

    it('stay deleted or return, whichever happened last', async () => {
      const { server, ids } = home;
      const P = await registerDevice(server);
      const Q = await joinDevice(server, P);
      const { rowId } = await pushSession(server, P, ids);
      const before = held(await copyOf(Q, rowId));
      server.advanceClock(1_000);
      await P.push(P.change({ table: 'practice_history', rowId, op: 'delete' }));
      const deleted = held(await copyOf(P, rowId));
      await lose(rowId);
      await Q.push(restoreOf(Q, before));
      expect(held(await copyOf(P, rowId)).fields['deletedAt']).toBeNull();
      await P.push(restoreOf(P, deleted));
      expect(held(await copyOf(P, rowId)).fields['deletedAt']).not.toBeNull();
      server.advanceClock(1_000);
      await Q.push(setSummary(Q, rowId, 'revived'));
      const revived = held(await copyOf(Q, rowId));
      await lose(rowId);
      await P.push(restoreOf(P, deleted));
      expect(held(await copyOf(P, rowId)).fields['deletedAt']).not.toBeNull();
      await Q.push(restoreOf(Q, revived));
      expect(held(await copyOf(P, rowId)).fields).toMatchObject({ summary: 'revived', deletedAt: null });
    });

    it('with invented times win over no other copy', async () => {
      const { server, ids, stranger } = home;
      const P = await registerDevice(server);
      const { rowId } = await pushSession(server, P, ids);
      const row = held(await copyOf(P, rowId));
      const farAhead = formatHybridTime({ ms: 9_999_999_999_999, counter: 0, deviceId: P.deviceId });
      await P.push({ ...restoreOf(P, row), clocks: { '*': farAhead, nonsense: farAhead } });
      server.advanceClock(5 * 60_000);
      await P.push(setSummary(P, rowId, 'five minutes later'));
      expect(held(await copyOf(P, rowId)).fields).toMatchObject({ summary: 'five minutes later' });
      expect(clocksOf(held(await copyOf(P, rowId)))).not.toHaveProperty('nonsense');
      const wrong = await P.push({ ...restoreOf(P, row), clocks: { '*': 'now' } });
      expect(wrong.outcomes).toMatchObject([{ status: 'rejected', code: 'invalid_value', field: 'clocks' }]);
      expect((await stranger.push(restoreOf(stranger, row))).outcomes).toMatchObject([{ code: 'not_yours' }]);
      const account = P.change({ table: 'users', rowId: P.userId, op: 'restore', fields: { isAdmin: true } });
      expect((await P.push(account)).outcomes).toMatchObject([{ code: 'account_field' }]);
      const parentless = P.change({
        table: 'ai_conversations',
        rowId: randomUUID(),
        op: 'restore',
        fields: { userId: P.userId, courseId: null, interactionId: randomUUID(), content: 'x', role: 'coach' },
      });
      expect((await P.push(parentless)).outcomes).toMatchObject([{ code: 'missing_reference' }]);
    });
  });

  describe('a new epoch for one learner', () => {
    it('begins when a device knows more than the server, for that learner only', async () => {
      const { server, ids } = home;
      const P = await registerDevice(server);
      const R = await joinDevice(server, P);
      const other = await registerDevice(server);
      await pushSession(server, P, ids);
      const before = await R.stream();
      const elsewhere = await other.stream();
      R.epoch = before.epoch;
      const level = new LocalCopy().apply(before.pages).cursors;
      await expect(R.stream({ ...level, user: level.user + 5 })).rejects.toThrow(/410.*"detail":"epoch"/);
      await expect(R.stream(level)).rejects.toThrow(/410.*"detail":"epoch"/);
      expect(await R.tryPush([])).toMatchObject({
        status: 410,
        body: { code: 'sync.resync', data: { detail: 'epoch' } },
      });
      await expect(R.stream(INITIAL_CURSORS, { epoch: null, answeredSeq: 99 })).rejects.toThrow(
        /410.*"detail":"epoch"/,
      );
      // A device that starts again has discarded its sequence numbers.
      const again = await R.stream(INITIAL_CURSORS, { epoch: null, answeredSeq: 0 });
      expect(again.epoch).toMatch(new RegExp(`^${before.epoch}\\.`));
      expect(again.hasEnded).toBe(true);
      R.epoch = again.epoch;
      expect((await R.push()).epoch).toBe(again.epoch);
      expect((await other.stream()).epoch).toBe(elsewhere.epoch);
    });

    it('is a loss for an app of protocol 2 until it starts from nothing', async () => {
      const { server, ids } = home;
      const P = await registerDevice(server);
      const old = await joinDevice(server, P);
      await pushSession(server, P, ids);
      const level = new LocalCopy().apply((await old.streamV2()).pages).cursors;
      await expect(old.streamV2(level)).resolves.toMatchObject({ hasEnded: true });
      P.change({ table: 'practice_history', rowId: randomUUID() });
      expect(await P.tryPush([setSummary(P, randomUUID(), 'beyond a gap')])).toMatchObject({ status: 410 });
      await expect(old.streamV2(level)).rejects.toThrow(/410.*"detail":"lost"/);
      const again = new LocalCopy().apply((await old.streamV2()).pages).cursors;
      await expect(old.streamV2(again)).resolves.toMatchObject({ hasEnded: true });
      // This proves a loss, which begins one new epoch and not one per request.
      await expect(old.streamV2(again, { answeredSeq: 7 })).rejects.toThrow(/410.*"detail":"lost"/);
      const { epoch } = await P.stream();
      await expect(old.streamV2(again, { answeredSeq: 7 })).rejects.toThrow(/410.*"detail":"lost"/);
      expect((await P.stream()).epoch).toBe(epoch);
    });

    it('accepts a device that continues from the server’s sequence number', async () => {
      const { server, ids } = home;
      const P = await registerDevice(server);
      await pushSession(server, P, ids);
      P.change({ table: 'practice_history', rowId: randomUUID() });
      const rowId = randomUUID();
      const lost = P.change({ table: 'practice_history', rowId, fields: sessionFields(ids, P.userId, 'kept') });
      expect(await P.tryPush([lost])).toMatchObject({ status: 410 });
      const { epoch } = await P.stream();
      P.epoch = epoch;
      const { lastSeq } = await P.push();
      expect((await P.push({ ...lost, deviceSeq: lastSeq + 1 })).outcomes).toMatchObject([{ status: 'applied' }]);
    });
  });

  const clocksOf = ({ fields }: SyncedRow): Record<string, string> => {
    const { '*': whole, ...own } = fields['fieldClocks'] as Record<string, string>;
    const names = Object.keys(fields).filter((name) => !SET_BY_SERVER.has(name));
    return Object.fromEntries([...names, 'deletedAt'].map((name) => [name, own[name] ?? whole ?? '']));
  };
}
