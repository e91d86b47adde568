/** Speaks to the server, and sorts its failures into those that the loop knows how to meet. */
import { createORPCClient, ORPCError } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import {
  type ErrorCode,
  isErrorCode,
  LOCAL_CHOICE_HEADER,
  type LocalChoice,
  PCM_MEDIA_TYPE,
  PushResponse,
  serverContract,
  type StreamLine,
  type StreamRequest,
  writeLocalChoice,
} from '@parley/contract';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { WebSocket } from 'ws';
import type { HostFailure } from '../answer/index.ts';
import { LineBroken, readLines } from './read-lines.ts';
import { isLoopback } from './backoff.ts';
import { Silence } from './silence.ts';
import { createSpeechCalls, type SpeechCalls } from './speech-calls.ts';

export interface CallContext {
  /** Instead of what a whole call may usually take. */
  timeoutMs?: number | undefined;
}

export type ServerClient = ContractRouterClient<typeof serverContract, CallContext>;

/** A whole call, or on a line that stays open the silence after which it is taken for dead: the server speaks every few seconds. */
const TIMEOUT_MS = 30_000;
const COMPRESS_FROM_BYTES = 4_096;
const PUSH_PATH = '/v1/sync/push';
const STREAM_PATH = '/v1/sync/stream';
/** On which the server speaks for as long as it has something to say. */
const OPEN_LINES: ReadonlySet<string> = new Set(['/v1/sync/pokes', '/v1/coach/reply']);

const compress = promisify(gzip);

export interface ServerConnection extends SpeechCalls {
  client: ServerClient;
  /** The text of a `PushRequest`. */
  push(body: string): Promise<PushResponse>;
  /** Lines as they come; throws when the stream is cut off before its end. */
  stream(request: StreamRequest): AsyncGenerator<StreamLine>;
  /** A line of its own, with this device's token; it is being opened. */
  socket(path: string): Promise<WebSocket>;
  /** How long the server's last answer asked to be left alone; 0 when it did not. */
  askedToWaitMs(): number;
  /** Ends what is under way: a host that closes waits for no server. */
  hangUp(): void;
}

export interface ConnectionOptions {
  /** What the learner has agreed to on this computer; told only to a server on it. */
  localChoice?: () => LocalChoice;
}

export function connectToServer(
  serverUrl: string,
  token: () => Promise<string | null>,
  { localChoice }: ConnectionOptions = {},
): ServerConnection {
  let waitMs = 0;
  const leaving = new AbortController();
  const isNear = isLoopback(serverUrl);

  const headers = async (): Promise<Record<string, string>> => {
    const bearer = await token();
    const chosen = isNear && localChoice !== undefined ? writeLocalChoice(localChoice()) : null;
    return {
      ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
      ...(chosen === null ? {} : { [LOCAL_CHOICE_HEADER]: chosen }),
      // To a server on this machine, compressing takes longer than sending.
      ...(isNear ? { 'accept-encoding': 'identity' } : {}),
    };
  };

  /**
   * `ends`: what ends the call, each as whoever may end it holds it. A request's own signal would not do: it stops following when memory is
   * cleared up (undici 3644).
   */
  async function ask(request: Request, ends: readonly AbortSignal[]): Promise<Response> {
    const signal = AbortSignal.any([leaving.signal, ...ends]);
    const response = await fetch(isNear ? request : await compressed(request), { signal });
    const seconds = Number(response.headers.get('retry-after') ?? 0);
    waitMs = Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : 0;
    return response;
  }

  async function askOnOpenLine(request: Request, ends: readonly AbortSignal[]): Promise<Response> {
    const silence = new Silence(TIMEOUT_MS);
    try {
      return silence.watch(await ask(request, [silence.signal, ...ends]));
    } catch (error) {
      silence.stop();
      throw error;
    }
  }

  const link = new OpenAPILink<CallContext>(serverContract, {
    url: serverUrl,
    headers,
    fetch: (request, _init, { signal, context }) => {
      const ends = signal === undefined ? [] : [signal];
      return OPEN_LINES.has(new URL(request.url).pathname)
        ? askOnOpenLine(request, ends)
        : ask(request, [AbortSignal.timeout(context.timeoutMs ?? TIMEOUT_MS), ...ends]);
    },
  });

  const post = async (path: string, body: string): Promise<Request> =>
    new Request(new URL(path, serverUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(await headers()) },
      body,
    });

  async function push(body: string): Promise<PushResponse> {
    const response = await ask(await post(PUSH_PATH, body), [AbortSignal.timeout(TIMEOUT_MS)]);
    if (!response.ok) throw await refusalOf(response);
    return PushResponse.parse(await response.json());
  }

  async function* stream(asked: StreamRequest): AsyncGenerator<StreamLine> {
    const silence = new Silence(TIMEOUT_MS);
    try {
      const response = await ask(await post(STREAM_PATH, JSON.stringify(asked)), [silence.signal]);
      if (!response.ok || response.body === null) throw await refusalOf(response);
      yield* readLines(response.body, () => silence.wasBroken());
    } finally {
      silence.stop();
    }
  }

  const speech = createSpeechCalls({ serverUrl, timeoutMs: TIMEOUT_MS, headers, ask, refusalOf });

  async function socket(path: string): Promise<WebSocket> {
    const address = new URL(path, serverUrl.replace(/^http/, 'ws'));
    // Sound does not get smaller.
    const opening = new WebSocket(address, { headers: await headers(), perMessageDeflate: false });
    // Hung up while it is still being opened, it would throw where nobody catches; `close` follows all the same.
    opening.on('error', () => undefined);
    const hangUp = (): void => opening.terminate();
    leaving.signal.addEventListener('abort', hangUp);
    opening.on('close', () => leaving.signal.removeEventListener('abort', hangUp));
    return opening;
  }

  return {
    client: createORPCClient(link),
    ...speech,
    socket,
    push,
    stream,
    askedToWaitMs: () => waitMs,
    hangUp: () => leaving.abort(),
  };
}

