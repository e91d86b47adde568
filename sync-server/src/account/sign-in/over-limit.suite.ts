/**
 * One person who requests e-mails to made-up addresses must not prevent the sign-ins of everyone on the same network.
 */
import { randomUUID } from 'node:crypto';
import { LearnerId } from '@parley/domain';
import { eq, like } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { mails } from '../../db/mail-tables.ts';
import { signIns, tables } from '../../db/tables.ts';
import { discardingTransport } from '../../../test-kit/mail/mail-fixture.ts';
import { openBrowser } from '../../../test-kit/browser.ts';
import { anEmail } from '../../../test-kit/mailbox.ts';
import { type JsonResponse, startServer, type TestServer } from '../../../test-kit/server.ts';
import { newUserRow } from '../account-rows.ts';

const HOUR_MS = 3_600_000;

export function overLimitSuite(open: () => Promise<DatabaseConnection>): void {
  const adminEmail = anEmail();
  let server: TestServer;
  let networks = 0;
  let network = '';
  beforeAll(async () => {
    server = await startServer(await open(), {
      account: { adminEmails: [adminEmail] },
      logLevel: 'warn',
      mail: { transport: discardingTransport, origin: 'https://parley.example', secret: 'a secret of this suite' },
    });
  });
  afterAll(() => server.close());
  beforeEach(() => {
    server.advanceClock(25 * HOUR_MS);
    network = `203.0.113.${(networks += 1)}`;
  });

  const request = (
    email: string,
    { from = network, requestId }: { from?: string; requestId?: unknown } = {},
  ): Promise<JsonResponse> =>
    server.send({
      method: 'POST',
      url: '/v1/account/request-sign-in',
      remoteAddress: from,
      payload: { email, ...(requestId === undefined ? {} : { requestId }) },
    });
  const mailsTo = (email: string): Promise<number> => server.database.db.$count(mails, eq(mails.to, email));
  const emailsTo = (email: string): Promise<number> => server.database.db.$count(signIns, eq(signIns.email, email));
  const aLearner = async (): Promise<string> => {
    const email = anEmail();
    const user = { ...newUserRow(LearnerId.parse(randomUUID()), server.now()), email };
    await server.database.db.insert(tables.users).values(user);
    return email;
  };
  /** Requests an e-mail, and adds as many to other addresses from the same network. */
  const flood = async (count: number, from = network): Promise<void> => {
    const { db } = server.database;
    const email = anEmail();
    await request(email, { from });
    const [first] = await db.select().from(signIns).where(eq(signIns.email, email));
    if (first === undefined) throw new Error('no e-mail was recorded');
    const others = Array.from({ length: count - 1 }, () => ({
      ...first,
      id: randomUUID(),
      linkHash: randomUUID(),
      email: `flood-${anEmail()}`,
    }));
    await db.insert(signIns).values(others);
  };

  describe('a network that has requested 300 e-mails in an hour', () => {
    it('still gets e-mails to addresses that have an account or are an admin’s', async () => {
      await flood(300);
      const [learner, unknown] = [await aLearner(), anEmail()];
      for (const email of [learner, adminEmail, unknown]) expect((await request(email)).status).toBe(200);
      expect([await mailsTo(learner), await mailsTo(adminEmail), await mailsTo(unknown)]).toEqual([1, 1, 0]);
      expect(server.log()).toContain('sign_in_mail_limited');
      await request(unknown, { from: '198.51.100.7' });
      expect(await mailsTo(unknown)).toBe(1);
    });

    it('is told that newcomers get none, whatever address is named', async () => {
      const isLimited = async (email: string, from = network) =>
        (await request(email, { from })).body['isNetworkLimited'];
      expect(await isLimited(anEmail())).toBe(false);
      await flood(300);
      for (const email of [await aLearner(), adminEmail, anEmail()]) expect(await isLimited(email)).toBe(true);
      expect(await isLimited(anEmail(), '198.51.100.8')).toBe(false);
    });

    it.each([
      ['/sign-in', '/sign-in/request'],
      ['/request-access', '/request-access'],
    ])('is told so by the page %s', async (page, action) => {
      const browser = openBrowser(server);
      const ask = async (): Promise<string> => {
        const fields = { email: anEmail() };
        return (await browser.submit(await browser.get(page), action, { fields })).text;
      };
      expect(await ask()).not.toContain('try again later');
      await flood(300, '127.0.0.1');
      expect(await ask()).toContain('try again later');
    });

    it('does not reveal in its answers which addresses have an account', async () => {
      await flood(300);
      const [learner, unknown] = [await aLearner(), anEmail()];
      for (const email of [learner, unknown]) {
        const first = await request(email);
        const { requestId } = first.body;
        const guess = { email, code: '000000', requestId, deviceId: randomUUID(), name: 'x', platform: 'linux' };
        const guesses = [];
        for (let time = 0; time < 6; time += 1)
          guesses.push((await server.post('/v1/account/sign-in', { ...guess, timeZone: 'UTC' })).status);
        const others = [];
        for (let time = 0; time < 3; time += 1) others.push(await request(email, { requestId }));
        expect({
          status: first.status,
          guesses,
          isContinued: others.map(({ body }) => body['requestId'] === requestId),
          emails: await emailsTo(email),
        }).toEqual({
          status: 200,
          guesses: [401, 401, 401, 401, 401, 401],
          isContinued: [true, true, true],
          emails: 3,
        });
      }
      expect([await mailsTo(learner), await mailsTo(unknown)]).toEqual([3, 0]);
    });

    it('is served again after the hour, however often its newcomers tried in the meantime', async () => {
      await flood(300);
      server.advanceClock(30 * 60_000);
      const newcomer = anEmail();
      for (let learner = 0; learner < 20; learner += 1) await request(anEmail());
      await request(newcomer);
      const { db } = server.database;
      const [last] = await db.select().from(signIns).where(eq(signIns.email, newcomer));
      if (last === undefined) throw new Error('no e-mail was recorded');
      const more = Array.from({ length: 300 }, () => ({ ...last, id: randomUUID(), linkHash: randomUUID() }));
      await db.insert(signIns).values(more.map((row) => ({ ...row, email: `flood-${anEmail()}` })));
      server.advanceClock(31 * 60_000);
      const email = anEmail();
      await request(email);
      expect(await mailsTo(email)).toBe(1);
    });

    it('is one IPv6 site, whichever of its networks are used', async () => {
      await flood(300, '2001:db8:7:1::1');
      const [email, neighbour] = [anEmail(), anEmail()];
      await request(email, { from: '2001:db8:7:2::1' });
      await request(neighbour, { from: '2001:db8:8:2::1' });
      expect([await mailsTo(email), await mailsTo(neighbour)]).toEqual([0, 1]);
    });

    it('does not count e-mails that led to a sign-in', async () => {
      await flood(300);
      await server.database.db.update(signIns).set({ usedAt: server.now() }).where(like(signIns.email, 'flood-%'));
      const email = anEmail();
      await request(email);
      expect(await mailsTo(email)).toBe(1);
    });
  });
}
