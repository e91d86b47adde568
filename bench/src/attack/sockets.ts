/** Connections without a client's good manners. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Target } from './target.ts';

export interface RawRequest {
  path: string;
  headers: Record<string, string>;
  body: Uint8Array | string;
}

/** HTTP/1.1 as it goes over the wire; `content-length` is the body's unless the headers say another. */
export function requestBytes({ path, headers, body }: RawRequest): Buffer {
  const all = { host: 'localhost', 'content-length': String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`), Buffer.from(body)]);
}

/** Sends the same bytes on many connections at once and holds them open; answers are read only where asked for. */
export async function holdSockets(
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
