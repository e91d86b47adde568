/** Parses one of our mails: headers, plain text and HTML. It supports what nodemailer writes, not mail in general. */

export interface ParsedMail {
  /** Keyed by the header name in lower case. */
  headers: ReadonlyMap<string, string>;
  subject: string;
  text: string;
  html: string;
  raw: string;
}

export function parseMail(raw: string): ParsedMail {
  const message = splitPart(raw.replaceAll('\r\n', '\n'));
  const boundary = /boundary="([^"]+)"/.exec(message.headers.get('content-type') ?? '')?.[1];
  const parts =
    boundary === undefined ? [] : message.body.split(`--${boundary}`).map((part) => splitPart(part.trimStart()));
  const partOf = (type: string): string =>
    decodeBody(parts.find(({ headers }) => headers.get('content-type')?.startsWith(type) === true));
  return {
    headers: message.headers,
    subject: decodeWords(message.headers.get('subject') ?? ''),
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
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_all, transferEncoding: string, word: string) =>
      transferEncoding.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString('utf8')
        : unquote(word.replaceAll('_', ' ')),
    );

const unquote = (text: string): string =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');
