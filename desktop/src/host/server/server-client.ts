/** HTTP client of the sync server. Maps its failures to the codes of the contract. */
import { createORPCClient, ORPCError } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import {
  type ConnectionObstacle,
  ENDPOINTS,
  type ErrorCode,
  isErrorCode,
  LOCAL_MODELS_HEADER,
  type LocalModelChoice,
  PCM_MEDIA_TYPE,
  POKE_ROWS_HEADER,
  POKE_ROWS_WANTED,
  POKES_PATH,
  PUSH_PATH,
  PushResponse,
  RECORDING_MEDIA_TYPE,
  REPLY_PATH,
  serverContract,
  type StreamRequest,
  TURNS_LATER,
  TurnsLaterLine,
  TurnsLine,
  type TurnsRequest,
  formatLocalModelChoice,
} from '@parley/contract';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { WebSocket } from 'ws';
import type { z } from 'zod';
import type { HostFailure } from '../result/index.ts';
import { ConnectionLost, readNdjson } from './read-ndjson.ts';
import { isLoopback } from './backoff.ts';
import { checkAnswer } from './check-answer.ts';
import { certificateObstacle, pageObstacle } from './connection-obstacle.ts';
import { IdleTimeout } from './idle-timeout.ts';
import { limitAnswer, limitBytes } from './limit-answer.ts';
import { createRecordingsClient, type RecordingsClient } from './recordings-client.ts';
import { createSpeechClient, type SpeechClient } from './speech-client.ts';

export interface RequestContext {
  /** Replaces the default timeout for the whole call. */
  timeoutMs?: number | undefined;
  /** The language of the interface, for pages and e-mails that the server writes. */
  language?: string | null | undefined;
  /** Asks for pokes that include the new rows. */
  wantsPokeRows?: boolean | undefined;
  /** The token of the account to which this device is about to move, used instead of its own. */
  token?: string | undefined;
}

export type ServerClient = ContractRouterClient<typeof serverContract, RequestContext>;

/** Timeout for a whole call, or for silence on a stream, on which the server sends something every few seconds. */
const TIMEOUT_MS = 30_000;
const COMPRESS_FROM_BYTES = 4_096;
/** Endpoints that stream their response. */
const STREAMING_PATHS: ReadonlySet<string> = new Set([POKES_PATH, REPLY_PATH]);
/** A coach's reply takes a few kilobytes. */
const MAX_REPLY_BYTES = 1_048_576;
/** The server itself closes a connection on which more than this is waiting to be sent. */
const MAX_SOCKET_MESSAGE_BYTES = 8 * 1_048_576;

const compress = promisify(gzip);

export interface ServerConnection extends SpeechClient, RecordingsClient {
  client: ServerClient;
  /** `body` is a `PushRequest` as JSON. */
  push(body: string): Promise<PushResponse>;
  /** Yields lines as they arrive. Throws when the stream is cut off before its end. */
  stream(request: StreamRequest, options: { areTurnsLater: boolean }): AsyncGenerator<TurnsLaterLine>;
  /** The turns of individual sessions, in pages like those of `stream`. */
  turns(request: TurnsRequest): AsyncGenerator<TurnsLine>;
  /** Opens a WebSocket with this device's token. The socket is returned while it is still connecting. */
  openSocket(path: string): Promise<WebSocket>;
  /** The server's last `retry-after` in milliseconds; 0 if it sent none. */
  retryAfterMs(): number;
  /** The origin of the other server to which the last response redirected; null if it did not redirect. */
  leadsTo(): string | null;
  /** Why the last request found something other than a usable server; null if it did not. */
  obstacle(): ConnectionObstacle | null;
  /** Cancels all requests, so that closing the host does not wait for a server. */
  cancelAll(): void;
}

export interface ConnectionOptions {
  /** The learner's choice of local models; sent only to a server on this computer. */
  localChoice?: () => LocalModelChoice;
}

