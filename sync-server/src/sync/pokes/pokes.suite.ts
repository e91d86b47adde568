import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LearnerId } from '@parley/domain';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { devices, syncScopes } from '../../db/tables.ts';
import { setUpSyncFixture } from '../../../test-kit/sync/sync-fixture.ts';
import {
  type CatalogueIds,
  catalogueIds,
  pushSession,
  sessionFields,
  setSummary,
} from '../../../test-kit/sync/rows.ts';
import { joinDevice, registerDevice, startServer, type TestDevice, type TestServer } from '../../../test-kit/server.ts';
import { CATALOGUE_SCOPE } from '../stream/stream.ts';
import { createPokeHub, type PokeHub, type PushedRows } from './poke-hub.ts';
import { listenForPokes } from '../../../test-kit/sync/poke-listener.ts';

/** Longer than a poke takes to arrive, and short enough to wait for in a test. */
const SILENCE_MS = 300;

export function pokesSuite(open: () => Promise<DatabaseConnection>): void {
  const home = setUpSyncFixture(open);
  let address: string;
  beforeAll(async () => {
    address = await home.server.listen();
  });

  it('sends the current versions at once', async () => {
    const { server, laptop, phone, ids } = home;
    const { pushed } = await pushSession(server, laptop, ids);
    const { pages } = await phone.stream();
    const line = await listenForPokes(address, phone);
    const poke = await line.waitForVersions({ user: pushed.userVersion });
    expect(poke).toEqual({ user: pushed.userVersion, catalogue: pages.at(-1)?.next.catalogue });
    line.disconnect();
  });

  it('pokes only the learner’s other devices within a second of a push', async () => {
    const { server, laptop, phone, stranger, ids } = home;
    const lines = await Promise.all([phone, laptop, stranger].map((device) => listenForPokes(address, device)));
    await Promise.all(lines.map((line) => line.waitForVersions({ user: 1 })));
    const heardByStranger = lines[2]?.received.length;
    const { pushed } = await pushSession(server, laptop, ids);
    await Promise.all(lines.slice(0, 2).map((line) => line.waitForVersions({ user: pushed.userVersion })));
    await sleep(SILENCE_MS);
    expect(lines[2]?.received).toHaveLength(heardByStranger ?? -1);
    for (const line of lines) line.disconnect();
  });

  it('sends nothing for a push that changed nothing', async () => {
    const { server, laptop, phone, ids } = home;
    const { change, pushed } = await pushSession(server, laptop, ids);
    const line = await listenForPokes(address, phone);
    await line.waitForVersions({ user: pushed.userVersion });
    const heard = line.received.length;
    await laptop.push(change);
    await laptop.push();
    await sleep(SILENCE_MS);
    expect(line.received).toHaveLength(heard);
    line.disconnect();
  });

  it('brings the rows of a push to the other devices that want them', async () => {
    const { server, laptop, phone, ids } = home;
    const [wanting, old, own] = await Promise.all([
      listenForPokes(address, phone, { wantsRows: true }),
      listenForPokes(address, phone),
      listenForPokes(address, laptop, { wantsRows: true }),
    ]);
    await Promise.all([wanting, old, own].map((line) => line.waitForVersions({ user: 1 })));
    const before = await phone.stream();
    const seen = before.pages.at(-1)?.next;
    if (seen === undefined) throw new Error('the stream has no page');
    const { pushed } = await pushSession(server, laptop, ids, 'with rows');
    const { rows } = await wanting.waitForVersions({ user: pushed.userVersion });
    const { pages } = await phone.stream({ ...seen, user: pushed.previousVersion });
    expect(pages).toHaveLength(1);
    expect(rows).toEqual({
      epoch: before.epoch,
      userId: laptop.userId,
      previousVersion: pushed.previousVersion,
      tables: pages[0]?.tables,
    });
    expect(JSON.stringify(rows?.tables)).toContain('with rows');
    for (const line of [old, own])
      expect(await line.waitForVersions({ user: pushed.userVersion })).not.toHaveProperty('rows');
    for (const line of [wanting, old, own]) line.disconnect();
  });

  it('brings no rows that are too large for it', async () => {
    const { server, laptop, phone, ids } = home;
    const line = await listenForPokes(address, phone, { wantsRows: true });
    // The first poke states the current versions without rows, so a push before it could be announced without its rows.
    await line.waitForVersions({ user: 1 });
    const { pushed: small } = await pushSession(server, laptop, ids);
    expect(await line.waitForVersions({ user: small.userVersion })).toHaveProperty('rows');
    const changes = Array.from({ length: 60 }, () =>
      laptop.change({
        table: 'practice_history',
        rowId: randomUUID(),
        fields: sessionFields(ids, laptop.userId, 'a long summary '.repeat(100)),
      }),
    );
    const { userVersion } = await laptop.push(...changes);
    expect(await line.waitForVersions({ user: userVersion })).not.toHaveProperty('rows');
    // The limit applies to the size of the rows, not to how much they grow.
    const shorter = await laptop.push(
      ...changes.map(({ rowId }) => setSummary(laptop, rowId, 'a long summary '.repeat(90))),
    );
    expect(await line.waitForVersions({ user: shorter.userVersion })).not.toHaveProperty('rows');
    line.disconnect();
  });

  it('brings no rows to a listener whose device has since been signed out', async () => {
    const { server, laptop, phone, ids } = home;
    const line = await listenForPokes(address, phone, { wantsRows: true });
    await line.waitForVersions({ user: 1 });
    const { db } = server.database;
    const ofPhone = eq(devices.deviceId, phone.deviceId);
    // As if the node that signed it out had died before it could announce that.
    await db.update(devices).set({ revokedAt: server.now() }).where(ofPhone);
    const { pushed } = await pushSession(server, laptop, ids);
    expect(await line.waitForVersions({ user: pushed.userVersion })).not.toHaveProperty('rows');
    await db.update(devices).set({ revokedAt: null }).where(ofPhone);
    line.disconnect();
  });

  /** Listens at a hub without a server, so that a test determines the order of its pokes. */
  const listenAt = (hub: PokeHub, isSignedIn: () => boolean = () => true): ReturnType<PokeHub['listen']> => {
    const { userId, deviceId } = home.phone;
    const device = { userId, deviceId, network: '192.0.2.1', wantsRows: true, isSignedIn: async () => isSignedIn() };
    return hub.listen(device, new AbortController().signal);
  };

  it('never announces a version older than an earlier one, nor brings its rows', async () => {
    const hub = createPokeHub(() => Promise.resolve({ user: 1, catalogue: 1 }));
    const pokes = listenAt(hub);
    const { userId, deviceId } = home.phone;
    const nextPoke = async () => (await pokes.next()).value;
    const pushed = (previousVersion: number): PushedRows => ({
      rows: { epoch: 'an epoch', userId: LearnerId.parse(userId), previousVersion, tables: [] },
      readers: new Set([deviceId]),
    });
    await nextPoke();
    hub.pokeLearner(userId, 5, pushed(4));
    expect(await nextPoke()).toEqual({ user: 5, catalogue: 1, rows: pushed(4).rows });
    // Two pushes were committed in order, but their responses were written in the opposite order.
    hub.pokeLearner(userId, 4, pushed(3));
    expect(await nextPoke()).toEqual({ user: 5, catalogue: 1 });
    hub.pokeCatalogue(2);
    expect(await nextPoke()).toEqual({ user: 5, catalogue: 2 });
    hub.close();
  });

  it('ends when its device was signed out while notices were lost', async () => {
    const hub = createPokeHub(() => Promise.resolve({ user: 1, catalogue: 1 }));
    let isSignedIn = true;
    const pokes = listenAt(hub, () => isSignedIn);
    expect(await pokes.next()).toEqual({ done: false, value: { user: 1, catalogue: 1 } });
    isSignedIn = false;
    hub.refreshAll();
    expect(await pokes.next()).toMatchObject({ done: true });
    expect(hub.listeners()).toBe(0);
  });

  it('ends when its device joins an account again', async () => {
    const { server, laptop } = home;
    const moving = await joinDevice(server, laptop);
    const line = await listenForPokes(address, moving, { wantsRows: true });
    await line.waitForVersions({ user: 1 });
    const { body: link } = await server.post('/v1/devices/link-code', {}, laptop.token);
    const device = { deviceId: moving.deviceId, name: 'A laptop', platform: 'linux', code: link['code'] };
    expect(await server.post('/v1/devices/join', device, moving.token)).toMatchObject({ status: 200 });
    await line.closed;
  });

  it('ends when its device is signed out and continues for the others', async () => {
    const { server, laptop, phone, ids } = home;
    const lost = await joinDevice(server, laptop);
    const [line, other] = await Promise.all([listenForPokes(address, lost), listenForPokes(address, phone)]);
    await line.waitForVersions({ user: 1 });
    expect((await laptop.revoke(lost.deviceId)).status).toBe(200);
    await line.closed;
    const { pushed } = await pushSession(server, laptop, ids);
    await other.waitForVersions({ user: pushed.userVersion });
    expect(line.received.at(-1)?.user).toBeLessThan(pushed.userVersion);
    await expect(listenForPokes(address, lost)).rejects.toThrow('auth.device_revoked');
    other.disconnect();
  });

  it.each([
    ['without a token', ''],
    ['with an invalid token', `00000000-0000-4000-8000-000000000000.${'A'.repeat(43)}`],
  ])('is refused %s', async (_how, token) => {
    await expect(listenForPokes(address, { token })).rejects.toThrow(/401 .*auth\.required/);
  });

  it('does not keep a server from closing', async () => {
    const { server, laptop, phone } = home;
    const closing = await startServer(server.database);
    const at = await closing.listen();
    const lines = await Promise.all([laptop, phone, phone].map((device) => listenForPokes(at, device)));
    await Promise.all(lines.map((line) => line.waitForVersions({ user: 1 })));
    const startMs = performance.now();
    await closing.app.close();
    await Promise.all(lines.map(({ closed }) => closed));
    expect(performance.now() - startMs).toBeLessThan(5_000);
  });
}

