import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OutgoingMail } from '../../mail/index.ts';
import { createFolderTransport, createSmtpTransport } from './index.ts';
import { type Misbehaviour, type SmtpTwin, startSmtpTwin } from './twin/index.ts';
import { readMail } from './twin/read-mail.ts';

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
  let twin: SmtpTwin;
  beforeAll(async () => {
    twin = await startSmtpTwin();
  });
  afterEach(() => {
    twin.misbehave({ type: 'none' });
    twin.forget();
  });
  afterAll(() => twin.close());
  const send = (given: Partial<OutgoingMail> = {}) =>
    createSmtpTransport({ url: twin.url, from: FROM, silenceMs: 400 }).send(aMail(given));

  it('is given the mail as it was written', async () => {
    const mail = aMail();
    expect(await send()).toEqual({ outcome: 'accepted' });
    expect(twin.mails).toHaveLength(1);
    const [caught] = twin.mails;
    expect(caught).toMatchObject({
      from: 'hello@parley.example',
      to: [mail.to],
      subject: mail.subject,
      text: mail.text,
    });
    expect(caught?.html).toBe(mail.html);
    expect(caught?.headers.get('message-id')).toBe(mail.messageId);
  });

  it('is given the fields of one-click unsubscribing whole, on one line', async () => {
    await send();
    const lines = twin.mails[0]?.raw.split('\r\n').slice(0, 12);
    expect(lines).toContain(`List-Unsubscribe: <${STOP_URL}>`);
    expect(lines).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  });

  it('is given no further header fields by what a subject holds', async () => {
    expect(await send({ subject: 'Hello\r\nBcc: all@example.org' })).toEqual({ outcome: 'accepted' });
    expect(twin.mails[0]?.headers.has('bcc')).toBe(false);
    expect(twin.mails[0]?.to).toEqual([aMail().to]);
  });

  it.each([
    '',
    'nobody',
    'a@b.example, c@d.example',
    'a@b.example\r\nBcc: c@d.example',
    'A <a@b.example>',
    'a@b@c.example',
  ])('is not told of %j, which is not one address', async (to) => {
    expect(await send({ to })).toMatchObject({ outcome: 'refused' });
    expect(twin.tries()).toBe(0);
  });

  const behaviours: [what: string, how: Misbehaviour, outcome: string, caught: number][] = [
    ['knows no such reader', { type: 'answer', code: 550, at: 'recipient' }, 'refused', 0],
    ['does not want the mail', { type: 'answer', code: 554, at: 'mail' }, 'refused', 0],
    ['has no room for the reader now', { type: 'answer', code: 452, at: 'recipient' }, 'deferred', 0],
    ['wants the mail later', { type: 'answer', code: 451, at: 'mail' }, 'deferred', 0],
    ['does not like who sends, for now or for good', { type: 'answer', code: 553, at: 'sender' }, 'deferred', 0],
    ['breaks the line before the mail', { type: 'cut', at: 'recipient' }, 'deferred', 0],
    ['breaks the line when it has the mail, and says nothing', { type: 'cut', at: 'mail' }, 'uncertain', 1],
    ['falls silent when it has the mail', { type: 'slow', ms: 3_000 }, 'uncertain', 1],
    ['takes its time', { type: 'slow', ms: 100 }, 'accepted', 1],
  ];
  it.each(behaviours)('that %s: %j is %s', async (_what, how, outcome, caught) => {
    twin.misbehave(how);
    expect(await send()).toMatchObject({ outcome });
    expect(twin.mails).toHaveLength(caught);
  });

  it('that is not there is tried again later', async () => {
    const transport = createSmtpTransport({ url: 'smtp://127.0.0.1:9', from: FROM, silenceMs: 400 });
    expect(await transport.send(aMail())).toMatchObject({ outcome: 'deferred' });
  });

  it('that never greets is tried again later', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    const bound = silent.address();
    const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
    const transport = createSmtpTransport({ url: `smtp://127.0.0.1:${port}`, from: FROM, silenceMs: 200 });
    expect(await transport.send(aMail())).toMatchObject({ outcome: 'deferred' });
    silent.close();
  });
});

describe('the folder', () => {
  const dir = mkdtempSync(join(tmpdir(), 'parley-outbox-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it('holds each mail in a file that says it was sent to nobody, and that only its owner reads', async () => {
    const now = (): Date => new Date('2026-11-18T10:00:00.000Z');
    const outbox = join(dir, 'outbox');
    const transport = createFolderTransport({ dir: outbox, from: FROM, now });
    expect(await transport.send(aMail())).toEqual({ outcome: 'accepted' });
    const files = readdirSync(outbox);
    expect(files).toEqual(['2026-11-18T10-00-00.000Z_0198f7a0-0000-7000-8000-00000000000a.eml']);
    const file = join(outbox, files[0] ?? '');
    const { headers, subject, text } = readMail(readFileSync(file, 'utf8'));
    expect(headers.get('x-parley-not-sent')).toContain('sent to nobody');
    expect({ subject, text }).toEqual({ subject: aMail().subject, text: aMail().text });
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it('that cannot be written is tried again later', async () => {
    const transport = createFolderTransport({ dir: '/dev/null/outbox', from: FROM });
    expect(await transport.send(aMail())).toMatchObject({ outcome: 'deferred' });
  });
});