export function connectToServer(
  serverUrl: string,
  token: () => Promise<string | null>,
  { localChoice }: ConnectionOptions = {},
): ServerConnection {
  let waitMs = 0;
  let leadsTo: string | null = null;
  let obstacle: ConnectionObstacle | null = null;
  const shutdown = new AbortController();
  const isLocal = isLoopback(serverUrl);

  const headers = async (): Promise<Record<string, string>> => {
    const bearer = await token();
    const chosen = isLocal && localChoice !== undefined ? formatLocalModelChoice(localChoice()) : null;
    return {
      ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
      ...(chosen === null ? {} : { [LOCAL_MODELS_HEADER]: chosen }),
      // On loopback, compressing takes longer than sending.
      ...(isLocal ? { 'accept-encoding': 'identity' } : {}),
    };
  };

  /**
   * `ends` are the signals that cancel the call. They are passed separately because the request's own signal is
   * unreliable: it may stop following its source after a garbage collection (undici 3644).
   */
  async function send(request: Request, ends: readonly AbortSignal[]): Promise<Response> {
    const signal = AbortSignal.any([shutdown.signal, ...ends]);
    // A redirect would take what the learner said to another server, perhaps unencrypted, or to a program on this computer.
    const sent = isLocal ? request : await compressBody(request);
    const response = await fetch(sent, { signal, redirect: 'manual' }).catch((error: unknown) => {
      obstacle = certificateObstacle(error);
      throw error;
    });
    waitMs = readRetryAfterMs(response.headers);
    leadsTo = readOtherOrigin(response, serverUrl);
    obstacle = null;
    if (isPageOfNetwork(response)) {
      obstacle = leadsTo === null ? pageObstacle(response.status) : null;
      await response.body?.cancel();
      throw new ConnectionLost('a network answered with a page of its own');
    }
    return limitAnswer(response);
  }

  async function sendStreaming(request: Request, ends: readonly AbortSignal[]): Promise<Response> {
    const silence = new IdleTimeout(TIMEOUT_MS);
    try {
      const response = silence.watch(await send(request, [silence.signal, ...ends]));
      if (response.body === null || new URL(request.url).pathname !== REPLY_PATH) return response;
      return new Response(response.body.pipeThrough(limitBytes(MAX_REPLY_BYTES)), response);
    } catch (error) {
      silence.stop();
      throw error;
    }
  }

  const link = new OpenAPILink<RequestContext>(serverContract, {
    url: serverUrl,
    interceptors: [checkAnswer],
    headers: async ({ context: { language, wantsPokeRows, token: other } }) => ({
      ...(await headers()),
      ...(other === undefined ? {} : { authorization: `Bearer ${other}` }),
      ...(language === null || language === undefined ? {} : { 'accept-language': language }),
      ...(wantsPokeRows === true ? { [POKE_ROWS_HEADER]: POKE_ROWS_WANTED } : {}),
    }),
    // The server also refuses requests before they reach a procedure; oRPC knows only the errors of procedures.
    customErrorResponseBodyDecoder: (body, { status }) =>
      isServerCode(parseErrorBody(body).code) ? toOrpcError(status, body) : null,
    fetch: (request, _init, { signal, context }) => {
      const ends = signal === undefined ? [] : [signal];
      return STREAMING_PATHS.has(new URL(request.url).pathname)
        ? sendStreaming(request, ends)
        : send(request, [AbortSignal.timeout(context.timeoutMs ?? TIMEOUT_MS), ...ends]);
    },
  });

  const post = async (path: string, body: string): Promise<Request> =>
    new Request(new URL(path, serverUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(await headers()) },
      body,
    });

  async function push(body: string): Promise<PushResponse> {
    const response = await send(await post(PUSH_PATH, body), [AbortSignal.timeout(TIMEOUT_MS)]);
    if (!response.ok) throw await readError(response);
    return PushResponse.parse(await response.json());
  }

  async function* readLines<Line extends { type: string }>(
    path: string,
    { asked, schema }: { asked: object; schema: z.ZodType<Line> },
  ): AsyncGenerator<Line> {
    const silence = new IdleTimeout(TIMEOUT_MS);
    try {
      const response = await send(await post(path, JSON.stringify(asked)), [silence.signal]);
      if (!response.ok || response.body === null) throw await readError(response);
      yield* readNdjson(response.body, { schema, onChunk: () => silence.restart() });
    } finally {
      silence.stop();
    }
  }

  const raw = { serverUrl, timeoutMs: TIMEOUT_MS, headers, ask: send, refusalOf: readError };
  const speech = createSpeechClient(raw);
  const recordings = createRecordingsClient(raw);

  async function socket(path: string): Promise<WebSocket> {
    const address = new URL(path, serverUrl.replace(/^http/, 'ws'));
    // Compression does not make PCM audio much smaller.
    const opening = new WebSocket(address, {
      headers: await headers(),
      perMessageDeflate: false,
      maxPayload: MAX_SOCKET_MESSAGE_BYTES,
    });
    // Terminating a socket that is still connecting emits an error, always followed by `close`.
    opening.on('error', () => undefined);
    const hangUp = (): void => opening.terminate();
    shutdown.signal.addEventListener('abort', hangUp);
    opening.on('close', () => shutdown.signal.removeEventListener('abort', hangUp));
    return opening;
  }

  return {
    client: createORPCClient(link),
    ...speech,
    ...recordings,
    openSocket: socket,
    push,
    stream: (asked, { areTurnsLater }) =>
      readLines(`${ENDPOINTS.stream.path}${areTurnsLater ? `?${TURNS_LATER.name}=${TURNS_LATER.value}` : ''}`, {
        asked,
        schema: TurnsLaterLine,
      }),
    turns: (asked) => readLines(ENDPOINTS.turns.path, { asked, schema: TurnsLine }),
    retryAfterMs: () => waitMs,
    leadsTo: () => leadsTo,
    obstacle: () => obstacle,
    cancelAll: () => shutdown.abort(),
  };
}

