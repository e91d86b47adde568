import { createHmac, randomUUID } from 'node:crypto';
import { LearnerId } from '@parley/domain';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { tables } from '../../db/tables.ts';
import { joinDevice, registerDevice, startServer, type TestDevice, type TestServer } from '../../../test-kit/server.ts';
import type { Mail } from '../index.ts';
import { createMailFor, ORIGIN, SECRET, discardingTransport } from '../../../test-kit/mail/mail-fixture.ts';

export function unsubscribeSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let mail: Mail;
  beforeAll(async () => {
    server = await startServer(await open(), {
      mail: { transport: discardingTransport, origin: ORIGIN, secret: SECRET },
      logLevel: 'trace',
    });
    mail = createMailFor(server);
  });
  afterAll(() => server.close());

  const pathOf = (userId: string, by = mail): string => by.unsubscribe.urlFor(userId).slice(ORIGIN.length);
  const ask = (
    method: 'GET' | 'POST' | 'HEAD',
    url: string,
    body = 'List-Unsubscribe=One-Click',
    type = 'application/x-www-form-urlencoded',
  ) =>
    server.app.inject({
      method,
      url,
      ...(method === 'POST' ? { payload: body, headers: { 'content-type': type } } : {}),
    });
  const rowOf = async (userId: string) =>
    (await server.database.db.select().from(tables.users).where(eq(tables.users.userId, userId)))[0];
  const isOnAt = async (device: TestDevice): Promise<unknown> =>
    (await device.pull()).find(({ table }) => table === 'users')?.fields['emailNotifications'];

  describe('the unsubscribe link', () => {
    it('only shows a button when it is opened', async () => {
      const { userId } = await registerDevice(server);
      const before = await rowOf(userId);
      for (const method of ['GET', 'HEAD', 'GET'] as const) {
        const answer = await ask(method, pathOf(userId));
        expect(answer.statusCode).toBe(200);
        if (method === 'HEAD') continue;
        expect(answer.payload).toContain(`<form method="post" action="${pathOf(userId)}">`);
        expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
        expect(answer.headers['cache-control']).toBe('no-store');
      }
      expect(await rowOf(userId)).toEqual(before);
    });

    it('turns reminders off with a POST on every device, repeatably', async () => {
      const laptop = await registerDevice(server);
      const phone = await joinDevice(server, laptop);
      expect(await isOnAt(phone)).toBe(true);
      for (const [body, type] of [
        ['List-Unsubscribe=One-Click', 'application/x-www-form-urlencoded'],
        [
          '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
          'multipart/form-data; boundary=x',
        ],
        ['', 'application/x-www-form-urlencoded'],
      ] as const) {
        const answer = await ask('POST', pathOf(laptop.userId), body, type);
        expect(answer.statusCode).toBe(200);
        expect(answer.headers['location']).toBeUndefined();
      }
      expect([await isOnAt(laptop), await isOnAt(phone)]).toEqual([false, false]);
      expect((await rowOf(laptop.userId))?.syncVersion).toBe(2);
    });

    it('overrides earlier device settings and yields to later ones', async () => {
      const device = await registerDevice(server);
      const { userId } = device;
      const turn = (isOn: boolean, ms: number) =>
        device.change({ table: 'users', rowId: userId, fields: { emailNotifications: isOn }, ms });
      const nowMs = server.now().getTime();
      // The device's clock is ahead. The button press must still count as later.
      await device.push(turn(true, nowMs + 30_000));
      await ask('POST', pathOf(userId));
      expect(await isOnAt(device)).toBe(false);
      await device.push(turn(true, nowMs - 60_000));
      expect(await isOnAt(device)).toBe(false);
      server.advanceClock(120_000);
      await device.push(turn(true, server.now().getTime()));
      expect(await isOnAt(device)).toBe(true);
    });

    it('is refused for another learner, when altered or when signed elsewhere', async () => {
      const [anna, ben] = [await registerDevice(server), await registerDevice(server)];
      const token = pathOf(anna.userId).split('token=')[1] ?? '';
      const [, seal = ''] = token.split('.');
      const forged = createMailFor(server, { secret: 'another secret that is long enough too' });
      const other = createHmac('sha256', SECRET).update(anna.userId).digest('base64url');
      const worthless = [
        `${ben.userId}.${seal}`,
        `${anna.userId}.${seal.slice(0, -2)}AA`,
        `${anna.userId}.${seal.slice(0, -1)}`,
        `${anna.userId}.${other}`,
        `${anna.userId.toUpperCase()}.${seal}`,
        `${anna.userId}.`,
        anna.userId,
        '',
        '<script>',
        "' or 1=1 --",
      ];
      const urls = [
        ...worthless.map((token) => `/unsubscribe?token=${encodeURIComponent(token)}`),
        pathOf(anna.userId, forged),
        '/unsubscribe',
        `/unsubscribe?token=${token}&token=${token}`,
      ];
      for (const url of urls)
        for (const method of ['GET', 'POST'] as const) {
          const answer = await ask(method, url);
          expect({ url, status: answer.statusCode }).toEqual({ url, status: 400 });
          expect(answer.payload).not.toContain('<script');
        }
      expect([await isOnAt(anna), await isOnAt(ben)]).toEqual([true, true]);
    });

    it('of an erased learner gives the usual answer', async () => {
      expect((await ask('POST', pathOf(LearnerId.parse(randomUUID())))).statusCode).toBe(200);
    });

    it('to dismiss reminders about plans shows a button, whose POST leaves other reminders on', async () => {
      const device = await registerDevice(server);
      const { userId } = device;
      const path = mail.upgradeDismissal.urlFor(userId).slice(ORIGIN.length);
      const shown = await ask('GET', path);
      expect(shown.statusCode).toBe(200);
      expect(shown.payload).toContain(`<form method="post" action="${path}">`);
      const before = await rowOf(userId);
      expect((await ask('POST', path)).statusCode).toBe(200);
      expect((await ask('POST', path)).statusCode).toBe(200);
      expect(await rowOf(userId)).toEqual(before);
      // Neither link opens the other's page.
      const tokenOf = (url: string): string => url.split('token=')[1] ?? '';
      expect((await ask('POST', `/unsubscribe?token=${tokenOf(path)}`)).statusCode).toBe(400);
      const foreign = `/dismiss-plan-reminders?token=${tokenOf(pathOf(userId))}`;
      for (const method of ['GET', 'POST'] as const) expect((await ask(method, foreign)).statusCode).toBe(400);
      expect(await isOnAt(device)).toBe(true);
    });

    it('is never logged', () => {
      expect(server.log()).not.toMatch(/token=[0-9a-f]/);
    });
  });
}