async function compressed(request: Request): Promise<Request> {
  // Sound does not get smaller.
  if (request.body === null || request.headers.get('content-type') === PCM_MEDIA_TYPE) return request;
  const body = await request.arrayBuffer();
  const { url, method } = request;
  if (body.byteLength < COMPRESS_FROM_BYTES) return new Request(url, { method, headers: request.headers, body });
  const headers = new Headers(request.headers);
  headers.set('content-encoding', 'gzip');
  return new Request(url, { method, headers, body: await compress(body) });
}

const refusalOf = async (response: Response): Promise<Error> =>
  refusal(response.status, await response.json().catch(() => null));

function refusal(status: number, body: unknown): Error {
  const code = typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : '';
  const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined;
  return new ORPCError(code, { status, data });
}

/** What an answer means that is no success. */
export const failureOfAnswer = (status: number, body: unknown): HostFailure => failureOf(refusal(status, body));

/** The code of a failed call. What never reached the server, or lost its answer, is `sync.offline`; our own bugs are `internal`. */
export function failureOf(error: unknown): HostFailure {
  if (!(error instanceof ORPCError)) return { code: isLineFailure(error) ? 'sync.offline' : 'internal' };
  if (isErrorCode(error.code)) return { code: error.code, ...detailOf(error.data) };
  return { code: codeOfStatus(error.status), detail: error.code };
}

/** How `fetch` reports a line that broke: before the answer, inside it, or after too long a silence. */
const isLineFailure = (error: unknown): boolean =>
  error instanceof DOMException ||
  error instanceof LineBroken ||
  error instanceof SyntaxError ||
  (error instanceof TypeError && (error.cause !== undefined || error.message === 'terminated'));

function detailOf(data: unknown): Omit<HostFailure, 'code'> {
  if (typeof data !== 'object' || data === null) return {};
  return {
    ...('detail' in data && typeof data.detail === 'string' ? { detail: data.detail } : {}),
    ...('field' in data && typeof data.field === 'string' ? { field: data.field } : {}),
    ...('resetsAt' in data && isMoment(data.resetsAt) ? { resetsAt: data.resetsAt } : {}),
  };
}

const isMoment = (value: unknown): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value));

/** For answers that are not our server's own, such as those of a proxy before it. */
function codeOfStatus(status: number): ErrorCode {
  if (status === 401) return 'auth.required';
  if (status === 403) return 'auth.forbidden';
  if (status === 413) return 'request.too_large';
  if (status === 429) return 'request.too_many';
  return status >= 500 ? 'sync.offline' : 'internal';
}