/** A server that has recovered early is found again within the hour. A timer of more than 24 days would end at once. */
const MAX_RETRY_AFTER_MS = 3_600_000;

/** A date, and anything else that is not a number of seconds, counts as 0. */
function readRetryAfterMs(headers: Headers): number {
  const ms = Number(headers.get('retry-after') ?? 0) * 1_000;
  return ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : 0;
}

/** Statuses with which a proxy limits the requests to our server, usually with an HTML page. */
const PROXY_LIMITS: ReadonlySet<number> = new Set([413, 429]);
/** When a file does not have the requested range, the server sends no body, and therefore no content type. */
const RANGE_NOT_SATISFIABLE = 416;
const PAGE_TYPES = /^(?:text\/html|application\/xhtml\+xml)\b/;
/** Pokes are sent as an event stream. */
const TEXT_TYPES = /^text\/(?!event-stream)/;

const isRedirect = (status: number): boolean => status >= 300 && status < 400;

function readOtherOrigin({ status, headers }: Response, serverUrl: string): string | null {
  const target = headers.get('location');
  if (!isRedirect(status) || target === null || !URL.canParse(target, serverUrl)) return null;
  const { origin, protocol } = new URL(target, serverUrl);
  return /^https?:$/.test(protocol) && origin !== new URL(serverUrl).origin ? origin : null;
}

/**
 * Our endpoints never answer with HTML, plain text or a redirect. A network does if a guest has to sign in first, or if
 * it blocks the server.
 */
function isPageOfNetwork({ ok, status, headers }: Response): boolean {
  if (isRedirect(status)) return true;
  if (PROXY_LIMITS.has(status) || status === RANGE_NOT_SATISFIABLE) return false;
  const type = headers.get('content-type')?.toLowerCase() ?? '';
  return type === '' || PAGE_TYPES.test(type) || (ok && TEXT_TYPES.test(type));
}

