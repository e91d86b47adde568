/** Starts the real server on a test database and talks to it as devices do: JSON over HTTP. */
import { randomUUID } from 'node:crypto';
import {
  DeviceCredentials,
  LinkedDevice,
  type Mutation,
  PushResponse,
  PushResponseV2,
  type StreamCursors,
} from '@parley/contract';
import { formatHybridTime } from '@parley/domain';
import { eq } from 'drizzle-orm';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { z } from 'zod';
import type { AppOptions } from '../src/compose/app-options.ts';
import { buildApp } from '../src/compose/build-app.ts';
import { installStarterCatalogue } from '../src/catalogue/index.ts';
import type { DatabaseConnection } from '../src/db/client.ts';
import { devices, rateLimits } from '../src/db/tables.ts';
import { smallCatalogue } from './content/small-catalogue.ts';
import { INITIAL_CURSORS, parseSyncStream, rowsOf, type SyncStream } from './sync/sync-stream.ts';

export const START_MS: number = Date.parse('2026-11-18T10:00:00.000Z');

/** The body is only known to be an object, because the response is what the tests check. */
export interface JsonResponse {
  status: number;
  body: Record<string, unknown>;
}

export interface TestServer {
  app: FastifyInstance;
  database: DatabaseConnection;
  post: (path: string, body: unknown, token?: string) => Promise<JsonResponse>;
  send: (request: InjectOptions) => Promise<JsonResponse>;
  /** The server's log so far. */
  log: () => string;
  /** Advances the server's clock. */
  advanceClock: (ms: number) => void;
  now: () => Date;
  /** Listens on a local port, for tests that need a real connection. Returns the address. */
  listen: () => Promise<string>;
  close: () => Promise<void>;
}

