/** A line to the provider's realtime service through its own client; open when the session was set up as wished. */
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { APIError } from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import type { RealtimeClientEvent, RealtimeSessionCreateRequest } from 'openai/resources/realtime/realtime';
import type { ClientOptions } from 'ws';
import { connectOpenAi, type OpenAiAccess } from '../access.ts';
import { malformed, ProviderTrouble, troubleOf, troubleOfEvent } from '../provider-trouble.ts';
import type { Timeouts } from '../timeouts.ts';
import { type KnownEvent, readEvent } from './server-events.ts';

export interface DialedLine {
  send: (event: RealtimeClientEvent) => void;
  /** Nothing comes from it any more. */
  close: () => void;
}

export interface Dialing {
  access: OpenAiAccess;
  timeouts: Pick<Timeouts, 'firstByteMs'>;
  session: RealtimeSessionCreateRequest & { model: string };
  signal: AbortSignal;
  /** What comes after the session was set up. */
  take: (event: KnownEvent) => void;
  /** The last of all, and once; never before the line was open. */
  lost: (trouble: ProviderTrouble) => void;
}

const MAX_EVENT_BYTES = 16 * 1024 * 1024;
/** A provider who reads no more has gone; this is about a minute of sound. */
const MAX_UNSENT_BYTES = 4 * 1024 * 1024;
const PING_EVERY_MS = 10_000;
const MAX_REFUSAL_BYTES = 64 * 1024;

/** Throws a `ProviderTrouble`, or what the signal says. */
export async function dial(dialing: Dialing): Promise<DialedLine> {
  const { access, timeouts, session, signal } = dialing;
  signal.throwIfAborted();
  const realtime = new OpenAIRealtimeWS(
    { model: session.model, options: { maxPayload: MAX_EVENT_BYTES, ...plainConnection(access.baseUrl) } },
    connectOpenAi(access),
  );
  const { socket } = realtime;
  const opening = Promise.withResolvers<void>();
  let state: 'opening' | 'open' | 'closed' = 'opening';

  const close = (): void => {
    state = 'closed';
    clearInterval(heart);
    clearTimeout(late);
    signal.removeEventListener('abort', abandon);
    realtime.close();
    // Whoever does not answer the goodbye is not waited for.
    setTimeout(() => socket.terminate(), 1_000).unref();
  };
  const lose = (trouble: ProviderTrouble): void => {
    const was = state;
    if (was === 'closed') return;
    close();
    if (was === 'opening') opening.reject(trouble);
    else dialing.lost(trouble);
  };
  const abandon = (): void => {
    close();
    opening.reject(signal.reason);
  };
  const late = setTimeout(() => lose(silent('no session in time')), timeouts.firstByteMs);
  let isAlive = true;
  const heart = setInterval(() => {
    if (!isAlive || socket.bufferedAmount > MAX_UNSENT_BYTES) return lose(silent('fell silent'));
    isAlive = false;
    if (socket.readyState === socket.OPEN) socket.ping();
  }, PING_EVERY_MS);
  heart.unref();

  signal.addEventListener('abort', abandon);
  socket.on('unexpected-response', (_request, response) => void readRefusal(response).then(lose));
  socket.on('pong', () => {
    isAlive = true;
  });
  socket.on('close', () => lose(new ProviderTrouble('unreachable', 'the line broke', { isTransient: true })));
  realtime.on('error', (error) => {
    // What the service itself complains of comes as an event too.
    if (error.error === undefined) lose(troubleOfLine(error));
  });
  realtime.on('event', (sent) => {
    isAlive = true;
    const event = readEvent(sent);
    if (event === null || state === 'closed') return;
    if (event === 'malformed') return lose(malformed('an event of another shape'));
    if (state === 'open') return dialing.take(event);
    if (event.type === 'session.created') realtime.send({ type: 'session.update', session });
    if (event.type === 'error') lose(troubleOfEvent(event.error.code));
    if (event.type !== 'session.updated') return;
    state = 'open';
    clearTimeout(late);
    signal.removeEventListener('abort', abandon);
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

const silent = (what: string): ProviderTrouble => new ProviderTrouble('unreachable', what, { isTransient: true });

/** The client calls everybody over TLS; a server of one's own on this machine has none. */
function plainConnection(baseUrl: string | null): Pick<ClientOptions, 'createConnection'> {
  if (baseUrl === null || !baseUrl.startsWith('http:')) return {};
  const { hostname, port } = new URL(baseUrl);
  const at = { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 80 : Number(port) };
  return { createConnection: () => connect(at) };
}

/** An answer in HTTP where the line should have been opened, as the client would read it elsewhere. */
async function readRefusal(response: IncomingMessage): Promise<ProviderTrouble> {
  let text = '';
  try {
    for await (const chunk of response) {
      text += String(chunk);
      if (text.length > MAX_REFUSAL_BYTES) break;
    }
  } catch {
    // What came of it will do.
  }
  const headers = new Headers(
    Object.entries(response.headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
  return troubleOf(APIError.generate(response.statusCode ?? 500, errorIn(text), undefined, headers));
}

function errorIn(text: string): object | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : undefined;
  } catch {
    return undefined;
  }
}

const troubleOfLine = (error: Error): ProviderTrouble =>
  error.cause instanceof SyntaxError || error.message.startsWith('could not parse')
    ? malformed('an event that is no JSON')
    : troubleOf(error.cause ?? error);
