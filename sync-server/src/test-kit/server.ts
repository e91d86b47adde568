/** The real server on a database of its own, spoken to as devices speak to it: JSON over HTTP. */
import { randomUUID } from 'node:crypto';
import {
  DeviceCredentials,
  LinkedDevice,
  type Mutation,
  type PulledRow,
  PullResponse,
  PushResponse,
  type StreamCursors,
} from '@parley/contract';
import { formatHybridTime } from '@parley/domain';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { z } from 'zod';
import type { AppParts } from '../app/app-parts.ts';
import { buildApp } from '../app/build-app.ts';
import { bringInStarterCatalogue } from '../catalogue/index.ts';
import type { DatabaseConnection } from '../db/client.ts';
import { NOTHING_YET, readLines, type Streamed } from './streamed.ts';

export const START_MS: number = Date.parse('2026-11-18T10:00:00.000Z');

/** What the server says is what is tested: nothing is assumed of it but that it is an object. */
export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

export interface TestServer {
  app: FastifyInstance;
  database: DatabaseConnection;
  post: (path: string, body: unknown, token?: string) => Promise<Answer>;
  send: (request: InjectOptions) => Promise<Answer>;
  /** What the server logged so far. */
  log: () => string;
  /** Moves the server's clock. */
  pass: (ms: number) => void;
  now: () => Date;
  /** Opens a port on this machine, for tests of what only a real connection can show; returns its address. */
  listen: () => Promise<string>;
  close: () => Promise<void>;
}

export async function startServer(
  database: DatabaseConnection,
  options: Omit<AppParts, 'database' | 'now' | 'logStream'> & { withCatalogue?: boolean } = {},
): Promise<TestServer> {
  let nowMs = START_MS;
  const now = (): Date => new Date(nowMs);
  const lines: string[] = [];
  const { withCatalogue = false, ...parts } = options;
  const app = await buildApp({
    database,
    now,
    logStream: { write: (line) => void lines.push(line) },
    accountCallsAMinute: 10_000,
    ...parts,
  });
  if (withCatalogue) await bringInStarterCatalogue({ db: database.db, now });
  const send = async (request: InjectOptions): Promise<Answer> => {
    const { statusCode, payload } = await app.inject(request);
    return { status: statusCode, body: payload === '' ? {} : (JSON.parse(payload) as Answer['body']) };
  };
  return {
    app,
    database,
    send,
    log: () => lines.join(''),
    post: (path, body, token) =>
      send({
        method: 'POST',
        url: path,
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
        payload: body as object,
      }),
    pass: (ms) => {
      nowMs += ms;
    },
    now,
    listen: () => app.listen({ host: '127.0.0.1', port: 0 }),
    close: async () => {
      await app.close();
      await database.close();
    },
  };
}

export interface TestDevice {
  userId: string;
  deviceId: string;
  token: string;
  /** Fills in what every change has; counts up the device's sequence. */
  change: (change: Pick<Mutation, 'table' | 'rowId'> & Partial<Mutation> & { ms?: number }) => Mutation;
  push: (...mutations: Mutation[]) => Promise<PushResponse>;
  /** Every row since these cursors, page by page. */
  pull: (options?: { limit?: number; user?: number; catalogue?: number }) => Promise<PulledRow[]>;
  /** Everything since these cursors, as lines; without cursors, everything. */
  stream: (cursors?: StreamCursors) => Promise<Streamed>;
  /** The account's devices, as this one sees them. */
  devices: () => Promise<LinkedDevice[]>;
  /** The answer as it is, for tests of refusals. */
  revoke: (deviceId: string) => Promise<Answer>;
}

const aDevice = (): { deviceId: string; name: string; platform: string } => ({
  deviceId: randomUUID(),
  name: 'Laptop',
  platform: 'linux',
});

export async function registerDevice(server: TestServer): Promise<TestDevice> {
  const { body } = await server.post('/v1/devices/register', { ...aDevice(), userId: randomUUID() });
  return speakFor(server, DeviceCredentials.parse(body));
}

export async function joinDevice(server: TestServer, first: TestDevice): Promise<TestDevice> {
  const { body: link } = await server.post('/v1/devices/link-code', {}, first.token);
  const { body } = await server.post('/v1/devices/join', { ...aDevice(), code: link['code'] });
  return speakFor(server, DeviceCredentials.parse(body));
}

/** A device that is registered already, as it speaks to this server. */
export function speakFor(server: TestServer, credentials: DeviceCredentials): TestDevice {
  const { deviceId, token } = credentials;
  let lastSeq = 0;
  const ask = async (path: string, body: unknown): Promise<unknown> => {
    const answer = await server.post(path, body, token);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return {
    ...credentials,
    change: ({ ms, ...change }) => {
      lastSeq += 1;
      const at = formatHybridTime({ ms: ms ?? server.now().getTime(), counter: lastSeq % 65_536, deviceId });
      return { id: randomUUID(), deviceSeq: lastSeq, op: 'upsert', fields: {}, at, ...change };
    },
    push: async (...mutations) => PushResponse.parse(await ask('/v1/sync/push', { protocol: 2, deviceId, mutations })),
    pull: async ({ limit = 1_000, user = 0, catalogue = 0 } = {}) => {
      const rows: PulledRow[] = [];
      let cursors = { user, catalogue };
      for (;;) {
        const page = PullResponse.parse(await ask('/v1/sync/pull', { protocol: 1, deviceId, cursors, limit }));
        rows.push(...page.rows);
        cursors = page.next;
        if (!page.more) return rows;
      }
    },
    stream: async (cursors = NOTHING_YET) => {
      const { statusCode, payload } = await server.app.inject({
        method: 'POST',
        url: '/v1/sync/stream',
        headers: { authorization: `Bearer ${token}` },
        payload: { protocol: 2, deviceId, cursors, answeredSeq: 0 },
      });
      if (statusCode !== 200) throw new Error(`/v1/sync/stream: ${statusCode} ${payload}`);
      return readLines(payload);
    },
    devices: async () => {
      const { body } = await server.send({
        method: 'GET',
        url: '/v1/devices',
        headers: { authorization: `Bearer ${token}` },
      });
      return z.array(LinkedDevice).parse(body);
    },
    revoke: (other) => server.post('/v1/devices/revoke', { deviceId: other }, token),
  };
}
