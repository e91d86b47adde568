import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OutgoingMail } from '../../ports/mail/mail-transport.ts';
import { createFolderTransport, createSmtpTransport } from './index.ts';
import { type SmtpFault, type SmtpFake, startSmtpFake } from '@parley/fakes/smtp/index.ts';
import { parseMail } from '@parley/fakes/smtp/parse-mail.ts';

const FROM = 'Parley <hello@parley.example>';
const STOP_URL = `https://parley.example/unsubscribe?token=0198f7a0-0000-7000-8000-000000000001.${'x'.repeat(43)}`;

const aMail = (given: Partial<OutgoingMail> = {}): OutgoingMail => ({
  id: '0198f7a0-0000-7000-8000-00000000000a',
  messageId: '<0198f7a0-0000-7000-8000-00000000000a@parley.example>',
  to: 'anna@example.org',
  subject: 'Größe matters, naïvely – 日本',
  html: `<p>${'A line of HTML that goes on for long. '.repeat(2_000)}</p>`,
  text: 'Plain words, ümlauts.\n.\nA dot alone ends no mail.',
  headers: { 'List-Unsubscribe': `<${STOP_URL}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  ...given,
});

describe('the mail server', () => {
  let fake: SmtpFake;
  beforeAll(async () => {
    fake = await startSmtpFake();
  });
  afterEach(() => {
    fake.setFault({ type: 'none' });
    fake.clear();
  });
  afterAll(() => fake.close());
  const send = (given: Partial<OutgoingMail> = {}) =>
    createSmtpTransport({ url: fake.url, from: FROM, timeoutMs: 400 }).send(aMail(given));

  it('receives the mail as it was written', async () => {
    const mail = aMail();
    expect(await send()).toEqual({ outcome: 'accepted' });
    expect(fake.mails).toHaveLength(1);
    const [received] = fake.mails;
    expect(received).toMatchObject({
      from: 'hello@parley.example',
      to: [mail.to],
      subject: mail.subject,
      text: mail.text,
    });
    expect(received?.html).toBe(mail.html);
    expect(received?.headers.get('message-id')).toBe(mail.messageId);
  });

  it('receives the one-click unsubscribe headers unfolded', async () => {
    await send();
    const lines = fake.mails[0]?.raw.split('\r\n').slice(0, 12);
    expect(lines).toContain(`List-Unsubscribe: <${STOP_URL}>`);
    expect(lines).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  });

  it('receives no extra headers from a subject', async () => {
    expect(await send({ subject: 'Hello\r\nBcc: all@example.org' })).toEqual({ outcome: 'accepted' });
    expect(fake.mails[0]?.headers.has('bcc')).toBe(false);
    expect(fake.mails[0]?.to).toEqual([aMail().to]);
  });

  it.each([
    '',
    'nobody',
    'a@b.example, c@d.example',
    'a@b.example\r\nBcc: c@d.example',
    'A <a@b.example>',
    'a@b@c.example',
  ])('receives nothing for %j, which is not one address', async (to) => {
    expect(await send({ to })).toMatchObject({ outcome: 'refused' });
    expect(fake.attemptCount()).toBe(0);
  });

  const faultCases: [what: string, how: SmtpFault, outcome: string, caught: number][] = [
    ['rejects the recipient', { type: 'answer', code: 550, at: 'recipient' }, 'refused', 0],
    [
      'has reached its daily limit',
      { type: 'answer', code: 550, at: 'recipient', says: '5.4.5 Daily sending limit exceeded' },
      'deferred',
      0,
    ],
    ['sees a policy against it', { type: 'answer', code: 550, at: 'mail', says: '5.7.1 Unusual rate' }, 'deferred', 0],
    ['knows no such sender', { type: 'answer', code: 550, at: 'recipient', says: '5.1.8 Bad sender' }, 'deferred', 0],
    ['has a full mailbox', { type: 'answer', code: 552, at: 'recipient', says: '5.2.2 Mailbox full' }, 'deferred', 0],
    ['knows no such recipient', { type: 'answer', code: 550, at: 'recipient', says: '5.1.1 Unknown' }, 'refused', 0],
    ['rejects the message', { type: 'answer', code: 554, at: 'mail' }, 'refused', 0],
    ['has no space for the recipient now', { type: 'answer', code: 452, at: 'recipient' }, 'deferred', 0],
    ['asks for a later attempt', { type: 'answer', code: 451, at: 'mail' }, 'deferred', 0],
    ['rejects the sender', { type: 'answer', code: 553, at: 'sender' }, 'deferred', 0],
    ['drops before the message', { type: 'cut', at: 'recipient' }, 'deferred', 0],
    ['drops after the message without an answer', { type: 'cut', at: 'mail' }, 'uncertain', 1],
    ['falls silent after the message', { type: 'slow', ms: 3_000 }, 'uncertain', 1],
    ['is slow', { type: 'slow', ms: 100 }, 'accepted', 1],
  ];
  it.each(faultCases)('that %s: %j is %s', async (_what, how, outcome, received) => {
    fake.setFault(how);
    expect(await send()).toMatchObject({ outcome });
    expect(fake.mails).toHaveLength(received);
  });

  it('that is silent before the message has none of it once the server gives up', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    const bound = silent.address();
    const url = `smtp://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`;
    const result = await createSmtpTransport({ url, from: FROM }).send(aMail(), AbortSignal.timeout(200));
    expect(result).toMatchObject({ outcome: 'deferred' });
    silent.close();
  });

  it('that is silent after the message may have it when the server gives up', async () => {
    fake.setFault({ type: 'slow', ms: 2_000 });
    const result = await createSmtpTransport({ url: fake.url, from: FROM }).send(aMail(), AbortSignal.timeout(500));
    expect(result).toMatchObject({ outcome: 'uncertain' });
  });

  it('that is unreachable defers the mail', async () => {
    const transport = createSmtpTransport({ url: 'smtp://127.0.0.1:9', from: FROM, timeoutMs: 400 });
    expect(await transport.send(aMail())).toMatchObject({ outcome: 'deferred' });
  });

  it('that never greets defers the mail', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    const bound = silent.address();
    const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
    const transport = createSmtpTransport({ url: `smtp://127.0.0.1:${port}`, from: FROM, timeoutMs: 200 });
    expect(await transport.send(aMail())).toMatchObject({ outcome: 'deferred' });
    silent.close();
  });
});

describe('the outbox folder', () => {
  const dir = mkdtempSync(join(tmpdir(), 'parley-outbox-'));

  it('holds each mail in a private file marked as not sent', async () => {
    const now = (): Date => new Date('2026-11-18T10:00:00.000Z');
    const outbox = join(dir, 'outbox');
    const transport = createFolderTransport({ dir: outbox, from: FROM, now });
    expect(await transport.send(aMail())).toEqual({ outcome: 'accepted' });
    const files = readdirSync(outbox);
    expect(files).toEqual(['2026-11-18T10-00-00.000Z_0198f7a0-0000-7000-8000-00000000000a.eml']);
    const file = join(outbox, files[0] ?? '');
    const { headers, subject, text } = parseMail(readFileSync(file, 'utf8'));
    expect(headers.get('x-parley-not-sent')).toContain('was not sent');
    expect({ subject, text }).toEqual({ subject: aMail().subject, text: aMail().text });
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it('that cannot be written defers the mail', async () => {
    const transport = createFolderTransport({ dir: '/dev/null/outbox', from: FROM });
    expect(await transport.send(aMail())).toMatchObject({ outcome: 'deferred' });
  });
});
