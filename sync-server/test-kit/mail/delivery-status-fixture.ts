export const MESSAGE_ID = '<0198f7a0-0000-7000-8000-00000000000a@parley.example>';

/** A delivery status notification (RFC 3464) in the format of Postfix, with fields that a test can change. */
export const aDsn = ({
  action = 'failed',
  status = '5.1.1',
  type = 'multipart/report; report-type=delivery-status;\n\tboundary="A1B2/mx.example.org"',
  original = 'message/rfc822',
  messageId = MESSAGE_ID,
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
 ${messageId}
Subject: You have access to Parley

Hello Anna,
Message-ID: <not-this-one-either@example.org>

--A1B2/mx.example.org--
`;
