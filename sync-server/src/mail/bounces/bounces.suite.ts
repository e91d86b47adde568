import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { mails } from '../../db/mail-tables.ts';
import { createSmtpTransport } from '../../integrations/smtp/index.ts';
import { type SmtpFake, startSmtpFake } from '@parley/fakes/smtp/index.ts';
import { startServer, type TestServer } from '../../../test-kit/server.ts';
import { aDsn } from '../../../test-kit/mail/delivery-status-fixture.ts';
import { ORIGIN } from '../../../test-kit/mail/mail-fixture.ts';
import { createMail, type Mail } from '../index.ts';

const SECRET = 'a secret that is long enough for a test';
const KEY = 'the key of the mail server that reports bounces';
const BOUNCES_TO = 'bounces@parley.example';

export function bouncesSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let fake: SmtpFake;
  let mail: Mail;
  beforeAll(async () => {
    fake = await startSmtpFake();
    const from = 'Parley <hello@parley.example>';
    const transport = createSmtpTransport({ url: fake.url, from, returnPath: BOUNCES_TO });
    const parts = { transport, origin: ORIGIN, secret: SECRET };
    server = await startServer(await open(), { mail: { ...parts, bounceKey: KEY } });
    const { db } = server.database;
    mail = createMail({ ...parts, db, now: server.now, newId: randomUUID, onChanged: () => undefined });
  });
  afterAll(async () => {
    await server.close();
    await fake.close();
  });

  const sent = async (to: string) => {
    const data = { code: '482913', withoutCode: null, link: `${ORIGIN}/sign-in?link=abc` };
    await server.database.db.transaction((tx) =>
      mail.enqueue(tx, { userId: null, to, kind: 'sign_in', step: randomUUID(), data }),
    );
    await mail.sendDue();
    const caught = fake.mails.find(({ to: [reader] }) => reader === to);
    if (caught === undefined) throw new Error('nothing was sent');
    return caught;
  };
  const reportBounce = async (payload: string, key: string | null = KEY, type = 'message/rfc822') => {
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

  describe('a bounced mail', () => {
    it('returns to the bounce address and is recorded when it is reported', async () => {
      const to = `${randomUUID()}@example.org`;
      const { from, headers } = await sent(to);
      expect(from).toBe(BOUNCES_TO);
      expect(headers.get('from')).toBe('Parley <hello@parley.example>');
      expect(await stateOf(to)).toBe('sent');
      const notification = aDsn({ messageId: headers.get('message-id') ?? '' }).replaceAll('\n', '\r\n');
      expect(await reportBounce(notification)).toEqual({ status: 200, body: { noted: true } });
      expect(await stateOf(to)).toBe('bounced');
      expect(await reportBounce(notification)).toEqual({ status: 200, body: { noted: false } });
    });

    it('is recorded whatever characters the foreign mail server used', async () => {
      const to = `${randomUUID()}@example.org`;
      const { headers } = await sent(to);
      const notification = aDsn({ messageId: headers.get('message-id') ?? '' })
        .replace('User unknown', 'User\0 unknown')
        .replace('rfc822;anna', 'rfc822;an\0na')
        .replaceAll('\n', '\r\n');
      expect(await reportBounce(notification)).toEqual({ status: 200, body: { noted: true } });
      expect(await stateOf(to)).toBe('bounced');
    });

    it('without a message id is taken to be the newest to its address', async () => {
      const to = `${randomUUID()}@example.org`;
      await sent(to);
      server.advanceClock(1_000);
      await sent(to);
      const report = { messageId: null, to, outcome: 'bounced', trouble: '5.1.1 unknown' } as const;
      expect(await mail.recordBounce(report)).not.toBeNull();
      expect(await mail.recordBounce(report)).toBeNull();
      const stored = await server.database.db.select().from(mails).where(eq(mails.to, to)).orderBy(mails.createdAt);
      expect(stored.map(({ state }) => state)).toEqual(['sent', 'bounced']);
    });

    it('is refused without the key', async () => {
      const to = `${randomUUID()}@example.org`;
      const { headers } = await sent(to);
      const notification = aDsn({ messageId: headers.get('message-id') ?? '' });
      for (const key of [null, '', 'x', KEY.slice(1), `${KEY} `, KEY.toUpperCase()])
        expect(await reportBounce(notification, key)).toMatchObject({ status: 401, body: { code: 'auth.required' } });
      expect(await stateOf(to)).toBe('sent');
    });

    it.each([
      ['empty', ''],
      ['a personal reply', 'Subject: Thank you!\r\n\r\nAnna'],
      ['binary', '\u0000\u00ff\u0000'],
      ['about a mail of another server', aDsn({ messageId: '<other@example.org>' })],
    ])('is ignored when it is %s', async (_what, payload) => {
      expect(await reportBounce(payload)).toEqual({ status: 200, body: { noted: false } });
    });

    it('is refused when it is too large', async () => {
      expect(await reportBounce('x'.repeat(2 * 1024 * 1024))).toMatchObject({ status: 413 });
    });
  });
}
