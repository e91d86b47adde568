/** The real sync server on an in-memory database, behind a proxy that fails on request. */
import {
  ENDPOINTS,
  ERROR_STATUS_BY_CODE,
  type ErrorCode,
  LOCAL_MODELS_HEADER,
  type Mutation,
  POKE_ROWS_HEADER,
  PushRequest,
  TurnsRequest,
} from '@parley/contract';
import type { StarterCatalogue } from '@parley/catalogue';
import { type AppOptions, bringInStarterCatalogue, buildApp } from '@parley/sync-server';
import { openMemoryDatabase } from '@parley/sync-server/test-kit';
import type { SQL } from 'drizzle-orm';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { aCatalogue } from './test-catalogue.ts';

export interface TestServer {
  url: string;
  /** While set, every request fails with this code. With `drop`, the server does its work and the response is lost. */
  fail: ErrorCode | 'drop' | null;
  /** Like `fail`, but decided for each request. */
  failOn: ((path: string) => ErrorCode | 'drop' | null) | null;
  /** While set, a push that contains such a change fails with an internal error. */
  failOnChange: ((change: Mutation) => boolean) | null;
  /** Like `fail`, but decided for each push. */
  failOnPush: ((changes: readonly Mutation[]) => ErrorCode | null) | null;
  /** While set, a request for the turns of such a session fails with an internal error. */
  failOnTurnsOf: ((sessionId: string) => boolean) | null;
  /** While true, the server cannot send turns later, like old versions. */
  sendsTurnsAtOnce: boolean;
  /** The changes in each push of the current protocol that passed the proxy. */
  pushed: Mutation[][];
  /** How many of those pushes have been answered. */
  answeredPushes: number;
  /** Restarts the server with this version on the same database. */
  upgrade(version: string): Promise<void>;
  /** Cuts all connections. */
  cutConnections(): void;
  /** Changes the server's database directly, to simulate a restored backup or the passing of years. */
  execute(statement: SQL): Promise<void>;
  /** Queries the server's database. */
  read(query: SQL): Promise<Record<string, unknown>[]>;
  /** Runs while the response to a pull is in transit. */
  onPull: (() => Promise<unknown>) | null;
  /** Cuts each stream after this many lines; null cuts none. */
  cutStreamAfterLines: number | null;
  /** Cuts each recording or voice after this many bytes; null cuts none. */
  cutAudioAfterBytes: number | null;
  /** The paths of all requests since the test last cleared them. */
  requested: string[];
  close(): Promise<void>;
}

