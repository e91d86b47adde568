/** A server that speaks the Realtime protocol well enough for its real client, and fails when it is told to. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ClientSecretCreateResponse } from 'openai/resources/realtime/client-secrets';
import { WebSocketServer } from 'ws';
import { type TwinOrders, TwinScript, type TwinSession } from './script.ts';
import { holdTwinSession } from './session.ts';

const HOST = '127.0.0.1';
const SECRET_LIFE_S = 60;

export interface RealtimeTwinOptions {
  /** A free one where none is given. */
  port?: number;
  key?: string;
  /** How much faster than it is heard the twin's sound is made; OpenAI's is about four. */
  speed?: number;
  /** How long a transcript takes. */
  transcribeMs?: number;
  script?: TwinOrders;
}

export interface RealtimeTwin {
  /** With `/v1`, as a base URL. */
  url: string;
  key: string;
  script: TwinScript;
  /** Oldest first. */
  sessions: readonly TwinSession[];
  /** Bodies of the requests for secrets. */
  secretsAsked: readonly unknown[];
  close: () => Promise<void>;
}

export async function startRealtimeTwin(options: RealtimeTwinOptions = {}): Promise<RealtimeTwin> {
  const { port = 0, key = 'twin-key', speed = 4, transcribeMs = 20 } = options;
  const script = new TwinScript(options.script);
  const sessions: TwinSession[] = [];
  const secretsAsked: unknown[] = [];
  const sockets = new WebSocketServer({ noServer: true });
  const isAllowed = (request: IncomingMessage): boolean => request.headers.authorization === `Bearer ${key}`;

  const server = createServer((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    if (!isAllowed(request)) return reject(response, 401, 'invalid_api_key');
    if (request.method !== 'POST' || request.url !== '/v1/realtime/client_secrets')
      return reject(response, 404, 'unknown_url');
    const body = JSON.parse(text) as { session: object };
    secretsAsked.push(body);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        value: `ek_${secretsAsked.length}`,
        expires_at: Math.floor(Date.now() / 1_000) + SECRET_LIFE_S,
        session: { id: 'sess_1', object: 'realtime.session', type: 'realtime', ...body.session },
      } satisfies ClientSecretCreateResponse),
    );
  }

  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const { pathname, searchParams } = new URL(request.url ?? '/', `http://${HOST}`);
    const model = searchParams.get('model');
    if (pathname !== '/v1/realtime' || model === null) return rejectUpgrade(socket, 404, {});
    if (!isAllowed(request)) return rejectUpgrade(socket, 401, { code: 'invalid_api_key' });
    const refusal = script.nextRefusal();
    if (refusal?.does === 'reject') return rejectUpgrade(socket, refusal.status, refusal);
    sockets.handleUpgrade(request, socket, head, (opened) => {
      if (refusal?.does === 'fall_silent') return;
      const refusesSession = refusal?.does === 'refuse_session' ? refusal.code : null;
      sessions.push(holdTwinSession({ socket: opened, model, script, speed, transcribeMs, refusesSession }));
    });
  });

  server.listen(port, HOST);
  await once(server, 'listening');
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}/v1`,
    key,
    script,
    sessions,
    secretsAsked,
    close: async () => {
      for (const socket of sockets.clients) socket.terminate();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const errorBody = (code: string): string =>
  JSON.stringify({ error: { type: 'invalid_request_error', code, message: 'The twin refuses.', param: null } });

function reject(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(errorBody(code));
}

function rejectUpgrade(
  socket: Duplex,
  status: number,
  { code = 'refused', retryAfterMs }: { code?: string; retryAfterMs?: number },
): void {
  const body = errorBody(code);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    ...(retryAfterMs === undefined ? [] : [`retry-after-ms: ${retryAfterMs}`]),
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
