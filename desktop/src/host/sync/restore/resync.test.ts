import { LinkCode } from '@parley/contract';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createDevices, untilSynced, typeTurns, sessionIdsOf, userIdOf } from '../../test-kit/devices.ts';
import { startServer, type TestServer } from '../../test-kit/test-server.ts';
import type { OpenHost } from '../../test-kit/open-host.ts';
import { inDatabase, readOutbox } from '../../test-kit/read-database.ts';

let server: TestServer;
const devices = createDevices(() => ({ serverUrl: server.url }));
beforeAll(async () => {
  server = await startServer();
});
afterEach(() => devices.closeAll());
afterAll(() => server.close());

const cursorsOf = ({ dataDir }: OpenHost): unknown =>
  inDatabase(dataDir, (sqlite) => sqlite.prepare('SELECT older_cursor, resync FROM sync_state').get());

describe('a device that missed purged deletions', () => {
  it('pulls everything, drops deleted rows and keeps unsent ones', async () => {
    const one = await devices.open();
    const two = await devices.openJoined(one);
    const [gone, kept] = [await typeTurns(one), await typeTurns(one)];
    await one.ask.sync.run();
    await untilSynced(two);
    expect(await sessionIdsOf(two)).toEqual([gone, kept].toSorted());
    await devices.close(two);
    // The other device deletes the session; after half a year, only the purge floor remains of the deletion.
    const user = userIdOf(one);
    await server.execute(sql`delete from ai_conversations where session_id = ${gone}`);
    await server.execute(sql`delete from practice_history where id = ${gone}`);
    await server.execute(
      sql`update sync_scopes set version = version + 1, floor = version + 1 where scope = ${`user:${user}`}`,
    );
    const again = await devices.open({ serverUrl: null, dataDir: two.dataDir });
    const unsent = await typeTurns(again);
    const back = await devices.reopen(again);
    await untilSynced(back);
    expect(await sessionIdsOf(back)).toEqual([kept, unsent].toSorted());
    expect(cursorsOf(back)).toEqual({ older_cursor: null, resync: null });
    await untilSynced(one);
    expect(await sessionIdsOf(one)).toContain(unsent);
  });
});

describe('a restored server', () => {
  it('fetches again the rows that it had confirmed and lost', async () => {
    const one = await devices.open();
    const early = await typeTurns(one);
    await one.ask.sync.run();
    const user = userIdOf(one);
    const scope = `user:${user}`;
    await server.execute(sql`create table version_then as select version from sync_scopes where scope = ${scope}`);
    await server.execute(sql`create table seq_then as select last_seq from devices where user_id = ${user}`);
    const late = await typeTurns(one);
    await one.ask.settings.updateProfile({ firstName: 'Ana' });
    await one.ask.sync.run();
    expect(readOutbox(one.dataDir)).toEqual([]);

    await server.execute(sql`delete from ai_conversations where session_id = ${late}`);
    await server.execute(sql`delete from practice_history where id = ${late}`);
    await server.execute(
      sql`update users set first_name = null, field_clocks = '{}', sync_version = 1 where user_id = ${user}`,
    );
    await server.execute(
      sql`update sync_scopes set version = (select version from version_then) where scope = ${scope}`,
    );
    await server.execute(sql`update devices set last_seq = (select last_seq from seq_then) where user_id = ${user}`);

    await untilSynced(one);
    await untilSynced(one);
    expect(readOutbox(one.dataDir)).toEqual([]);
    expect(await sessionIdsOf(one)).toEqual([early, late].toSorted());
    const two = await devices.openJoined(one);
    expect(await sessionIdsOf(two)).toEqual([early, late].toSorted());
    expect((await two.ask.settings.read()).profile.firstName).toBe('Ana');
  });
});

describe('pokes', () => {
  it('bring another device a change without a manual sync', async () => {
    const one = await devices.open();
    const two = await devices.openJoined(one);
    const sessionId = await typeTurns(one);
    await expect.poll(() => sessionIdsOf(two)).toContain(sessionId);
  });

  it('sign out a revoked device, which keeps its data', async () => {
    const one = await devices.open();
    const two = await devices.openJoined(one);
    const listed = await one.ask.account.devices();
    expect(new Set(listed.map(({ isThis }) => isThis))).toEqual(new Set([false, true]));
    const other = listed.find(({ isThis }) => !isThis);
    expect(other).toBeDefined();
    if (other === undefined) return;
    expect(await one.ask.account.revokeDevice({ deviceId: other.deviceId })).toHaveLength(1);
    const sessionId = await typeTurns(two);
    await expect.poll(async () => (await two.ask.sync.status()).state).toBe('signed_out');
    expect(await sessionIdsOf(two)).toContain(sessionId);
    expect((await two.ask.sync.status()).waiting).toBeGreaterThan(0);

    const { code } = await one.ask.account.createLinkCode();
    expect(await two.ask.account.join({ code: LinkCode.parse(code) })).toMatchObject({ state: 'idle', waiting: 0 });
    await untilSynced(one);
    expect(await sessionIdsOf(one)).toEqual(await sessionIdsOf(two));
  });
});
