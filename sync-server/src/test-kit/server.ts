/** The real server on a database of its own, spoken to as devices speak to it: JSON over HTTP. */
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
import type { AppParts } from '../app/app-parts.ts';
import { buildApp } from '../app/build-app.ts';
import { bringInStarterCatalogue } from '../catalogue/index.ts';
import type { DatabaseConnection } from '../db/client.ts';
import { devices, rateLimits } from '../db/tables.ts';
import { NOTHING_YET, readLines, rowsOf, type Streamed } from './streamed.ts';

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
    callsAMinute: 10_000,
    allowedHosts: ['parley.example', 'parley.test'],
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

/** Beside another server on the database: nodes count calls together, so what was called before must not count here. */
export async function startUncountedServer(
  ...[database, options]: Parameters<typeof startServer>
): Promise<TestServer> {
  await database.db.delete(rateLimits);
  return startServer(database, options);
}

/** As if its learner had just typed a code. */
export async function confirmDevice({ database, now }: TestServer, { deviceId }: { deviceId: string }): Promise<void> {
  await database.db.update(devices).set({ confirmedAt: now() }).where(eq(devices.deviceId, deviceId));
}

/** A row as it travels, without the times of its fields. */
export interface PulledRow {
  table: string;
  fields: Record<string, unknown>;
}

export interface TestDevice {
  userId: string;
  deviceId: string;
  token: string;
  /** How far its clock is ahead of the server's. */
  aheadMs: number;
  /** The last epoch that it was told; null sends none. */
  epoch: string | null;
  /** Fills in what every change has; counts up the device's sequence. */
  change: (change: Pick<Mutation, 'table' | 'rowId'> & Partial<Mutation> & { ms?: number }) => Mutation;
  push: (...mutations: Mutation[]) => Promise<PushResponse>;
  /** As an app of protocol 2 sends them. */
  pushV2: (...mutations: Mutation[]) => Promise<PushResponseV2>;
  /** The answer as it is, for tests of refusals. */
  tryPush: (mutations: readonly Mutation[], request?: object) => Promise<Answer>;
  /** Every row since these cursors, in version order. */
  pull: (since?: { user?: number; catalogue?: number }) => Promise<PulledRow[]>;
  pullV2: (since?: { user?: number; catalogue?: number }) => Promise<PulledRow[]>;
  /** Everything since these cursors, as lines; without cursors, everything. */
  stream: (cursors?: StreamCursors, request?: object) => Promise<Streamed>;
  streamV2: (cursors?: StreamCursors, request?: object) => Promise<Streamed>;
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
  const streamAs = async (request: object): Promise<Streamed> => {
    const { statusCode, payload } = await server.app.inject({
      method: 'POST',
      url: '/v1/sync/stream',
      headers: { authorization: `Bearer ${token}` },
      payload: { deviceId, answeredSeq: 0, ...request },
    });
    if (statusCode !== 200) throw new Error(`/v1/sync/stream: ${statusCode} ${payload}`);
    return readLines(payload);
  };
  const since = ({ user = 0, catalogue = 0 } = {}): StreamCursors => ({ user, catalogue, older: null });
  const clock = (): number => server.now().getTime() + device.aheadMs;
  const inProtocol2 = (mutations: readonly Mutation[]): unknown[] =>
    mutations.map(({ base: _base, clocks: _clocks, ...mutation }) => mutation);
  const device: TestDevice = {
    ...credentials,
    aheadMs: 0,
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
    stream: (cursors = NOTHING_YET, request = {}) =>
      streamAs({ protocol: 3, epoch: device.epoch, cursors, ...request }),
    streamV2: (cursors = NOTHING_YET, request = {}) => streamAs({ protocol: 2, cursors, ...request }),
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

/** A push of protocol 3 as it travels. */
export const aPush = (server: TestServer, deviceId: string, mutations: readonly unknown[]) => ({
  protocol: 3,
  deviceId,
  epoch: null,
  now: server.now().toISOString(),
  mutations,
});

const rowsInOrder = ({ pages }: Streamed): PulledRow[] =>
  pages
    .flatMap(rowsOf)
    .toSorted((a, b) => a.version - b.version)
    .map(({ table, fields: { fieldClocks: _clocks, ...fields } }) => ({ table, fields }));
