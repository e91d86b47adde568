import { describe, expect, it } from 'vitest';
import { parseDsn } from './parse-dsn.ts';
import { aDsn, MESSAGE_ID } from '../../../test-kit/mail/delivery-status-fixture.ts';

describe('a delivery status notification', () => {
  it.each([
    ['of a failure', {}, 'bounced'],
    ['with the headers alone', { original: 'text/rfc822-headers' }, 'bounced'],
    ['of a delay', { action: 'delayed', status: '4.4.1' }, 'delayed'],
    ['of a failure after many attempts', { status: '4.4.7' }, 'failed'],
    ['of a full mailbox', { status: '5.2.2' }, 'failed'],
  ])('%s names the mail, its recipient and the reason', async (_what, given, outcome) => {
    for (const raw of [aDsn(given), aDsn(given).replaceAll('\n', '\r\n')])
      expect(await parseDsn(raw)).toMatchObject({ messageId: MESSAGE_ID, to: 'anna@example.org', outcome });
  });

  it('gives the reason on one line', async () => {
    expect((await parseDsn(aDsn()))?.trouble).toBe(
      '5.1.1 smtp; 550 5.1.1 <anna@example.org>: Recipient address rejected: User unknown',
    );
  });

  it('may be encoded as base64 and as bytes', async () => {
    const report =
      'Final-Recipient: rfc822; anna@example.org\nAction: failed\nStatus: 5.2.2\nDiagnostic-Code: smtp; voll \u2013 übervoll';
    const encoded = Buffer.from(`Reporting-MTA: dns; mx\n\n${report}`).toString('base64');
    const raw = `Content-Type: multipart/report; report-type="delivery-status"; boundary=x

--x
Content-Type: message/global-delivery-status
Content-Transfer-Encoding: base64

${encoded}
--x
Content-Type: text/rfc822-headers

Message-ID: ${MESSAGE_ID}
--x--
`;
    expect(await parseDsn(Buffer.from(raw))).toEqual({
      messageId: MESSAGE_ID,
      to: 'anna@example.org',
      outcome: 'failed',
      trouble: '5.2.2 smtp; voll – übervoll',
    });
  });

  // Any stranger can send a mail to the address that receives bounces, and the server answers no other request while it parses one.
  it.each([
    ['of empty lines', '\n'],
    ['of empty groups', 'a\n\n'],
    ['of parts', '--x\n\n'],
    ['of attached mails', '--x\nContent-Type: message/rfc822\n\nA: b\n\nc\n'],
  ])('that consists %s, 1 MiB long, is ignored within a moment', async (_what, piece) => {
    const text = piece.repeat(2 ** 20 / piece.length);
    const encoded = `Content-Transfer-Encoding: base64\n\n${Buffer.from(text).toString('base64')}`;
    for (const status of [`\n${text}`, encoded]) {
      const raw = `Content-Type: multipart/report; report-type=delivery-status; boundary=x\n\n--x\nContent-Type: message/delivery-status\n${status}\n--x--\n`;
      const startedAt = performance.now();
      expect(await parseDsn(raw)).toBeNull();
      expect(performance.now() - startedAt).toBeLessThan(1_000);
    }
  });

  it.each([
    [
      'too deeply nested',
      'Content-Type: multipart/report; report-type=delivery-status; boundary=x\n\n--x\n'.repeat(300),
    ],
    ['a personal reply', 'From: anna@example.org\nContent-Type: text/plain\n\nThank you!\nAction: failed'],
    ['a notification of success', aDsn({ action: 'delivered', status: '2.0.0' })],
    ['a read receipt', aDsn().replace('delivery-status;', 'disposition-notification;')],
    ['empty', ''],
    ['a report without parts', 'Content-Type: multipart/report; report-type=delivery-status; boundary=x\n\nnothing'],
  ])('is not recognised in a mail that is %s', async (_what, raw) => {
    expect(await parseDsn(raw)).toBeNull();
  });
});
