import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { mails } from '../db/tables.ts';
import { createSmtpTransport } from '../integrations/smtp/index.ts';
import { type SmtpTwin, startSmtpTwin } from '../integrations/smtp/twin/index.ts';
import { startServer, type TestServer } from '../test-kit/server.ts';
import { aDsn } from './test-kit/a-dsn.ts';
import { ORIGIN } from './test-kit/mail-scene.ts';
import { createMail, type Mail } from './index.ts';

const SECRET = 'a secret that is long enough for a test';
const KEY = 'the key of whoever takes in what comes back';
const BOUNCES_TO = 'bounces@parley.example';

export function bouncesSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let twin: SmtpTwin;
  let mail: Mail;
  beforeAll(async () => {
    twin = await startSmtpTwin();
    const from = 'Parley <hello@parley.example>';
    const transport = createSmtpTransport({ url: twin.url, from, bouncesTo: BOUNCES_TO });
    const parts = { transport, origin: ORIGIN, secret: SECRET };
    server = await startServer(await open(), { mail: { ...parts, bouncesKey: KEY } });
    const { db } = server.database;
    mail = createMail({ ...parts, db, now: server.now, newId: randomUUID, changed: () => undefined });
  });
  afterAll(async () => {
    await server.close();
    await twin.close();
  });

  const sent = async (to: string) => {
    const data = { code: '482913', withoutCode: null, link: `${ORIGIN}/sign-in?link=abc` };
    await server.database.db.transaction((tx) =>
      mail.enqueue(tx, { userId: null, to, kind: 'sign_in', step: randomUUID(), data }),
    );
    await mail.sendDue();
    const caught = twin.mails.find(({ to: [reader] }) => reader === to);
    if (caught === undefined) throw new Error('nothing was sent');
    return caught;
  };
  const handOn = async (payload: string, key: string | null = KEY, type = 'message/rfc822') => {
    const { statusCode, body } = await server.app.inject({
      method: 'POST',
      url: '/v1/mail/bounces',
      payload,
      headers: { 'content-type': type, ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
    });
    return { status: statusCode, body: JSON.parse(body) as Record<string, unknown> };
  };
  const stateOf = async (to: string): Promise<string | undefined> =>
    (await server.database.db.select().from(mails).where(eq(mails.to, to)))[0]?.state;

  describe('a mail that comes back', () => {
    it('comes back to the address that is there for it, and is known as soon as it is handed on', async () => {
      const to = `${randomUUID()}@example.org`;
      const { from, headers } = await sent(to);
      expect(from).toBe(BOUNCES_TO);
      expect(headers.get('from')).toBe('Parley <hello@parley.example>');
      expect(await stateOf(to)).toBe('sent');
      const notification = aDsn({ messageId: headers.get('message-id') ?? '' }).replaceAll('\n', '\r\n');
      expect(await handOn(notification)).toEqual({ status: 200, body: { noted: true } });
      expect(await stateOf(to)).toBe('bounced');
      expect(await handOn(notification)).toEqual({ status: 200, body: { noted: false } });
    });

    it('is taken from nobody without the key, whatever they send', async () => {
      const to = `${randomUUID()}@example.org`;
      const { headers } = await sent(to);
      const notification = aDsn({ messageId: headers.get('message-id') ?? '' });
      for (const key of [null, '', 'x', KEY.slice(1), `${KEY} `, KEY.toUpperCase()])
        expect(await handOn(notification, key)).toMatchObject({ status: 401, body: { code: 'auth.required' } });
      expect(await stateOf(to)).toBe('sent');
    });

    it.each([
      ['nothing', ''],
      ['an answer by a person', 'Subject: Thank you!\r\n\r\nAnna'],
      ['bytes that are no letters', '\u0000\u00ff\u0000'],
      ['a mail of somebody else', aDsn({ messageId: '<other@example.org>' })],
    ])('is not %s', async (_what, payload) => {
      expect(await handOn(payload)).toEqual({ status: 200, body: { noted: false } });
    });

    it('is refused where it is larger than any notification', async () => {
      expect(await handOn('x'.repeat(2 * 1024 * 1024))).toMatchObject({ status: 413 });
    });
  });
}
