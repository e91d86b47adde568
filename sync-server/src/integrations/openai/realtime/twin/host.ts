/** Lets a server speak the Realtime protocol, beside whatever else it answers. */
import type { IncomingMessage, Server } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ClientSecretCreateResponse } from 'openai/resources/realtime/client-secrets';
import { WebSocketServer } from 'ws';
import { prepareSchemas } from '../../schemas/index.ts';
import { checkedAnswer } from '../../twin/own-answers.ts';
import { type TwinOrders, TwinScript, type TwinSession } from './script.ts';
import { holdTwinSession } from './session.ts';

export interface HostedTwinOptions {
  /** How much faster than it is heard the twin's sound is made; OpenAI's is about four. */
  speed?: number;
  /** How long a transcript takes. */
  transcribeMs?: number;
  script?: TwinOrders;
}

export interface HostedRealtimeTwin {
  script: TwinScript;
  /** Oldest first. */
  sessions: readonly TwinSession[];
  /** Bodies of the requests for secrets. */
  secretsAsked: readonly unknown[];
  /** Answers such a request, `POST` to `SECRETS_PATH`. */
  mint: (body: object) => ClientSecretCreateResponse;
  /** Hangs up; the server is its owner's to close. */
  hangUp: () => void;
}

export const SECRETS_PATH = '/v1/realtime/client_secrets';
const PATH = '/v1/realtime';
const SECRET_LIFE_S = 60;

export function hostRealtimeTwin(
  { server, key }: { server: Server; key: string },
  options: HostedTwinOptions = {},
): HostedRealtimeTwin {
  const { speed = 4, transcribeMs = 20 } = options;
  const script = new TwinScript(options.script);
  const sessions: TwinSession[] = [];
  const secretsAsked: unknown[] = [];
  prepareSchemas({ unions: ['RealtimeClientEvent', 'RealtimeServerEvent'] });
  const sockets = new WebSocketServer({ noServer: true });

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://twin.invalid');
    const model = searchParams.get('model');
    if (pathname !== PATH || model === null) return rejectUpgrade(socket, 404, {});
    if (!isAllowed(request, key)) return rejectUpgrade(socket, 401, { code: 'invalid_api_key' });
    const refusal = script.nextRefusal();
    if (refusal?.does === 'reject') return rejectUpgrade(socket, refusal.status, refusal);
    sockets.handleUpgrade(request, socket, head, (opened) => {
      if (refusal?.does === 'fall_silent') return;
      const refusesSession = refusal?.does === 'refuse_session' ? refusal.code : null;
      sessions.push(holdTwinSession({ socket: opened, model, script, speed, transcribeMs, refusesSession }));
    });
  });

  return {
    script,
    sessions,
    secretsAsked,
    mint: (body) => {
      secretsAsked.push(body);
      const asked = 'session' in body && typeof body.session === 'object' ? body.session : {};
      return checkedAnswer('RealtimeCreateClientSecretResponse', {
        value: `ek_${secretsAsked.length}`,
        expires_at: Math.floor(Date.now() / 1_000) + SECRET_LIFE_S,
        session: { id: 'sess_1', object: 'realtime.session', type: 'realtime', ...asked },
      });
    },
    hangUp: () => {
      for (const socket of sockets.clients) socket.terminate();
    },
  };
}

export const isAllowed = (request: IncomingMessage, key: string): boolean =>
  request.headers.authorization === `Bearer ${key}`;

export const errorBody = (code: string): string =>
  JSON.stringify({ error: { type: 'invalid_request_error', code, message: 'The twin refuses.', param: null } });

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