export async function startServer(
  options: Pick<
    AppOptions,
    | 'ai'
    | 'now'
    | 'account'
    | 'enqueueMail'
    | 'payments'
    | 'storageQuotas'
    | 'recordingQuotas'
    | 'stalledAfterMs'
    | 'media'
  > & { catalogue?: StarterCatalogue; database?: AppOptions['database'] } = {},
): Promise<TestServer> {
  const { catalogue = await aCatalogue(), database = await openMemoryDatabase(), ...appOptions } = options;
  const build = (version: string) => buildApp({ database, strictRequestsPerMinute: 10_000, version, ...appOptions });
  let app = await build('1.0.0');
  await bringInStarterCatalogue({ db: database.db, now: () => new Date() }, catalogue);
  let serverUrl = await app.listen({ host: '127.0.0.1', port: 0 });

  const server: TestServer = {
    url: '',
    fail: null,
    failOn: null,
    failOnChange: null,
    failOnPush: null,
    failOnTurnsOf: null,
    sendsTurnsAtOnce: false,
    pushed: [],
    answeredPushes: 0,
    onPull: null,
    cutStreamAfterLines: null,
    cutAudioAfterBytes: null,
    requested: [],
    upgrade: async (version) => {
      proxy.closeAllConnections();
      await app.close();
      app = await build(version);
      serverUrl = await app.listen({ host: '127.0.0.1', port: 0 });
    },
    cutConnections: () => proxy.closeAllConnections(),
    execute: async (statement) => void (await database.db.execute(statement)),
    read: async (query) => ((await database.db.execute(query)) as { rows: Record<string, unknown>[] }).rows,
    close: async () => {
      proxy.closeAllConnections();
      await new Promise((resolve) => void proxy.close(resolve));
      await app.close();
      await database.close();
    },
  };
  const proxy = createServer((request, response) => {
    // The client or the server behind the proxy has disconnected.
    forward(request, response).catch(() => response.destroy());
  });

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?')[0] ?? '';
    server.requested.push(path);
    const isUnknown = server.sendsTurnsAtOnce && path === ENDPOINTS.turns.path;
    const fault = isUnknown ? 'session.not_found' : (server.failOn?.(path) ?? server.fail);
    if (fault !== null && fault !== 'drop') {
      request.resume();
      refuse(response, fault);
      return;
    }
    const push = request.url === '/v1/sync/push' ? await readPush(request) : null;
    const pushed = push === null ? [] : (server.pushed.at(-1) ?? []);
    const failure = server.failOnPush?.(pushed) ?? (pushed.some(server.failOnChange ?? never) ? 'internal' : null);
    if (failure !== null) {
      refuse(response, failure);
      return;
    }
    const asked = path === ENDPOINTS.turns.path ? await readAll(request) : null;
    if (
      asked !== null &&
      TurnsRequest.parse(JSON.parse(String(asked))).sessionIds.some(server.failOnTurnsOf ?? never)
    ) {
      refuse(response, 'internal');
      return;
    }
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const kept = [LOCAL_MODELS_HEADER, POKE_ROWS_HEADER].flatMap((name) => {
      const value = request.headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    });
    const onward = httpRequest(`${serverUrl}${(server.sendsTurnsAtOnce ? path : request.url) ?? ''}`, {
      method: request.method ?? 'POST',
      headers: {
        'content-type': request.headers['content-type'] ?? 'application/json',
        authorization: request.headers.authorization ?? '',
        ...(request.headers.range === undefined ? {} : { range: request.headers.range }),
        ...(typeof request.headers['if-range'] === 'string' ? { 'if-range': request.headers['if-range'] } : {}),
        'accept-language': request.headers['accept-language'] ?? '*',
        ...Object.fromEntries(kept),
      },
      signal: gone.signal,
    });
    const answered = once(onward, 'response') as Promise<[IncomingMessage]>;
    // An error after the response has started also breaks the response.
    onward.on('error', () => undefined);
    const body = push?.body ?? asked;
    if (body !== null) onward.end(body);
    else request.pipe(onward);
    const [answer] = await answered;
    const status = answer.statusCode ?? 500;
    const type = answer.headers['content-type'] ?? 'application/json';
    if (/^(text\/event-stream|audio\/)/.test(type)) {
      response.writeHead(status, answer.headers);
      let bytes = 0;
      for await (const chunk of answer) {
        bytes += (chunk as Buffer).byteLength;
        if (server.cutAudioAfterBytes !== null && bytes > server.cutAudioAfterBytes) {
          await new Promise((resolve) => {
            response.write((chunk as Buffer).subarray(0, server.cutAudioAfterBytes ?? 0), resolve);
          });
          response.destroy();
          return;
        }
        response.write(chunk);
      }
      response.end();
      return;
    }
    const whole = await readAll(answer);
    if (push?.isCounted === true) server.answeredPushes += 1;
    // Handling the request may have set the fault.
    if (fault === 'drop' || server.fail === 'drop') {
      request.socket.destroy();
      return;
    }
    if (path === '/v1/sync/stream') {
      const happening = server.onPull;
      server.onPull = null;
      await happening?.();
      if (server.cutStreamAfterLines !== null && status === 200) {
        response.writeHead(status, { 'content-type': type });
        response.write(firstLines(whole, server.cutStreamAfterLines), () => request.socket.destroy());
        return;
      }
    }
    const { 'content-range': range, 'accept-ranges': ranges } = answer.headers;
    response.writeHead(status, {
      'content-type': type,
      'content-length': request.method === 'HEAD' ? answer.headers['content-length'] : whole.byteLength,
      ...(range === undefined ? {} : { 'content-range': range }),
      ...(ranges === undefined ? {} : { 'accept-ranges': ranges }),
    });
    response.end(whole);
  }

  /** Pushes are inspected on their way; all other requests are streamed through. */
  async function readPush(request: IncomingMessage): Promise<{ body: Buffer; isCounted: boolean }> {
    const body = await readAll(request);
    // A client of an older protocol sends a different message, which only the server itself can judge.
    const push = PushRequest.safeParse(JSON.parse(String(body)));
    if (push.success) server.pushed.push(push.data.mutations);
    return { body, isCounted: push.success };
  }

  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  server.url = `http://127.0.0.1:${address.port}`;
  return server;
}

const never = (): boolean => false;

function refuse(response: ServerResponse, code: ErrorCode): void {
  const status = ERROR_STATUS_BY_CODE[code];
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ defined: true, code, status, message: '' }));
}

function firstLines(text: Buffer, count: number): string {
  const lines = String(text).split('\n').slice(0, count);
  return lines.map((line) => `${line}\n`).join('');
}

async function readAll(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
