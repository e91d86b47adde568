import { describe, expect, it } from 'vitest';
import { parseDsn } from './parse-dsn.ts';
import { aDsn, MESSAGE_ID } from './test-kit/a-dsn.ts';

describe('a notification of delivery', () => {
  it.each([
    ['of one that failed', {}, true],
    ['with the headers alone', { original: 'text/rfc822-headers' }, true],
    ['of one that is late', { action: 'delayed', status: '4.4.1' }, false],
    ['of one that failed after long tries', { status: '4.4.7' }, false],
  ])('%s names the mail, its reader, and what was said', (_what, given, permanent) => {
    for (const raw of [aDsn(given), aDsn(given).replaceAll('\n', '\r\n')])
      expect(parseDsn(raw)).toMatchObject({ messageId: MESSAGE_ID, to: 'anna@example.org', permanent });
  });

  it('says why, on one line', () => {
    expect(parseDsn(aDsn())?.trouble).toBe(
      '5.1.1 smtp; 550 5.1.1 <anna@example.org>: Recipient address rejected: User unknown',
    );
  });

  it.each([
    ['an answer of a person', 'From: anna@example.org\nContent-Type: text/plain\n\nThank you!\nAction: failed'],
    ['a notification that all went well', aDsn({ action: 'delivered', status: '2.0.0' })],
    ['a notification that it was read', aDsn().replace('delivery-status;', 'disposition-notification;')],
    ['nothing', ''],
    ['a report without parts', 'Content-Type: multipart/report; report-type=delivery-status; boundary=x\n\nnothing'],
  ])('is not %s', (_what, raw) => {
    expect(parseDsn(raw)).toBeNull();
  });
});
