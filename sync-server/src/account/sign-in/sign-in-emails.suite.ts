import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { signIns } from '../../db/tables.ts';
import { anEmail, aDeviceToSignIn, type Mailbox, createMailbox, createSignInApp } from '../../../test-kit/mailbox.ts';
import { startServer, type TestServer } from '../../../test-kit/server.ts';

const MINUTE_MS = 60_000;

/** The sign-in e-mail: what it can be used for, and how often it is sent. */
export function signInEmailsSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let mailbox: Mailbox;
  let email: string;
  beforeAll(async () => {
    mailbox = createMailbox();
    server = await startServer(await open(), { enqueueMail: mailbox.enqueue });
  });
  beforeEach(() => {
    email = anEmail();
    server.advanceClock(MINUTE_MS);
  });
  afterAll(() => server.close());

  const post = createSignInApp(() => server);
  const request = (to = email) => post('/v1/account/request-sign-in', { email: to });
  const byCode = (code: string) => post('/v1/account/sign-in', { ...aDeviceToSignIn(), email, code });
  const byLink = (link: string) => server.post('/v1/account/sign-in-by-link', { ...aDeviceToSignIn(), link });
  const wrongCode = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  const codeIsWrong = { status: 401, body: { code: 'sign_in.code_wrong' } };
  const linkIsSpent = { status: 410, body: { code: 'sign_in.link_spent' } };

  describe('an e-mail', () => {
    it('is sent three times in fifteen minutes, always with the same answer', async () => {
      const answers = [];
      for (let quarter = 0; quarter < 4; quarter += 1) {
        for (let time = 0; time < 4; time += 1) answers.push(await request());
        expect(mailbox.to(email)).toHaveLength(Math.min(10, 3 * (quarter + 1)));
        server.advanceClock(15 * MINUTE_MS);
      }
      expect(new Set(answers.map(({ status, body }) => `${status} ${Object.keys(body).join()}`))).toEqual(
        new Set(['200 requestId,isNetworkLimited,isMailWritten']),
      );
    });

    it('is sent once an hour after ten in a day, so the owner is never locked out', { tags: ['slow'] }, async () => {
      const askAllHour = async () => {
        for (let quarter = 0; quarter < 4; quarter += 1) {
          for (let time = 0; time < 4; time += 1) await request();
          server.advanceClock(15 * MINUTE_MS);
        }
      };
      await askAllHour();
      expect(mailbox.to(email)).toHaveLength(10);
      for (let hour = 1; hour <= 30; hour += 1) {
        await askAllHour();
        expect(mailbox.to(email)).toHaveLength(10 + hour);
      }
      expect((await byLink(mailbox.link(email))).status).toBe(410);
      server.advanceClock(60 * MINUTE_MS);
      await request();
      expect((await byCode(mailbox.code(email))).status).toBe(200);
      server.advanceClock(24 * 60 * MINUTE_MS);
      for (let time = 0; time < 4; time += 1) await request();
      expect(mailbox.to(email)).toHaveLength(10 + 30 + 1 + 3);
    });

    it('requested ten times at once is sent three times', async () => {
      await Promise.all(Array.from({ length: 10 }, () => request()));
      expect(mailbox.to(email)).toHaveLength(3);
    });

    it('is stored without its code or its link', async () => {
      await request();
      const kept = JSON.stringify(await server.database.db.select().from(signIns).where(eq(signIns.email, email)));
      expect(kept).toContain(email);
      expect(kept).not.toContain(mailbox.link(email));
      expect(kept).not.toMatch(new RegExp(`\\b${mailbox.code(email)}\\b`));
    });

    it.each(['', 'nobody', 'a@b', `x@example.com\0`, { $ne: '' }, null])(
      'to the invalid address %j is refused',
      async (address) => {
        expect(await server.post('/v1/account/request-sign-in', { email: address })).toMatchObject({
          status: 400,
          body: { code: 'request.invalid' },
        });
      },
    );
  });

  describe('a code', () => {
    it('works once, and its link is spent with it', async () => {
      await request();
      const [code, link] = [mailbox.code(email), mailbox.link(email)];
      expect((await byCode(code)).status).toBe(200);
      expect(await byCode(code)).toMatchObject(codeIsWrong);
      expect(await byLink(link)).toMatchObject(linkIsSpent);
    });

    it('works for fifteen minutes, to the millisecond', async () => {
      await request();
      server.advanceClock(15 * MINUTE_MS - 1);
      const code = mailbox.code(email);
      expect(await byCode(wrongCode(code))).toMatchObject(codeIsWrong);
      expect((await byCode(code)).status).toBe(200);
      server.advanceClock(15 * MINUTE_MS);
      await request();
      server.advanceClock(15 * MINUTE_MS);
      expect(await byCode(mailbox.code(email))).toMatchObject(codeIsWrong);
    });

    it('does not work for another address', async () => {
      const other = anEmail();
      await request();
      await request(other);
      const answer = await post('/v1/account/sign-in', {
        ...aDeviceToSignIn(),
        email: other,
        code: mailbox.code(email),
      });
      expect(answer).toMatchObject(codeIsWrong);
    });

    it('gives the same answer whether it is wrong or was never sent', async () => {
      await request();
      const wrong = await byCode(wrongCode(mailbox.code(email)));
      email = anEmail();
      expect(await byCode('123456')).toEqual(wrong);
    });
  });

  describe('a link', () => {
    it('works once, for fifteen minutes, and its code is spent with it', async () => {
      await request();
      const [code, link] = [mailbox.code(email), mailbox.link(email)];
      expect((await byLink(link)).status).toBe(200);
      expect(await byLink(link)).toMatchObject(linkIsSpent);
      expect(await byCode(code)).toMatchObject(codeIsWrong);
      await request();
      server.advanceClock(15 * MINUTE_MS);
      expect(await byLink(mailbox.link(email))).toMatchObject(linkIsSpent);
    });

    it('reveals its address any number of times without being spent', async () => {
      const whose = (link: string) => server.post('/v1/account/whose-link', { link });
      await request();
      const link = mailbox.link(email);
      for (let time = 0; time < 2; time += 1) expect(await whose(link)).toEqual({ status: 200, body: { email } });
      expect((await byLink(link)).status).toBe(200);
      expect(await whose(link)).toMatchObject(linkIsSpent);
      expect(await whose('A'.repeat(43))).toMatchObject(linkIsSpent);
      await request();
      const late = mailbox.link(email);
      server.advanceClock(15 * MINUTE_MS);
      expect(await whose(late)).toMatchObject(linkIsSpent);
      for (const none of ['', 'short', null, { $ne: '' }])
        expect(await whose(none as string)).toMatchObject({ status: 400, body: { code: 'request.invalid' } });
    });

    it('admits one of three devices that use it at once', async () => {
      await request();
      const link = mailbox.link(email);
      const statuses = (await Promise.all([byLink(link), byLink(link), byLink(link)])).map(({ status }) => status);
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 410, 410]);
    });
  });
}
