/** Forwards connections to PostgreSQL, or refuses them as if it were down. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { DatabaseConnection } from '../src/db/client.ts';

interface PostgresGate extends AsyncDisposable {
  /** The address of the same database, through the gate. */
  url: string;
  /** How many connections it has refused. */
  refused: () => number;
  open: () => void;
  /** Also closes connections that are open. */
  close: () => void;
  /** Forwards nothing more on connections that are open, which stay open, as if the computer of PostgreSQL hung. */
  hang: () => void;
}

export async function openGate(jobs: DatabaseConnection['jobs']): Promise<PostgresGate> {
  if (jobs.type !== 'postgres') throw new Error('this needs PostgreSQL');
  const to = new URL(jobs.url);
  let isOpen = true;
  let refused = 0;
  const sockets = new Set<Socket>();
  const cutAll = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const gate = createServer((socket) => {
    socket.on('error', () => undefined);
    if (!isOpen) {
      refused += 1;
      socket.destroy();
      return;
    }
    const postgres = connect(Number(to.port), to.hostname);
    postgres.on('error', () => undefined);
    sockets.add(socket).add(postgres);
    socket.pipe(postgres).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(gate, 'listening');
  const url = new URL(to);
  url.port = String((gate.address() as AddressInfo).port);
  return {
    url: url.href,
    refused: () => refused,
    open: () => {
      isOpen = true;
    },
    close: () => {
      isOpen = false;
      cutAll();
    },
    hang: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    [Symbol.asyncDispose]: async () => {
      cutAll();
      gate.close();
      await once(gate, 'close');
    },
  };
}
