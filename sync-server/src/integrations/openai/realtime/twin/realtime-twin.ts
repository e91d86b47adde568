/** A server that speaks the Realtime protocol alone, well enough for its real client, and fails when it is told to. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { requestProblem } from '../../twin/dialect.ts';
import {
  errorBody,
  type HostedRealtimeTwin,
  type HostedTwinOptions,
  hostRealtimeTwin,
  isAllowed,
  SECRETS_PATH,
} from './host.ts';

const HOST = '127.0.0.1';

export interface RealtimeTwinOptions extends HostedTwinOptions {
  /** A free one where none is given. */
  port?: number;
  key?: string;
}

export interface RealtimeTwin extends Pick<HostedRealtimeTwin, 'script' | 'sessions' | 'secretsAsked'> {
  /** With `/v1`, as a base URL. */
  url: string;
  key: string;
  close: () => Promise<void>;
}

export async function startRealtimeTwin(options: RealtimeTwinOptions = {}): Promise<RealtimeTwin> {
  const { port = 0, key = 'twin-key' } = options;
  const server = createServer((request, response) => void answer(request, response));
  const { script, sessions, secretsAsked, mint, hangUp } = hostRealtimeTwin({ server, key }, options);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    if (!isAllowed(request, key)) return reject(response, 401, 'invalid_api_key');
    if (request.method !== 'POST' || request.url !== SECRETS_PATH) return reject(response, 404, 'unknown_url');
    const body = JSON.parse(text) as Record<string, unknown>;
    const problem = requestProblem(SECRETS_PATH, body);
    if (problem !== null) return reject(response, 400, problem.code);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(mint(body)));
  }

  server.listen(port, HOST);
  await once(server, 'listening');
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}/v1`,
    key,
    script,
    sessions,
    secretsAsked,
    close: async () => {
      hangUp();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function reject(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(errorBody(code));
}
