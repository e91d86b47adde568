/**
 * Opens a connection to the provider's realtime service, which counts as open once the session has the requested
 * settings.
 */
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { APIError } from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import type { RealtimeClientEvent, RealtimeSessionCreateRequest } from 'openai/resources/realtime/realtime';
import type { ClientOptions } from 'ws';
import { createOpenAiClient, type OpenAiAccess } from '../connection/client.ts';
import {
  malformedError,
  ProviderError,
  toProviderError,
  providerErrorFromEvent,
} from '../connection/provider-error.ts';
import type { Timeouts } from '../connection/timeouts.ts';
import { type KnownEvent, parseServerEvent } from './server-events.ts';

export interface RealtimeConnection {
  send: (event: RealtimeClientEvent) => void;
  /** No more events arrive after this. */
  close: () => void;
}

export interface RealtimeConnectionOptions {
  access: OpenAiAccess;
  timeouts: Pick<Timeouts, 'firstByteMs'>;
  session: RealtimeSessionCreateRequest & { model: string };
  signal: AbortSignal;
  /** Receives the events after the session was set up. */
  onEvent: (event: KnownEvent) => void;
  /** Called once, as the last callback, and never before the connection was open. */
  onLost: (failure: ProviderError) => void;
}

const MAX_EVENT_BYTES = 16 * 1024 * 1024;
/** A provider that stops reading is gone. This is about a minute of audio. */
const MAX_UNSENT_BYTES = 4 * 1024 * 1024;
const PING_EVERY_MS = 10_000;
const MAX_REJECTION_CHARACTERS = 64 * 1024;

/** Throws a `ProviderError` or the signal's reason. */
export async function connectRealtime(options: RealtimeConnectionOptions): Promise<RealtimeConnection> {
  const { access, timeouts, session, signal } = options;
  signal.throwIfAborted();
  const realtime = new OpenAIRealtimeWS(
    { model: session.model, options: { maxPayload: MAX_EVENT_BYTES, ...plainTcpConnection(access.baseUrl) } },
    createOpenAiClient(access),
  );
  const { socket } = realtime;
  const opening = Promise.withResolvers<void>();
  let state: 'opening' | 'open' | 'closed' = 'opening';

  const close = (): void => {
    state = 'closed';
    clearInterval(pingTimer);
    clearTimeout(openTimeout);
    signal.removeEventListener('abort', abortOpening);
    realtime.close();
    // The socket is terminated when the provider does not answer the close frame.
    setTimeout(() => socket.terminate(), 1_000).unref();
  };
  const fail = (failure: ProviderError): void => {
    const previousState = state;
    if (previousState === 'closed') return;
    close();
    if (previousState === 'opening') opening.reject(failure);
    else options.onLost(failure);
  };
  const abortOpening = (): void => {
    close();
    opening.reject(signal.reason);
  };
  const openTimeout = setTimeout(() => fail(timeoutError('no session in time')), timeouts.firstByteMs);
  let isAlive = true;
  const pingTimer = setInterval(() => {
    if (!isAlive || socket.bufferedAmount > MAX_UNSENT_BYTES) return fail(timeoutError('fell silent'));
    isAlive = false;
    if (socket.readyState === socket.OPEN) socket.ping();
  }, PING_EVERY_MS);
  pingTimer.unref();

  signal.addEventListener('abort', abortOpening);
  socket.on('unexpected-response', (_request, response) => void readRejection(response).then(fail));
  socket.on('pong', () => {
    isAlive = true;
  });
  socket.on('close', () => fail(new ProviderError('coach', 'unreachable', 'the line broke', { isTransient: true })));
  realtime.on('error', (error) => {
    // Errors reported by the service itself also arrive as events.
    if (error.error === undefined) fail(toConnectionError(error));
  });
  realtime.on('event', (rawEvent) => {
    isAlive = true;
    const event = parseServerEvent(rawEvent);
    if (event === null || state === 'closed') return;
    if (event === 'malformed') return fail(malformedError('coach', 'an event of another shape'));
    if (state === 'open') return options.onEvent(event);
    if (event.type === 'session.created') realtime.send({ type: 'session.update', session });
    if (event.type === 'error') fail(providerErrorFromEvent('coach', event.error.code));
    if (event.type !== 'session.updated') return;
    state = 'open';
    clearTimeout(openTimeout);
    signal.removeEventListener('abort', abortOpening);
    opening.resolve();
  });

  await opening.promise;
  return {
    send: (event) => {
      if (state === 'open') realtime.send(event);
    },
    close,
  };
}

const timeoutError = (message: string): ProviderError =>
  new ProviderError('coach', 'unreachable', message, { isTransient: true });

/** The client always uses TLS; a self-hosted server on this machine has none. */
function plainTcpConnection(baseUrl: string | null): Pick<ClientOptions, 'createConnection'> {
  if (baseUrl === null || !baseUrl.startsWith('http:')) return {};
  const { hostname, port } = new URL(baseUrl);
  const address = { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 80 : Number(port) };
  return { createConnection: () => connect(address) };
}

/** Reads an HTTP response to the upgrade the way the client reads other responses. */
async function readRejection(response: IncomingMessage): Promise<ProviderError> {
  let text = '';
  try {
    for await (const chunk of response) {
      text += String(chunk);
      if (text.length > MAX_REJECTION_CHARACTERS) break;
    }
  } catch {
    // A partial body is good enough.
  }
  const headers = new Headers(
    Object.entries(response.headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
  return toProviderError(
    'coach',
    APIError.generate(response.statusCode ?? 500, parseErrorBody(text), undefined, headers),
  );
}

function parseErrorBody(text: string): object | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : undefined;
  } catch {
    return undefined;
  }
}

const toConnectionError = (error: Error): ProviderError =>
  error.cause instanceof SyntaxError || error.message.startsWith('could not parse')
    ? malformedError('coach', 'an event that is no JSON')
    : toProviderError('coach', error.cause ?? error);
