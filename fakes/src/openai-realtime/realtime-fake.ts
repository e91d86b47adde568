/** Starts a server that speaks only the Realtime protocol to the real client and fails when its script says so. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { requestProblem } from '../openai-compatible/dialects.ts';
import {
  errorBody,
  type AttachedRealtimeFake,
  type AttachedRealtimeFakeOptions,
  attachRealtimeFake,
  isAuthorized,
  SECRETS_PATH,
} from './attach-realtime-fake.ts';

const HOST = '127.0.0.1';

export interface RealtimeFakeOptions extends AttachedRealtimeFakeOptions {
  /** Defaults to any free port. */
  port?: number;
  key?: string;
}

export interface RealtimeFake extends Pick<AttachedRealtimeFake, 'script' | 'sessions' | 'secretRequests'> {
  /** Includes `/v1`, for use as a base URL. */
  url: string;
  key: string;
  close: () => Promise<void>;
}

export async function startRealtimeFake(options: RealtimeFakeOptions = {}): Promise<RealtimeFake> {
  const { port = 0, key = 'fake-key' } = options;
  const server = createServer((request, response) => void answer(request, response));
  const { script, sessions, secretRequests, mintSecret, disconnectAll } = attachRealtimeFake({ server, key }, options);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    if (!isAuthorized(request, key)) return sendError(response, 401, 'invalid_api_key');
    if (request.method !== 'POST' || request.url !== SECRETS_PATH) return sendError(response, 404, 'unknown_url');
    const body = JSON.parse(text) as Record<string, unknown>;
    const problem = requestProblem(SECRETS_PATH, body);
    if (problem !== null) return sendError(response, 400, problem.code);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(mintSecret(body)));
  }

  server.listen(port, HOST);
  await once(server, 'listening');
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}/v1`,
    key,
    script,
    sessions,
    secretRequests,
    close: async () => {
      disconnectAll();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function sendError(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(errorBody(code));
}
