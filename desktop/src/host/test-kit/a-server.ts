/** The real sync server on an empty database in memory, behind a line that fails when a test tells it to. */
import {
  ERROR_STATUS_BY_CODE,
  type ErrorCode,
  LOCAL_CHOICE_HEADER,
  type Mutation,
  PushRequest,
} from '@parley/contract';
import { type AppParts, bringInStarterCatalogue, buildApp, openDatabase } from '@parley/sync-server';
import type { SQL } from 'drizzle-orm';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { aCatalogue } from './a-catalogue.ts';

export interface TestServer {
  url: string;
  /** Every request fails like this until it is set back to null; with `drop` the work is done and the answer is lost. */
  fail: ErrorCode | 'drop' | null;
  /** A push that holds such a change fails with an internal error, as often as it comes. */
  failOn: ((change: Mutation) => boolean) | null;
  /** What came over the line, a batch a request. */
  pushed: Mutation[][];
  /** Ends the server and starts one of this version on the same database. */
  upgrade(version: string): Promise<void>;
  /** Breaks off whatever is under way on the line. */
  hangUp(): void;
  /** Changes the server's database behind its back: a backup that was put in its place, years that have passed. */
  tamper(statement: SQL): Promise<void>;
  /** What stands in the server's database. */
  read(query: SQL): Promise<Record<string, unknown>[]>;
  /** Happens while an answer to a pull is on its way. */
  whilePulling: (() => Promise<unknown>) | null;
  /** Cuts each stream off behind so many of its lines; null: none is cut. */
  cutStreamAfter: number | null;
  close(): Promise<void>;
}

export async function startServer(
  options: Pick<
    AppParts,
    'ai' | 'now' | 'account' | 'enqueueMail' | 'payments' | 'storageQuotas' | 'stalledAfterMs'
  > = {},
): Promise<TestServer> {
  const database = await openDatabase({ type: 'memory' });
  const build = (version: string) => buildApp({ database, accountCallsAMinute: 10_000, version, ...options });
  let app = await build('1.0.0');
  await bringInStarterCatalogue({ db: database.db, now: () => new Date() }, await aCatalogue());
  let behind = await app.listen({ host: '127.0.0.1', port: 0 });

  const server: TestServer = {
    url: '',
    fail: null,
    failOn: null,
    pushed: [],
    whilePulling: null,
    cutStreamAfter: null,
    upgrade: async (version) => {
      line.closeAllConnections();
      await app.close();
      app = await build(version);
      behind = await app.listen({ host: '127.0.0.1', port: 0 });
    },
    hangUp: () => line.closeAllConnections(),
    tamper: async (statement) => void (await database.db.execute(statement)),
    read: async (query) => ((await database.db.execute(query)) as { rows: Record<string, unknown>[] }).rows,
    close: async () => {
      line.closeAllConnections();
      await new Promise((resolve) => void line.close(resolve));
      await app.close();
      await database.close();
    },
  };
  const line = createServer((request, response) => {
    // Whoever asked has hung up, or the server behind has.
    pass(request, response).catch(() => response.destroy());
  });

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (server.fail !== null && server.fail !== 'drop') {
      request.resume();
      refuse(response, server.fail);
      return;
    }
    const push = request.url === '/v1/sync/push' ? await readPush(request) : null;
    if (push !== null && server.failOn !== null && (server.pushed.at(-1) ?? []).some(server.failOn)) {
      refuse(response, 'internal');
      return;
    }
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const chosen = request.headers[LOCAL_CHOICE_HEADER];
    const onward = httpRequest(`${behind}${request.url ?? ''}`, {
      method: request.method ?? 'POST',
      headers: {
        'content-type': request.headers['content-type'] ?? 'application/json',
        authorization: request.headers.authorization ?? '',
        ...(typeof chosen === 'string' ? { [LOCAL_CHOICE_HEADER]: chosen } : {}),
      },
      signal: gone.signal,
    });
    const answered = once(onward, 'response') as Promise<[IncomingMessage]>;
    // A line that breaks after the answer has begun breaks the answer.
    onward.on('error', () => undefined);
    if (push !== null) onward.end(push);
    else request.pipe(onward);
    const [answer] = await answered;
    const status = answer.statusCode ?? 500;
    const type = answer.headers['content-type'] ?? 'application/json';
    if (/^(text\/event-stream|audio\/)/.test(type)) {
      response.writeHead(status, { 'content-type': type });
      for await (const chunk of answer) response.write(chunk);
      response.end();
      return;
    }
    const whole = await wholeOf(answer);
    if (server.fail === 'drop') {
      request.socket.destroy();
      return;
    }
    if (request.url === '/v1/sync/stream') {
      const happening = server.whilePulling;
      server.whilePulling = null;
      await happening?.();
      if (server.cutStreamAfter !== null && status === 200) {
        response.writeHead(status, { 'content-type': type });
        response.write(firstLines(whole, server.cutStreamAfter), () => request.socket.destroy());
        return;
      }
    }
    response.writeHead(status, { 'content-type': type });
    response.end(whole);
  }

  /** Read on its way; everything else goes on as it comes. */
  async function readPush(request: IncomingMessage): Promise<Buffer> {
    const body = await wholeOf(request);
    server.pushed.push(PushRequest.parse(JSON.parse(String(body))).mutations);
    return body;
  }

  await new Promise<void>((resolve) => void line.listen(0, '127.0.0.1', resolve));
  const address = line.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  server.url = `http://127.0.0.1:${address.port}`;
  return server;
}

function refuse(response: ServerResponse, code: ErrorCode): void {
  const status = ERROR_STATUS_BY_CODE[code];
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ defined: true, code, status, message: '' }));
}

function firstLines(text: Buffer, count: number): string {
  const lines = String(text).split('\n').slice(0, count);
  return lines.map((line) => `${line}\n`).join('');
}

async function wholeOf(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
