/** A webhook endpoint for tests. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ReceivedEvent {
  id: string;
  type: string;
  body: string;
  signature: string;
}

export interface WebhookReceiver {
  url: string;
  received: ReceivedEvent[];
  types: () => string[];
  /** Sets an action that runs for each event before it is answered. */
  onEvent: (handle: (event: { type: string; objectId: string }) => Promise<void>) => void;
  /** Sets the status of later responses. */
  answerWith: (status: number) => void;
  close: () => Promise<void>;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedEvent[] = [];
  let status = 200;
  let handle: Parameters<WebhookReceiver['onEvent']>[0] = async () => {};
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const { id, type, data } = JSON.parse(body) as { id: string; type: string; data: { object: { id: string } } };
      received.push({ id, type, body, signature: String(request.headers['stripe-signature']) });
      await handle({ type, objectId: data.object.id });
      // A redirect to itself, for a client that would follow it.
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
      handle = next;
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
