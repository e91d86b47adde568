/** Takes a mail of ours apart again: header fields, the plain text and the HTML. It reads what nodemailer writes, not what the world sends. */

export interface ReadMail {
  /** By their names in lower case. */
  headers: ReadonlyMap<string, string>;
  subject: string;
  text: string;
  html: string;
  raw: string;
}

export function readMail(raw: string): ReadMail {
  const whole = splitPart(raw.replaceAll('\r\n', '\n'));
  const boundary = /boundary="([^"]+)"/.exec(whole.headers.get('content-type') ?? '')?.[1];
  const parts =
    boundary === undefined ? [] : whole.body.split(`--${boundary}`).map((part) => splitPart(part.trimStart()));
  const partOf = (type: string): string =>
    decodeBody(parts.find(({ headers }) => headers.get('content-type')?.startsWith(type) === true));
  return {
    headers: whole.headers,
    subject: decodeWords(whole.headers.get('subject') ?? ''),
    text: partOf('text/plain'),
    html: partOf('text/html'),
    raw,
  };
}

interface Part {
  headers: Map<string, string>;
  body: string;
}

function splitPart(text: string): Part {
  const [head = '', ...rest] = text.split('\n\n');
  const headers = new Map<string, string>();
  for (const line of head.replaceAll(/\n[ \t]+/g, ' ').split('\n')) {
    const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) headers.set(name.toLowerCase(), value.trim());
  }
  return { headers, body: rest.join('\n\n') };
}

function decodeBody(part: Part | undefined): string {
  const encoding = part?.headers.get('content-transfer-encoding');
  const body = part?.body.trimEnd() ?? '';
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  return encoding === 'quoted-printable' ? unquote(body.replaceAll('=\n', '')) : body;
}

/** RFC 2047. */
const decodeWords = (text: string): string =>
  text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_all, how: string, word: string) =>
      how.toLowerCase() === 'b' ? Buffer.from(word, 'base64').toString('utf8') : unquote(word.replaceAll('_', ' ')),
    );

const unquote = (text: string): string =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');
