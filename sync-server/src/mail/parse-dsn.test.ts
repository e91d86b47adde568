import { describe, expect, it } from 'vitest';
import { parseDsn } from './parse-dsn.ts';

const MESSAGE_ID = '<0198f7a0-0000-7000-8000-00000000000a@parley.example>';

/** As Postfix writes them, but for what a test changes. */
const aDsn = ({
  action = 'failed',
  status = '5.1.1',
  type = 'multipart/report; report-type=delivery-status;\n\tboundary="A1B2/mx.example.org"',
  original = 'message/rfc822',
} = {}): string => `Return-Path: <>
Date: Wed, 18 Nov 2026 10:00:05 +0000 (UTC)
From: MAILER-DAEMON@mx.example.org (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: hello@parley.example
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: ${type}

This is a MIME-encapsulated message.

--A1B2/mx.example.org
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

This is the mail system at host mx.example.org.
Action: failed
Message-ID: <not-this-one@mx.example.org>

--A1B2/mx.example.org
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org
X-Postfix-Queue-ID: 4F1C2A0042
Arrival-Date: Wed, 18 Nov 2026 10:00:02 +0000 (UTC)

Final-Recipient: rfc822; Anna@Example.org
Original-Recipient: rfc822;anna@example.org
Action: ${action}
Status: ${status}
Remote-MTA: dns; mail.example.org
Diagnostic-Code: smtp; 550 5.1.1 <anna@example.org>: Recipient address
    rejected: User unknown

--A1B2/mx.example.org
Content-Description: Undelivered Message
Content-Type: ${original}

Received: from parley.example
Message-ID:
 ${MESSAGE_ID}
Subject: You have access to Parley

Hello Anna,
Message-ID: <not-this-one-either@example.org>

--A1B2/mx.example.org--
`;

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
