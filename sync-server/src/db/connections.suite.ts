import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openGate } from '../../test-kit/postgres-gate.ts';
import { catalogueIds, sessionFields } from '../../test-kit/sync/rows.ts';
import {
  aPushRequest,
  joinDevice,
  registerDevice,
  startServer,
  type TestDevice,
  type TestServer,
} from '../../test-kit/server.ts';
import type { Payments } from '../ports/payments/index.ts';
import { type DatabaseConnection, openDatabase } from './client.ts';
import { describeDatabaseFailure } from './database-failure.ts';
import { openNotificationChannel } from './notification-channel.ts';

/** Cuts the connections to PostgreSQL, as a restart, a failover or a network failure does. */
export function connectionsSuite(open: () => Promise<DatabaseConnection>): void {
  let connection: DatabaseConnection;
  let server: TestServer;
  beforeAll(async () => {
    connection = await open();
    server = await startServer(connection, { withCatalogue: true });
  });
  afterAll(() => server.close());

  const cutAll = () =>
    connection.db.execute(
      sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`,
    );

  it('a connection cut inside a transaction fails only that transaction', async () => {
    const cut = connection.db.transaction(async (tx) => {
      await tx.execute(sql`select 1`);
      await cutAll();
      // The disconnect arrives while no query waits for it.
      await sleep(50);
      await tx.execute(sql`select 1`);
    });
    await expect(cut).rejects.toThrow();
    await expect(connection.check()).resolves.toBeUndefined();
  });

  it('a database that has become read-only keeps the changes on their devices, and recovers', async () => {
    if (connection.jobs.type !== 'postgres') throw new Error('this needs PostgreSQL');
    const node = await startServer(await openDatabase({ type: 'postgres', url: connection.jobs.url }), {
      logLevel: 'warn',
    });
    const device = await registerDevice(node);
    const name = sql.raw(new URL(connection.jobs.url).pathname.slice(1));
    const register = () =>
      node.post('/v1/devices/register', {
        deviceId: randomUUID(),
        userId: randomUUID(),
        name: 'laptop',
        platform: 'linux',
      });
    await connection.db.execute(sql`alter database ${name} set default_transaction_read_only = on`);
    await cutAll();
    expect(await register()).toMatchObject({ status: 503, body: { code: 'sync.offline' } });
    const change = device.change({ table: 'users', rowId: device.userId, fields: { firstName: 'Ana' } });
    const push = aPushRequest(node, device.deviceId, [change]);
    expect(await node.post('/v1/sync/push', push, device.token)).toMatchObject({ body: { code: 'sync.offline' } });
    await connection.db.execute(
      sql`set transaction_read_only = off; alter database ${name} reset default_transaction_read_only`,
    );
    await expect.poll(async () => (await node.post('/v1/sync/push', push, device.token)).status).toBe(200);
    expect(node.log()).toContain('database_unavailable');
    expect(node.log()).not.toContain('unhandled_error');
    await node.close();
  });

  it('nodes that start at once on an empty database migrate it once', async () => {
    if (connection.jobs.type !== 'postgres') throw new Error('this needs PostgreSQL');
    const name = `empty_${randomUUID().replaceAll('-', '')}`;
    const url = new URL(name, connection.jobs.url).href;
    await connection.db.execute(sql.raw(`create database ${name}`));
    const nodes = await Promise.allSettled(Array.from({ length: 4 }, () => openDatabase({ type: 'postgres', url })));
    for (const node of nodes) if (node.status === 'fulfilled') await node.value.close();
    await connection.db.execute(sql.raw(`drop database ${name}`));
    expect(nodes.map((node) => (node.status === 'fulfilled' ? 'started' : node.reason))).toEqual(
      Array.from({ length: 4 }, () => 'started'),
    );
  });

  it('a node asks for one connection a second while PostgreSQL is away, and listens once it is back', async () => {
    await using gate = await openGate(connection.jobs);
    const heard: string[] = [];
    let gaps = 0;
    const channel = openNotificationChannel(gate.url, ({ values: [name, message] }) =>
      connection.db.execute(sql`select pg_notify(${name}, ${message})`),
    );
    await channel.listen({ onMessage: (message) => heard.push(message), onGap: () => (gaps += 1) });
    gate.close();
    const closedAt = performance.now();
    await sleep(4_500);
    const seconds = (performance.now() - closedAt) / 1_000;
    expect(gate.refused()).toBeGreaterThan(0);
    expect(gate.refused()).toBeLessThanOrEqual(seconds);
    gate.open();
    await expect.poll(() => gaps, { timeout: 30_000 }).toBe(1);
    await channel.send('back');
    await expect.poll(() => heard, { timeout: 30_000 }).toEqual(['back']);
    await channel.close();
  });

  it('queries on a database that hangs fail in time, and the next ones use new connections', async () => {
    await using gate = await openGate(connection.jobs);
    const hanging = await openDatabase({ type: 'postgres', url: gate.url }, { queryTimeoutMs: 300 });
    const runs = [
      () => hanging.check(),
      () => hanging.db.transaction(async (tx) => void (await tx.execute(sql`select 1`))),
    ];
    for (const run of runs) {
      await run();
      gate.hang();
      const error: unknown = await run().catch((thrown: unknown) => thrown);
      expect(describeDatabaseFailure(error)).toEqual({ reason: 'The database does not answer.', isTransient: true });
      await expect(run()).resolves.toBeUndefined();
    }
    await hanging.close();
  });

  it('a page that needs the database is unavailable while PostgreSQL is away, and no cache keeps that', async () => {
    await using gate = await openGate(connection.jobs);
    const node = await startServer(await openDatabase({ type: 'postgres', url: gate.url }), {
      // The prices are only read from the database where there are payments.
      payments: {
        isTest: true,
        readCatalogue: async () => ({ products: [], prices: [] }),
      } as Partial<Payments> as Payments,
      account: { origin: 'https://parley.example' },
      site: { textsDir: null, downloadsDir: null, operatorEmail: 'operator@parley.example' },
    });
    const get = async (url: string) => {
      const { statusCode, headers } = await node.app.inject({ method: 'GET', url, headers: { accept: 'text/html' } });
      return { statusCode, cache: headers['cache-control'] };
    };
    expect((await get('/pricing')).statusCode).toBe(200);
    gate.close();
    expect((await get('/')).statusCode).toBe(200);
    const answers = await Promise.all(['/pricing', '/blog', '/privacy'].map(get));
    expect(answers).toEqual(answers.map(() => ({ statusCode: 503, cache: 'no-store' })));
    gate.open();
    await expect.poll(async () => (await get('/pricing')).statusCode).toBe(200);
    await node.close();
  });

  it(
    'the jobs of a node run although PostgreSQL was away when it started',
    { tags: ['slow'], timeout: 120_000 },
    async () => {
      await using gate = await openGate(connection.jobs);
      gate.close();
      const jobs = { type: 'postgres', url: gate.url } as const;
      const node = await startServer(
        { ...connection, jobs, close: async () => undefined },
        { runsJobs: true, logLevel: 'info' },
      );
      await node.listen();
      await expect.poll(node.log, { timeout: 30_000 }).toContain('job_queue_start_failed');
      gate.open();
      await expect.poll(node.log, { timeout: 60_000 }).toContain('tombstones_purged');
      const before = node.log().length;
      gate.close();
      // Long enough for several polls of each queue.
      await sleep(12_000);
      gate.open();
      const meanwhile = node.log().slice(before);
      await node.close();
      expect(meanwhile.split('database_unavailable')).toHaveLength(2);
      expect(meanwhile).not.toContain('job_queue_failed');
      expect(node.log()).not.toContain('a value that is not an error was thrown');
    },
  );

  it('pushes that are cut off and retried are applied exactly once', { tags: ['slow'] }, async () => {
    const first = await registerDevice(server);
    const ids = await catalogueIds(first);
    const devices = [first, await joinDevice(server, first), await joinDevice(server, first)];
    const rowIds: string[] = [];
    let cutOff = 0;
    const pushUntilTaken = async (device: TestDevice): Promise<void> => {
      for (let turn = 0; turn < 10; turn += 1) {
        const rowId = randomUUID();
        rowIds.push(rowId);
        const fields = sessionFields(ids, device.userId);
        const mutations = [device.change({ table: 'practice_history', rowId, fields })];
        const push = aPushRequest(server, device.deviceId, mutations);
        for (;;) {
          const { status, body } = await server.post('/v1/sync/push', push, device.token);
          if (status === 200) break;
          // A device does not blame the change for it.
          expect(body).toMatchObject({ code: 'sync.offline' });
          cutOff += 1;
        }
      }
    };
    let isPushing = true;
    const cutAgainAndAgain = async (): Promise<void> => {
      while (isPushing) {
        // This may use a connection that the last cut has already closed.
        await cutAll().catch(() => undefined);
        // Long enough for a push to get through between two cuts on a busy machine.
        await sleep(30);
      }
    };
    const cutting = cutAgainAndAgain();
    await Promise.all(devices.map(pushUntilTaken));
    isPushing = false;
    await cutting;
    expect(cutOff).toBeGreaterThan(0);
    const kept = (await first.pull()).filter(({ table }) => table === 'practice_history');
    expect(kept).toHaveLength(rowIds.length);
    expect(new Set(kept.map(({ fields }) => fields['id']))).toEqual(new Set(rowIds));
  });
}
