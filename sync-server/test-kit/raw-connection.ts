/** Sends raw bytes over a TCP connection, for tests that an HTTP client would not allow. */
import { connect, type Socket } from 'node:net';

export interface RawResponse {
  status: number;
  /** The parsed body when it is JSON. */
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

/** Serialises an HTTP/1.1 request. The content length is set unless the headers override it. */
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

/** Sends the bytes and waits until the server closes the connection; `more` can write further bytes. */
export function sendRaw(
  address: string,
  bytes: Buffer | string,
  { more, withinMs = 5_000 }: { more?: (socket: Socket) => void; withinMs?: number } = {},
): Promise<RawResponse> {
  const { hostname, port } = new URL(address);
  const startMs = performance.now();
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const parts: Buffer[] = [];
    const timer = setTimeout(() => {
      reject(new Error(`no response within ${withinMs} ms`));
      socket.destroy();
    }, withinMs);
    socket.on('data', (part) => parts.push(part));
    // The server may close the connection while the client is still sending. Its response counts.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      const text = Buffer.concat(parts).toString();
      if (text === '') reject(new Error('the connection was closed without a response'));
      else resolve(parseResponse(text, performance.now() - startMs));
    });
    socket.on('connect', () => {
      socket.write(bytes);
      more?.(socket);
    });
  });
}

function parseResponse(text: string, tookMs: number): RawResponse {
  const end = text.indexOf('\r\n\r\n');
  const headers = text.slice(0, end);
  const body = text.slice(end + 4);
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(headers)?.[1]),
    headers,
    body: body.startsWith('{') ? (JSON.parse(body) as RawResponse['body']) : {},
    tookMs,
  };
}