const AUDIO_TYPES: ReadonlySet<string | null> = new Set([PCM_MEDIA_TYPE, RECORDING_MEDIA_TYPE]);

async function compressBody(request: Request): Promise<Request> {
  // Compression does not make audio much smaller.
  if (request.body === null || AUDIO_TYPES.has(request.headers.get('content-type'))) return request;
  const body = await request.arrayBuffer();
  const { url, method } = request;
  if (body.byteLength < COMPRESS_FROM_BYTES) return new Request(url, { method, headers: request.headers, body });
  const headers = new Headers(request.headers);
  headers.set('content-encoding', 'gzip');
  return new Request(url, { method, headers, body: await compress(body) });
}

const readError = async (response: Response): Promise<Error> =>
  toOrpcError(response.status, await response.json().catch(() => null));

const toOrpcError = (status: number, body: unknown): ORPCError<string, unknown> => {
  const { code, data } = parseErrorBody(body);
  return new ORPCError(code, { status, data });
};

function parseErrorBody(body: unknown): { code: string; data: unknown } {
  if (typeof body !== 'object' || body === null) return { code: '', data: undefined };
  return { code: 'code' in body ? String(body.code) : '', data: 'data' in body ? body.data : undefined };
}

/** Maps an unsuccessful response, or the message with which the server ends a realtime session. */
export const toResponseFailure = (status: number, body: unknown): HostFailure =>
  toContractFailure({ status, ...parseErrorBody(body) });

/** The server's code is passed on as it is. */
const toContractFailure = ({ status, code, data }: { status: number; code: string; data: unknown }): HostFailure =>
  isErrorCode(code) ? { code, ...pickDetails(data) } : { code: statusToCode(status, code), detail: code };

/** Whether the code has the form of ours; a newer server has codes that this app does not know. */
const isServerCode = (code: string): boolean => isErrorCode(code) || /^[a-z_]+\.[a-z_]+$/.test(code);

/**
 * Maps a failed call to a failure. A request that did not reach the server, or whose response was lost, is
 * `sync.offline`; our own bugs are `internal`.
 */
export function toFailure(error: unknown): HostFailure {
  if (!(error instanceof ORPCError)) return { code: isConnectionError(error) ? 'sync.offline' : 'internal' };
  return toContractFailure(error);
}

/** The errors that `fetch` throws for a broken connection, before or during the response, and for a timeout. */
const isConnectionError = (error: unknown): boolean =>
  error instanceof DOMException ||
  error instanceof ConnectionLost ||
  error instanceof SyntaxError ||
  (error instanceof TypeError && (error.cause !== undefined || error.message === 'terminated'));

function pickDetails(data: unknown): Omit<HostFailure, 'code'> {
  if (typeof data !== 'object' || data === null) return {};
  return {
    ...('detail' in data && typeof data.detail === 'string' ? { detail: data.detail } : {}),
    ...('field' in data && typeof data.field === 'string' ? { field: data.field } : {}),
    ...('resetsAt' in data && isTimestamp(data.resetsAt) ? { resetsAt: data.resetsAt } : {}),
    ...('wipeKey' in data && typeof data.wipeKey === 'string' ? { wipeKey: data.wipeKey } : {}),
  };
}

const isTimestamp = (value: unknown): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value));

/** For responses from a newer server or a proxy: only our own server can sign a learner out. */
function statusToCode(status: number, code: string): ErrorCode {
  if (status === 401) return isServerCode(code) ? 'auth.required' : 'sync.offline';
  if (status === 403) return isServerCode(code) ? 'auth.forbidden' : 'sync.offline';
  if (status === 413) return 'request.too_large';
  if (status === 429) return 'request.too_many';
  return status >= 500 ? 'sync.offline' : 'internal';
}
