import { randomUUID } from 'node:crypto';
import type { CrashReport } from '@parley/contract';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eraseLearner } from '../account/deletion/erase-learner.ts';
import type { DatabaseConnection } from '../db/client.ts';
import { crashReports } from '../db/crash-tables.ts';
import { accountDeletions } from '../db/tables.ts';
import { type ContentAdmin, openContentAdmin } from '../../test-kit/content/content-fixture.ts';
import { registerDevice, startServer, type TestDevice, type TestServer } from '../../test-kit/server.ts';
import { createCrashes } from './crashes.ts';

const DAY_MS = 24 * 3_600_000;

const aReport = (changes: Partial<CrashReport> = {}): CrashReport => ({
  id: randomUUID(),
  at: '2026-11-18T09:00:00.000Z',
  source: 'host',
  version: '0.3.0',
  system: 'linux 6.1.0 x64',
  kind: 'TypeError',
  code: null,
  frames: ['push (sync-loop.ts:120:7)'],
  ...changes,
});

/** `open` gives each server its own database. */
export function crashesSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let admin: ContentAdmin;
  beforeAll(async () => {
    server = await startServer(await open());
    admin = await openContentAdmin(server);
  });
  afterAll(() => server.close());

  const send = (report: object, by?: TestDevice) => server.post('/v1/crashes', report, by?.token);
  const list = async (request: object = {}) =>
    (await server.post('/v1/admin/crashes', request, admin.device.token)).body as { total: number; rows: object[] };

  describe('a crash report', () => {
    it('is stored once for admins, without saying whose it is', async () => {
      const learner = await registerDevice(server);
      const report = aReport({ kind: 'RangeError', code: 'ENOSPC' });
      expect((await send(report, learner)).status).toBe(200);
      expect((await send(report, learner)).status).toBe(200);
      expect(await list({ search: 'rangeerror' })).toEqual({
        total: 1,
        rows: [{ ...report, receivedAt: server.now().toISOString() }],
      });
    });

    it('is taken from a device only, and shown to admins only', async () => {
      const learner = await registerDevice(server);
      expect((await send(aReport())).status).toBe(401);
      expect((await server.post('/v1/admin/crashes', {}, learner.token)).status).toBe(403);
      expect((await server.post('/v1/admin/crashes', {})).status).toBe(401);
    });

    it.each([
      ['a message', { message: 'I am sorry, the delivery is late' }],
      ['a folder', { frames: ['push (/srv/ada/sync-loop.ts:120:7)'] }],
      ['a sentence for a function', { frames: ['my name is Ada (a.ts:1:1)'] }],
      ['too many frames', { frames: Array.from({ length: 31 }, () => '(a.ts:1:1)') }],
    ])('is refused with %s', async (_what, change) => {
      const learner = await registerDevice(server);
      expect(await send({ ...aReport(), ...change }, learner)).toMatchObject({
        status: 400,
        body: { code: 'request.invalid' },
      });
    });

    it('is refused when its account has sent too many in a day', async () => {
      const learner = await registerDevice(server);
      for (let count = 0; count < 20; count += 1) expect((await send(aReport(), learner)).status).toBe(200);
      expect(await send(aReport(), learner)).toMatchObject({ status: 429, body: { code: 'request.too_many' } });
      expect((await send(aReport(), await registerDevice(server))).status).toBe(200);
      server.advanceClock(DAY_MS + 1);
      expect((await send(aReport(), learner)).status).toBe(200);
    });

    it('is counted also when many arrive at the same moment', async () => {
      const { userId } = await registerDevice(server);
      const crashes = createCrashes({ db: server.database.db, now: server.now });
      const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => crashes.receive(userId, aReport())));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    });

    it('goes with its account', async () => {
      const learner = await registerDevice(server);
      await send(aReport(), learner);
      const { db } = server.database;
      const isTheirs = eq(crashReports.userId, learner.userId);
      expect(await db.$count(crashReports, isTheirs)).toBe(1);
      await db
        .insert(accountDeletions)
        .values({ userId: learner.userId, requestedAt: server.now(), eraseAt: server.now() });
      await db.transaction((tx) => eraseLearner(tx, { userId: learner.userId, at: server.now() }));
      expect(await db.$count(crashReports, isTheirs)).toBe(0);
    });
  });

  describe('old crash reports', () => {
    const keep = (maxReports: number) => createCrashes({ db: server.database.db, now: server.now, maxReports });

    it('are deleted after 30 days', async () => {
      await server.database.db.delete(crashReports);
      const learner = await registerDevice(server);
      await send(aReport({ kind: 'First' }), learner);
      server.advanceClock(29 * DAY_MS);
      await send(aReport({ kind: 'Second' }), learner);
      expect(await keep(100).deleteExpired()).toBe(0);
      server.advanceClock(DAY_MS);
      expect(await keep(100).deleteExpired()).toBe(1);
      expect((await list()).rows).toMatchObject([{ kind: 'Second' }]);
    });

    it('make room for newer ones', async () => {
      await server.database.db.delete(crashReports);
      const learner = await registerDevice(server);
      for (const kind of ['First', 'Second', 'Third']) {
        await send(aReport({ kind }), learner);
        server.advanceClock(1_000);
      }
      expect(await keep(2).deleteExpired()).toBe(1);
      expect((await list({ direction: 'asc' })).rows).toMatchObject([{ kind: 'Second' }, { kind: 'Third' }]);
    });
  });
}
