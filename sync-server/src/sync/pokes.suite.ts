import { setTimeout as sleep } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { syncScopes } from '../db/tables.ts';
import { setUpHousehold } from '../test-kit/household.ts';
import { type CatalogueIds, catalogueIds, pushSession } from '../test-kit/rows.ts';
import { joinDevice, registerDevice, startServer, type TestDevice, type TestServer } from '../test-kit/server.ts';
import { CATALOGUE_SCOPE } from './stream.ts';
import { listenTo } from '../test-kit/listener.ts';

/** Longer than word takes from a push to the other devices, short enough for a test of silence. */
const SILENCE_MS = 300;

export function pokesSuite(open: () => Promise<DatabaseConnection>): void {
  const home = setUpHousehold(open);
  let address: string;
  beforeAll(async () => {
    address = await home.server.listen();
  });

  it('says at once where the scopes stand', async () => {
    const { server, laptop, phone, ids } = home;
    const { pushed } = await pushSession(server, laptop, ids);
    const { pages } = await phone.stream();
    const line = await listenTo(address, phone);
    const poke = await line.reaches({ user: pushed.userVersion });
    expect(poke).toEqual({ user: pushed.userVersion, catalogue: pages.at(-1)?.next.catalogue });
    line.hangUp();
  });

  it('tells the other devices of the learner of a push within a second, and nobody else', async () => {
    const { server, laptop, phone, stranger, ids } = home;
    const lines = await Promise.all([phone, laptop, stranger].map((device) => listenTo(address, device)));
    await Promise.all(lines.map((line) => line.reaches({ user: 1 })));
    const heardByStranger = lines[2]?.heard.length;
    const { pushed } = await pushSession(server, laptop, ids);
    await Promise.all(lines.slice(0, 2).map((line) => line.reaches({ user: pushed.userVersion })));
    await sleep(SILENCE_MS);
    expect(lines[2]?.heard).toHaveLength(heardByStranger ?? -1);
    for (const line of lines) line.hangUp();
  });

  it('says nothing of a push that changed nothing', async () => {
    const { server, laptop, phone, ids } = home;
    const { change, pushed } = await pushSession(server, laptop, ids);
    const line = await listenTo(address, phone);
    await line.reaches({ user: pushed.userVersion });
    const heard = line.heard.length;
    await laptop.push(change);
    await laptop.push();
    await sleep(SILENCE_MS);
    expect(line.heard).toHaveLength(heard);
    line.hangUp();
  });

  it('ends when the device is signed out, and goes on for the others', async () => {
    const { server, laptop, phone, ids } = home;
    const lost = await joinDevice(server, laptop);
    const [line, other] = await Promise.all([listenTo(address, lost), listenTo(address, phone)]);
    await line.reaches({ user: 1 });
    expect((await laptop.revoke(lost.deviceId)).status).toBe(200);
    await line.ended;
    const { pushed } = await pushSession(server, laptop, ids);
    await other.reaches({ user: pushed.userVersion });
    expect(line.heard.at(-1)?.user).toBeLessThan(pushed.userVersion);
    await expect(listenTo(address, lost)).rejects.toThrow('auth.device_revoked');
    other.hangUp();
  });

  it.each([
    ['without a token', ''],
    ['with a token that is none', `00000000-0000-4000-8000-000000000000.${'A'.repeat(43)}`],
  ])('is not opened %s', async (_how, token) => {
    await expect(listenTo(address, { token })).rejects.toThrow(/401 .*auth\.required/);
  });

  it('does not keep a server from closing', async () => {
    const { server, laptop, phone } = home;
    const closing = await startServer(server.database);
    const at = await closing.listen();
    const lines = await Promise.all([laptop, phone, phone].map((device) => listenTo(at, device)));
    await Promise.all(lines.map((line) => line.reaches({ user: 1 })));
    const startMs = performance.now();
    await closing.app.close();
    await Promise.all(lines.map(({ ended }) => ended));
    expect(performance.now() - startMs).toBeLessThan(2_000);
  });
}

/** Two servers on one database tell each other. */
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
    // The laptop speaks to the far one; the phone listens to the near one.
    laptop = await registerDevice(far);
    phone = await joinDevice(far, laptop);
    ids = await catalogueIds(laptop);
  });
  afterAll(async () => {
    await near.close();
    await far.close();
  });

  describe('a listener at one server', () => {
    it('hears of a push at the other within a second', async () => {
      const line = await listenTo(address, phone);
      await line.reaches({ user: 1 });
      const { pushed } = await pushSession(far, laptop, ids);
      await line.reaches({ user: pushed.userVersion });
      line.hangUp();
    });

    it('hears of the newer catalogue that another one brings when it starts', async () => {
      const line = await listenTo(address, phone);
      await line.reaches({ user: 1 });
      const before = line.heard.at(-1)?.catalogue ?? 0;
      await near.database.db
        .update(syncScopes)
        .set({ version: before + 1 })
        .where(eq(syncScopes.scope, CATALOGUE_SCOPE));
      await far.listen();
      await line.reaches({ catalogue: before + 1 });
      line.hangUp();
    });

    it('is ended by a sign-out at the other', async () => {
      const lost = await joinDevice(far, laptop);
      const line = await listenTo(address, lost);
      await line.reaches({ user: 1 });
      await laptop.revoke(lost.deviceId);
      await line.ended;
    });

    it('hears what it missed when the line between them was cut, and what comes then', async () => {
      const line = await listenTo(address, phone);
      await line.reaches({ user: 1 });
      const cut = await near.database.db.execute(
        sql`select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and query like 'listen %'`,
      );
      expect((cut as { rows: unknown[] }).rows).toHaveLength(2);
      const missed = await pushSession(far, laptop, ids, 'while it was cut');
      await line.reaches({ user: missed.pushed.userVersion }, 5_000);
      const then = await pushSession(far, laptop, ids, 'after it was cut');
      await line.reaches({ user: then.pushed.userVersion });
      line.hangUp();
    });
  });
}
