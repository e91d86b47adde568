/** Adds the Realtime protocol to an existing HTTP server. */
import type { IncomingMessage, Server } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ClientSecretCreateResponse } from 'openai/resources/realtime/client-secrets';
import { type WebSocket, WebSocketServer } from 'ws';
import { prepareSchemas } from '../openai/schemas/index.ts';
import { assertValidAnswer, assertValidEvent } from '../openai/assert-valid-answer.ts';
import { type RealtimeScriptOptions, RealtimeScript, type RecordedSession } from './script.ts';
import { createFakeSession } from './session.ts';

export interface AttachedRealtimeFakeOptions {
  /** How much faster than real time audio is generated; OpenAI's factor is about four. */
  speed?: number;
  /** Duration of a transcription. */
  transcribeMs?: number;
  script?: RealtimeScriptOptions;
}

export interface AttachedRealtimeFake {
  script: RealtimeScript;
  /** Oldest first. */
  sessions: readonly RecordedSession[];
  /** Bodies of the requests for client secrets. */
  secretRequests: readonly unknown[];
  /** Answers a `POST` to `SECRETS_PATH`. */
  mintSecret: (body: object) => ClientSecretCreateResponse;
  /** Disconnects all sockets; closing the server is left to its owner. */
  disconnectAll: () => void;
}

export const SECRETS_PATH = '/v1/realtime/client_secrets';
const PATH = '/v1/realtime';
const SECRET_LIFETIME_S = 60;

export function attachRealtimeFake(
  { server, key }: { server: Server; key: string },
  options: AttachedRealtimeFakeOptions = {},
): AttachedRealtimeFake {
  const { speed = 4, transcribeMs = 20 } = options;
  const script = new RealtimeScript(options.script);
  const sessions: RecordedSession[] = [];
  const secretRequests: unknown[] = [];
  prepareSchemas({ unions: ['RealtimeClientEvent', 'RealtimeServerEvent'] });
  const sockets = new WebSocketServer({ noServer: true });

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://fake.invalid');
    const model = searchParams.get('model');
    if (pathname !== PATH || model === null) return rejectUpgrade(socket, 404, {});
    if (!isAuthorized(request, key)) return sockets.handleUpgrade(request, socket, head, refuseKey);
    const rejection = script.nextRejection();
    if (rejection?.does === 'reject') return rejectUpgrade(socket, rejection.status, rejection);
    sockets.handleUpgrade(request, socket, head, (opened) => {
      if (rejection?.does === 'fall_silent') return;
      const refusesSession = rejection?.does === 'refuse_session' ? rejection.code : null;
      sessions.push(
        createFakeSession({ socket: opened, model, script, speed, transcribeMs, rejectSessionCode: refusesSession }),
      );
    });
  });

  return {
    script,
    sessions,
    secretRequests,
    mintSecret: (body) => {
      secretRequests.push(body);
      const requestedSession = 'session' in body && typeof body.session === 'object' ? body.session : {};
      return assertValidAnswer('RealtimeCreateClientSecretResponse', {
        value: `ek_${secretRequests.length}`,
        expires_at: Math.floor(Date.now() / 1_000) + SECRET_LIFETIME_S,
        session: { id: 'sess_1', object: 'realtime.session', type: 'realtime', ...requestedSession },
      });
    },
    disconnectAll: () => {
      for (const socket of sockets.clients) socket.terminate();
    },
  };
}

/** The service accepts the connection, sends an error and closes (openai/openai-realtime-api-beta, issue 2). */
function refuseKey(socket: WebSocket): void {
  const error = { type: 'invalid_request_error', code: 'invalid_api_key', message: 'Incorrect API key provided.' };
  socket.send(JSON.stringify(assertValidEvent('RealtimeServerEvent', { type: 'error', event_id: 'event_1', error })));
  socket.close(3_000, 'invalid_request_error.invalid_api_key');
}

export const isAuthorized = (request: IncomingMessage, key: string): boolean =>
  request.headers.authorization === `Bearer ${key}`;

export const errorBody = (code: string): string =>
  JSON.stringify({ error: { type: 'invalid_request_error', code, message: 'The fake rejects this.', param: null } });

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
