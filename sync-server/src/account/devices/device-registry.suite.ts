import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { accountDeletions } from '../../db/tables.ts';
import { createDeviceRegistry } from './device-registry.ts';
import {
  type JsonResponse,
  aPushRequest,
  joinDevice,
  registerDevice,
  startServer,
  startServerWithResetLimits,
  type TestDevice,
  type TestServer,
} from '../../../test-kit/server.ts';

export function deviceRegistrySuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let laptop: TestDevice;
  beforeAll(async () => {
    server = await startServer(await open());
  });
  beforeEach(async () => {
    laptop = await registerDevice(server);
  });
  afterAll(() => server.close());

  const device = (): { deviceId: string; name: string; platform: string } => ({
    deviceId: randomUUID(),
    name: 'Phone',
    platform: 'other',
  });
  const linkCode = async (): Promise<string> =>
    String((await server.post('/v1/devices/link-code', {}, laptop.token)).body['code']);
  const join = (code: string, as = device(), token?: string) => server.post('/v1/devices/join', { ...as, code }, token);

  describe('a new device', () => {
    it('gets an anonymous account without access to paid services', async () => {
      const [user] = (await laptop.pull()).map(({ fields }) => fields);
      expect(user).toMatchObject({ userId: laptop.userId, email: null, hasAccess: false, isAdmin: false });
    });

    it('cannot take the id of an existing account or device', async () => {
      for (const taken of [{ userId: laptop.userId }, { deviceId: laptop.deviceId }]) {
        const answer = await server.post('/v1/devices/register', { ...device(), userId: randomUUID(), ...taken });
        expect(answer).toMatchObject({ status: 403, body: { code: 'auth.forbidden' } });
      }
    });

    it('that registers twice at once gets one account', async () => {
      // Opens enough database connections first, so that the calls below really run in parallel.
      await Promise.all(Array.from({ length: 8 }, () => laptop.devices()));
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const asked = { ...device(), userId: randomUUID() };
        const calls = Array.from({ length: 6 }, () => server.post('/v1/devices/register', asked));
        const statuses = (await Promise.all(calls)).map(({ status }) => status).toSorted((a, b) => a - b);
        expect(statuses).toEqual([200, 403, 403, 403, 403, 403]);
      }
    });

    it('has a token that the database does not store', async () => {
      const { rows } = (await server.database.db.execute(sql`select * from devices`)) as { rows: unknown[] };
      const secret = laptop.token.split('.')[1] ?? '';
      expect(secret.length).toBeGreaterThanOrEqual(32);
      expect(JSON.stringify(rows)).toContain(laptop.deviceId);
      expect(JSON.stringify(rows)).not.toContain(secret);
    });
  });

  describe('a token', () => {
    const wrong: [what: string, token: (right: string) => string | undefined][] = [
      ['is missing', () => undefined],
      ['is empty', () => ''],
      ['is another secret of the same device', (right) => `${right.split('.')[0]}.${'A'.repeat(43)}`],
      ['names a device that does not exist', (right) => `${randomUUID()}.${right.split('.')[1]}`],
      ['is cut short', (right) => right.slice(0, -1)],
      ['is SQL', () => `' or '1'='1' -- aaaaaaaaaaaaaaaaaaaaaaaaaaaa`],
    ];
    it.each(wrong)('that %s is refused', async (_what, token) => {
      const answer = await server.post('/v1/sync/push', aPushRequest(server, laptop.deviceId, []), token(laptop.token));
      expect(answer).toMatchObject({ status: 401, body: { code: 'auth.required' } });
    });

    it('of a revoked device is refused with the reason', async () => {
      await server.database.db.execute(sql`update devices set revoked_at = now() where device_id = ${laptop.deviceId}`);
      const answer = await server.post('/v1/devices/link-code', {}, laptop.token);
      expect(answer).toMatchObject({ status: 401, body: { code: 'auth.device_revoked' } });
    });
  });

  describe('a link code', () => {
    it('lets another device join the account', async () => {
      const phone = await joinDevice(server, laptop);
      expect(phone.userId).toBe(laptop.userId);
      expect(await phone.pull()).toEqual(await laptop.pull());
    });

    it('works once, for ten minutes, and replaces the previous code', async () => {
      const used = await linkCode();
      expect((await join(used)).status).toBe(200);
      expect(await join(used)).toMatchObject({ status: 404, body: { code: 'link.code_invalid' } });

      const older = await linkCode();
      const newer = await linkCode();
      expect((await join(older)).status).toBe(404);
      server.advanceClock(10 * 60_000 + 1);
      expect((await join(newer)).status).toBe(404);
    });

    it('admits one of several devices that use it at once', async () => {
      const code = await linkCode();
      const statuses = (await Promise.all([join(code), join(code), join(code)])).map(({ status }) => status);
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 404, 404]);
    });

    it.each(['abcd-efgh', 'ABCDEFGH', 'ABCD-EFG0', '', `ABCD-EFGH' or '1'='1`, null, { $ne: '' }])(
      'that reads %j is refused without a lookup',
      async (code) => {
        expect(await server.post('/v1/devices/join', { ...device(), code })).toMatchObject({
          status: 400,
          body: { code: 'request.invalid' },
        });
      },
    );

    it('is created only for an authenticated device', async () => {
      expect(await server.post('/v1/devices/link-code', {})).toMatchObject({ status: 401 });
    });

    it('is refused as signed out if the account was erased while the device asked', async () => {
      const accounts = createDeviceRegistry({
        db: server.database.db,
        now: server.now,
        onDeviceSignedOut: () => undefined,
      });
      const erased = { userId: randomUUID(), deviceId: randomUUID() } as never;
      await expect(accounts.createLinkCode(erased)).rejects.toMatchObject({ code: 'auth.required' });
    });

    it('gives the same answer whether it is used or unknown', async () => {
      const used = await linkCode();
      await join(used);
      expect(await join('ABCD-EFGH')).toEqual(await join(used));
    });

    it('is stored only as a hash', async () => {
      const code = await linkCode();
      const { rows } = (await server.database.db.execute(sql`select * from link_codes`)) as { rows: unknown[] };
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toContain(code);
    });

    it('moves an authenticated device from its old account and ends its old token', async () => {
      const moving = await registerDevice(server);
      const moved = await join(await linkCode(), { ...device(), deviceId: moving.deviceId }, moving.token);
      expect(moved.body['userId']).toBe(laptop.userId);
      await expect(moving.pull()).rejects.toThrow('auth.required');
    });

    it('schedules the erasure of an abandoned account without an address', async () => {
      const leftBehind = (userId: string) =>
        server.database.db.select().from(accountDeletions).where(eq(accountDeletions.userId, userId));
      const [alone, first] = [await registerDevice(server), await registerDevice(server)];
      const second = await joinDevice(server, first);
      for (const { deviceId, token } of [alone, first]) await join(await linkCode(), { ...device(), deviceId }, token);
      expect(await leftBehind(alone.userId)).toMatchObject([{ leftFor: laptop.userId }]);
      expect(await leftBehind(first.userId)).toEqual([]);
      await join(await linkCode(), { ...device(), deviceId: second.deviceId }, second.token);
      expect(await leftBehind(first.userId)).toMatchObject([{ leftFor: laptop.userId }]);
    });

    it('does not move a device without its token, and is not spent by trying', async () => {
      const victim = await registerDevice(server);
      const code = await linkCode();
      const taking = { ...device(), deviceId: victim.deviceId };
      for (const token of [undefined, laptop.token, `${victim.deviceId}.${'A'.repeat(43)}`])
        expect(await join(code, taking, token)).toMatchObject({ status: 403, body: { code: 'auth.forbidden' } });
      expect((await victim.pull()).map(({ fields }) => fields['userId'])).toEqual([victim.userId]);
      expect((await join(code)).status).toBe(200);
    });

    it("admits a new device that sends another device's token or an invalid one", async () => {
      for (const token of [(await registerDevice(server)).token, `${randomUUID()}.${'A'.repeat(43)}`])
        expect((await join(await linkCode(), device(), token)).body['userId']).toBe(laptop.userId);
    });
  });

  it.each<[how: string, headers: (attempt: number) => Record<string, string>]>([
    ['by repeated calls', () => ({})],
    ['under new device ids', () => ({ authorization: `Bearer ${randomUUID()}.${'A'.repeat(43)}` })],
    ['with forged forwarding headers', (n) => ({ 'x-forwarded-for': `203.0.113.${n}` })],
  ])('a link code cannot be guessed %s, because calls are limited', async (_how, headers) => {
    const strict = await startServerWithResetLimits(server.database, { strictRequestsPerMinute: 5 });
    const answers: JsonResponse[] = [];
    for (let attempt = 0; attempt < 8; attempt += 1)
      answers.push(
        await strict.send({
          method: 'POST',
          url: '/v1/devices/join',
          headers: headers(attempt),
          payload: { ...device(), code: 'ABCD-EFGH' },
        }),
      );
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 429, 429, 429]);
    expect(answers.at(-1)).toMatchObject({ body: { code: 'request.too_many' } });
    expect((await strict.send({ method: 'GET', url: '/healthz' })).status).toBe(200);
    await strict.app.close();
  });
}