/** `withCatalogue` installs the small catalogue. */
export async function startServer(
  database: DatabaseConnection,
  options: Omit<AppOptions, 'database' | 'now' | 'logStream'> & { withCatalogue?: boolean } = {},
): Promise<TestServer> {
  let nowMs = START_MS;
  const now = (): Date => new Date(nowMs);
  const lines: string[] = [];
  const { withCatalogue = false, ...parts } = options;
  const app = await buildApp({
    database,
    now,
    logStream: { write: (line) => void lines.push(line) },
    strictRequestsPerMinute: 10_000,
    requestsPerMinute: 10_000,
    allowedHosts: ['parley.example', 'parley.test'],
    ...parts,
  });
  if (withCatalogue) await installStarterCatalogue({ db: database.db, now }, smallCatalogue());
  const send = async (request: InjectOptions): Promise<JsonResponse> => {
    const { statusCode, payload } = await app.inject(request);
    return { status: statusCode, body: payload === '' ? {} : (JSON.parse(payload) as JsonResponse['body']) };
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
    advanceClock: (ms) => {
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

/** Starts another server on the database with the rate limits reset, because nodes count calls together. */
export async function startServerWithResetLimits(
  ...[database, options]: Parameters<typeof startServer>
): Promise<TestServer> {
  await database.db.delete(rateLimits);
  return startServer(database, options);
}

/** Marks the device as confirmed, as if its learner had just entered a code. */
export async function confirmDevice({ database, now }: TestServer, { deviceId }: { deviceId: string }): Promise<void> {
  await database.db.update(devices).set({ confirmedAt: now() }).where(eq(devices.deviceId, deviceId));
}

/** A row as it is sent, without its field clocks. */
export interface PulledRow {
  table: string;
  fields: Record<string, unknown>;
}

export interface TestDevice {
  userId: string;
  deviceId: string;
  token: string;
  /** How far the device's clock is ahead of the server's. */
  clockAheadMs: number;
  /** The last epoch that the server sent; null sends none. */
  epoch: string | null;
  /** Fills in the common fields and increments the device's sequence number. */
  change: (change: Pick<Mutation, 'table' | 'rowId'> & Partial<Mutation> & { ms?: number }) => Mutation;
  push: (...mutations: Mutation[]) => Promise<PushResponse>;
  /** Pushes in protocol version 2, as older apps do. */
  pushV2: (...mutations: Mutation[]) => Promise<PushResponseV2>;
  /** Returns the raw response, for tests of refusals. */
  tryPush: (mutations: readonly Mutation[], request?: object) => Promise<JsonResponse>;
  /** The rows since these cursors, in version order. */
  pull: (since?: { user?: number; catalogue?: number }) => Promise<PulledRow[]>;
  pullV2: (since?: { user?: number; catalogue?: number }) => Promise<PulledRow[]>;
  /** The pages since these cursors; without cursors, all pages. */
  stream: (cursors?: StreamCursors, request?: object) => Promise<SyncStream>;
  streamV2: (cursors?: StreamCursors, request?: object) => Promise<SyncStream>;
  /** The account's devices as this one sees them. */
  devices: () => Promise<LinkedDevice[]>;
  /** Returns the raw response, for tests of refusals. */
  revoke: (deviceId: string) => Promise<JsonResponse>;
}

const aDevice = (): { deviceId: string; name: string; platform: string } => ({
  deviceId: randomUUID(),
  name: 'Laptop',
  platform: 'linux',
});

export async function registerDevice(server: TestServer): Promise<TestDevice> {
  const { body } = await server.post('/v1/devices/register', { ...aDevice(), userId: randomUUID() });
  return createTestDevice(server, DeviceCredentials.parse(body));
}

export async function joinDevice(server: TestServer, first: TestDevice): Promise<TestDevice> {
  const { body: link } = await server.post('/v1/devices/link-code', {}, first.token);
  const { body } = await server.post('/v1/devices/join', { ...aDevice(), code: link['code'] });
  return createTestDevice(server, DeviceCredentials.parse(body));
}

/** A client for a device that is already registered. */
export function createTestDevice(server: TestServer, credentials: DeviceCredentials): TestDevice {
  const { deviceId, token } = credentials;
  let lastSeq = 0;
  const ask = async (path: string, body: unknown): Promise<unknown> => {
    const answer = await server.post(path, body, token);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const streamAs = async (request: object): Promise<SyncStream> => {
    const { statusCode, payload } = await server.app.inject({
      method: 'POST',
      url: '/v1/sync/stream',
      headers: { authorization: `Bearer ${token}` },
      payload: { deviceId, answeredSeq: 0, ...request },
    });
    if (statusCode !== 200) throw new Error(`/v1/sync/stream: ${statusCode} ${payload}`);
    return parseSyncStream(payload);
  };
  const since = ({ user = 0, catalogue = 0 } = {}): StreamCursors => ({ user, catalogue, older: null });
  const clock = (): number => server.now().getTime() + device.clockAheadMs;
  const inProtocol2 = (mutations: readonly Mutation[]): unknown[] =>
    mutations.map(({ base: _base, clocks: _clocks, ...mutation }) => mutation);
  const device: TestDevice = {
    ...credentials,
    clockAheadMs: 0,
    epoch: null,
    change: ({ ms, ...change }) => {
      lastSeq += 1;
      const at = formatHybridTime({ ms: ms ?? clock(), counter: lastSeq % 65_536, deviceId });
      return { id: randomUUID(), deviceSeq: lastSeq, op: 'upsert', fields: {}, at, base: 0, ...change };
    },
    tryPush: (mutations, request = {}) =>
      server.post(
        '/v1/sync/push',
        { protocol: 3, deviceId, epoch: device.epoch, now: new Date(clock()).toISOString(), mutations, ...request },
        token,
      ),
    push: async (...mutations) => {
      const { status, body } = await device.tryPush(mutations);
      if (status !== 200) throw new Error(`/v1/sync/push: ${status} ${JSON.stringify(body)}`);
      return PushResponse.parse(body);
    },
    pushV2: async (...mutations) =>
      PushResponseV2.parse(await ask('/v1/sync/push', { protocol: 2, deviceId, mutations: inProtocol2(mutations) })),
    pull: async (from) => rowsInOrder(await device.stream(since(from))),
    pullV2: async (from) => rowsInOrder(await device.streamV2(since(from))),
    stream: (cursors = INITIAL_CURSORS, request = {}) =>
      streamAs({ protocol: 3, epoch: device.epoch, cursors, ...request }),
    streamV2: (cursors = INITIAL_CURSORS, request = {}) => streamAs({ protocol: 2, cursors, ...request }),
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
  return device;
}

/** A push request of protocol version 3. */
export const aPushRequest = (server: TestServer, deviceId: string, mutations: readonly unknown[]) => ({
  protocol: 3,
  deviceId,
  epoch: null,
  now: server.now().toISOString(),
  mutations,
});

const rowsInOrder = ({ pages }: SyncStream): PulledRow[] =>
  pages
    .flatMap(rowsOf)
    .toSorted((a, b) => a.version - b.version)
    .map(({ table, fields: { fieldClocks: _clocks, ...fields } }) => ({ table, fields }));
