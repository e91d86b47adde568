/** Where webhooks go in tests. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  id: string;
  type: string;
  body: string;
  signature: string;
}

export interface Receiver {
  url: string;
  received: Received[];
  types: () => string[];
  /** What it does with each before it answers. */
  onEvent: (act: (event: { type: string; objectId: string }) => Promise<void>) => void;
  /** What it answers from now on. */
  answerWith: (status: number) => void;
  close: () => Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let status = 200;
  let act: Parameters<Receiver['onEvent']>[0] = async () => {};
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const { id, type, data } = JSON.parse(body) as { id: string; type: string; data: { object: { id: string } } };
      received.push({ id, type, body, signature: String(request.headers['stripe-signature']) });
      await act({ type, objectId: data.object.id });
      // A redirection to itself, for a client that would follow it.
      response.writeHead(status, status === 302 ? { location: '/webhooks' } : {}).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    received,
    types: () => received.map(({ type }) => type),
    onEvent: (next) => {
      act = next;
    },
    answerWith: (next) => {
      status = next;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
