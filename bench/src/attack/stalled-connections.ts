/** Opens raw connections that send incomplete requests or never read responses. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Target } from './target.ts';

export interface RawRequest {
  path: string;
  headers: Record<string, string>;
  body: Uint8Array | string;
}

/** Encodes an HTTP/1.1 request; `content-length` is that of the body unless the headers override it. */
export function encodeRequest({ path, headers, body }: RawRequest): Buffer {
  const all = { host: 'localhost', 'content-length': String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`), Buffer.from(body)]);
}

/** Sends the same bytes on many connections and holds them open; responses are read only when `reads` is set. */
export async function holdConnections(
  { port }: Pick<Target, 'port'>,
  { count, bytes, reads }: { count: number; bytes: Uint8Array; reads: boolean },
): Promise<() => void> {
  const sockets = await Promise.all(Array.from({ length: count }, () => openSocket(port)));
  for (const socket of sockets) {
    if (reads) socket.resume();
    else socket.pause();
    socket.write(bytes);
  }
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}
