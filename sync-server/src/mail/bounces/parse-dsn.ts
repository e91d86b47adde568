/** Parses a delivery status notification (RFC 3464), which a mail server sends back when it could not deliver a mail. */
import PostalMime, { type Email } from 'postal-mime';
import type { Bounce } from './bounces.ts';

const STATUS_TYPE = /^message\/(global-)?delivery-status$/i;
const ORIGINAL_TYPE = /^(message\/(global|global-headers|rfc822)|text\/rfc822-headers)$/i;

/** A notification quotes our mail, which has a few hundred lines. The parser needs half a minute for a megabyte of short ones. */
const MAX_LINES = 10_000;
/** The first group is about the message. Our mails have one recipient. */
const MAX_GROUPS = 10;

/** Null for any other mail, and for a notification of success. */
export async function parseDsn(raw: string | Uint8Array): Promise<Bounce | null> {
  const report = await parseMail(raw);
  const type = fieldOf(report, 'content-type') ?? '';
  if (!/^multipart\/report/i.test(type) || !/report-type="?delivery-status/i.test(type)) return null;
  const recipient = await readRecipient(partOf(report, STATUS_TYPE));
  const action = fieldOf(recipient, 'action')?.toLowerCase();
  if (action !== 'failed' && action !== 'delayed') return null;
  const original = await parseMail(partOf(report, ORIGINAL_TYPE));
  const status = fieldOf(recipient, 'status');
  const said = [status, fieldOf(recipient, 'diagnostic-code')].filter((part) => part !== undefined);
  return {
    messageId: fieldOf(original, 'message-id') ?? null,
    to: addressOf(fieldOf(recipient, 'original-recipient') ?? fieldOf(recipient, 'final-recipient')),
    outcome: action === 'delayed' ? 'delayed' : isAddressWrong(status) ? 'bounced' : 'failed',
    trouble: said.join(' ').replaceAll(/\s+/g, ' ') || action,
  };
}

/**
 * A temporary status of a failure means that the mail server gave up, and 5.2.2 that the mailbox is full; neither means
 * that the address is wrong.
 */
const isAddressWrong = (status = ''): boolean => !/^(4\.|5\.2\.2\b)/.test(status);

/** Null when the message exceeds our limits or the parser's. */
async function parseMail(raw: string | Uint8Array): Promise<Email | null> {
  if (hasTooManyLines(raw)) return null;
  return PostalMime.parse(raw, { forceRfc822Attachments: true, attachmentEncoding: 'utf8' }).catch(() => null);
}

function hasTooManyLines(raw: string | Uint8Array): boolean {
  const bytes = Buffer.from(raw);
  let lines = 0;
  for (let at = bytes.indexOf('\n'); at !== -1 && lines <= MAX_LINES; at = bytes.indexOf('\n', at + 1)) lines += 1;
  return lines > MAX_LINES;
}

/** The fields of the message come first, followed by a group for each recipient; our mails have only one. */
async function readRecipient(status: string): Promise<Email | null> {
  for (const group of status.split(/\r?\n[ \t]*\r?\n/, MAX_GROUPS)) {
    const fields = await parseMail(group.trimStart());
    if (fieldOf(fields, 'action') !== undefined) return fields;
  }
  return null;
}

function partOf(report: Email | null, type: RegExp): string {
  const content = report?.attachments.find(({ mimeType }) => type.test(mimeType))?.content;
  return typeof content === 'string' ? content : '';
}

const fieldOf = (mail: Email | null, name: string): string | undefined =>
  mail?.headers.find(({ key }) => key === name)?.value.trim();

/** Parses `rfc822; anna@example.org`. */
const addressOf = (field: string | undefined): string | null =>
  field
    ?.split(';')
    .at(-1)
    ?.trim()
    .replaceAll(/[<>\0]/g, '')
    .toLowerCase() || null;