/** Tests two servers on one database that poke each other's listeners. */
export function pokesOfTwoServersSuite(openForTwo: () => Promise<[DatabaseConnection, DatabaseConnection]>): void {
  let near: TestServer;
  let far: TestServer;
  let laptop: TestDevice;
  let phone: TestDevice;
  let ids: CatalogueIds;
  let address: string;

  beforeAll(async () => {
    const [first, second] = await openForTwo();
    near = await startServer(first, { withCatalogue: true });
    far = await startServer(second);
    address = await near.listen();
    // The laptop uses the far server, and the phone listens to the near one.
    laptop = await registerDevice(far);
    phone = await joinDevice(far, laptop);
    ids = await catalogueIds(laptop);
  });
  afterAll(async () => {
    await near.close();
    await far.close();
  });

  describe('a listener at one server', () => {
    it('is poked within a second of a push at the other', async () => {
      const line = await listenForPokes(address, phone);
      await line.waitForVersions({ user: 1 });
      const { pushed } = await pushSession(far, laptop, ids);
      await line.waitForVersions({ user: pushed.userVersion });
      line.disconnect();
    });

    it('is poked when another server installs a newer catalogue', async () => {
      const line = await listenForPokes(address, phone);
      await line.waitForVersions({ user: 1 });
      const before = line.received.at(-1)?.catalogue ?? 0;
      await near.database.db
        .update(syncScopes)
        .set({ version: before + 1 })
        .where(eq(syncScopes.scope, CATALOGUE_SCOPE));
      await far.listen();
      await line.waitForVersions({ catalogue: before + 1 });
      line.disconnect();
    });

    it('ends when its device is signed out at the other', async () => {
      const lost = await joinDevice(far, laptop);
      const line = await listenForPokes(address, lost);
      await line.waitForVersions({ user: 1 });
      await laptop.revoke(lost.deviceId);
      await line.closed;
    });

    it('catches up after the connection between the servers was cut', async () => {
      const line = await listenForPokes(address, phone);
      await line.waitForVersions({ user: 1 });
      const cut = await near.database.db.execute(
        sql`select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and query like 'listen %'`,
      );
      expect((cut as { rows: unknown[] }).rows).toHaveLength(2);
      const missed = await pushSession(far, laptop, ids, 'while it was cut');
      await line.waitForVersions({ user: missed.pushed.userVersion }, 5_000);
      const then = await pushSession(far, laptop, ids, 'after it was cut');
      await line.waitForVersions({ user: then.pushed.userVersion });
      line.disconnect();
    });
  });
}
