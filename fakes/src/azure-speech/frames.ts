/** Azure's framing: a text message has headers and a body; a binary message has two bytes of header length, headers and a body. */

export interface Frame {
  path: string;
  requestId: string;
  contentType: string;
  body: Buffer;
}

const CRLF = '\r\n';

function parseHeaders(text: string): Map<string, string> {
  const lines = text.split(CRLF).filter((line) => line.includes(':'));
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

function frameOf(headers: Map<string, string>, body: Buffer): Frame {
  return {
    path: (headers.get('path') ?? '').toLowerCase(),
    requestId: headers.get('x-requestid') ?? '',
    contentType: headers.get('content-type') ?? '',
    body,
  };
}

export function readFrame(data: Buffer, isBinary: boolean): Frame {
  if (isBinary) {
    const headerEnd = 2 + data.readUInt16BE(0);
    return frameOf(parseHeaders(data.toString('utf8', 2, headerEnd)), data.subarray(headerEnd));
  }
  const text = data.toString('utf8');
  const split = text.indexOf(CRLF + CRLF);
  if (split < 0) return frameOf(parseHeaders(text), Buffer.alloc(0));
  return frameOf(parseHeaders(text.slice(0, split)), Buffer.from(text.slice(split + 2 * CRLF.length)));
}

const headerLines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}:${value}${CRLF}`)
    .join('');

export const textFrame = (message: { path: string; requestId: string; body: string }): string =>
  headerLines({
    'X-RequestId': message.requestId,
    'Content-Type': 'application/json; charset=utf-8',
    Path: message.path,
  }) +
  CRLF +
  message.body;

export function audioFrame(message: { requestId: string; streamId: string; pcm: Buffer }): Buffer {
  const headers = headerLines({
    'X-RequestId': message.requestId,
    'X-StreamId': message.streamId,
    'Content-Type': 'audio/x-raw',
    Path: 'audio',
  });
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Buffer.byteLength(headers));
  return Buffer.concat([length, Buffer.from(headers), message.pcm]);
}
