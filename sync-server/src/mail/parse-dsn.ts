/** Reads a delivery status notification (RFC 3464): the mail that a mail server sends back when it could not deliver ours. */
import type { Bounce } from './bounces.ts';

/** Null for a mail that is none, and for one that only says that all went well. */
export function parseDsn(raw: string): Bounce | null {
  const message = splitMessage(raw.replaceAll('\r\n', '\n'));
  const type = message.fields.get('content-type') ?? '';
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1];
  if (!/^multipart\/report/i.test(type) || !/report-type="?delivery-status/i.test(type) || boundary === undefined)
    return null;
  const parts = splitParts(message.body, boundary).map(splitMessage);
  const status = parts.find(({ fields }) =>
    /^message\/(global-)?delivery-status/i.test(fields.get('content-type') ?? ''),
  );
  // Fields of the message first, then a group of fields for each recipient; we write to one.
  const recipient = (status?.body.split(/\n\s*\n/) ?? []).map(readFields).find((fields) => fields.has('action'));
  const action = recipient?.get('action')?.toLowerCase();
  if (recipient === undefined || (action !== 'failed' && action !== 'delayed')) return null;
  const original = parts.find(({ fields }) =>
    /^(message\/(global|rfc822)|text\/rfc822-headers)/i.test(fields.get('content-type') ?? ''),
  );
  const said = [recipient.get('status'), recipient.get('diagnostic-code')].filter((part) => part !== undefined);
  return {
    messageId: readFields(original?.body.split(/\n\n/)[0] ?? '').get('message-id') ?? null,
    to: addressOf(recipient.get('original-recipient') ?? recipient.get('final-recipient')),
    permanent: action === 'failed' && recipient.get('status')?.startsWith('4') !== true,
    trouble: said.join(' ').replaceAll(/\s+/g, ' ') || action,
  };
}

interface Message {
  fields: Map<string, string>;
  body: string;
}

function splitMessage(text: string): Message {
  const end = text.indexOf('\n\n');
  return end === -1
    ? { fields: readFields(text), body: '' }
    : { fields: readFields(text.slice(0, end)), body: text.slice(end + 2) };
}

const splitParts = (body: string, boundary: string): string[] =>
  `\n${body}`
    .split(`\n--${boundary}`)
    .slice(1)
    .filter((part) => !part.startsWith('--'))
    .map((part) => part.replace(/^[ \t]*\n/, ''));

/** Names in lower case; a line that begins with white space goes on with the one before. */
function readFields(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of text.replaceAll(/\n[ \t]+/g, ' ').split('\n')) {
    const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) fields.set(name.toLowerCase(), value.trim());
  }
  return fields;
}

/** `rfc822; somebody@example.org`. */
const addressOf = (field: string | undefined): string | null =>
  field?.split(';').at(-1)?.trim().replaceAll(/[<>]/g, '').toLowerCase() || null;
