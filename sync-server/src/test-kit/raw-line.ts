/** A connection without a client's good manners: bytes as they are, and what comes back. */
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  status: number;
  /** The answer's body, parsed when it is JSON. */
  body: Record<string, unknown>;
  headers: string;
  tookMs: number;
}

export interface RawRequest {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** HTTP/1.1 as it goes over the line; its length is told unless the headers tell another. */
export function requestBytes({ method = 'POST', path, headers = {}, body = '' }: RawRequest): Buffer {
  const all = {
    host: 'parley.test',
    connection: 'close',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`), Buffer.from(body)]);
}

/** Says all of it, waits for the end of the line; `more` is asked for further bytes as long as the line takes them. */
export function say(
  address: string,
  bytes: Buffer | string,
  { more, withinMs = 5_000 }: { more?: (socket: Socket) => void; withinMs?: number } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(address);
  const startMs = performance.now();
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const parts: Buffer[] = [];
    const timer = setTimeout(() => {
      reject(new Error(`no answer within ${withinMs} ms`));
      socket.destroy();
    }, withinMs);
    socket.on('data', (part) => parts.push(part));
    // A server that hangs up on somebody who is still speaking: what it said before counts.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      const text = Buffer.concat(parts).toString();
      if (text === '') reject(new Error('the line was cut without an answer'));
      else resolve(readAnswer(text, performance.now() - startMs));
    });
    socket.on('connect', () => {
      socket.write(bytes);
      more?.(socket);
    });
  });
}

function readAnswer(text: string, tookMs: number): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const headers = text.slice(0, end);
  const body = text.slice(end + 4);
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(headers)?.[1]),
    headers,
    body: body.startsWith('{') ? (JSON.parse(body) as RawAnswer['body']) : {},
    tookMs,
  };
}
