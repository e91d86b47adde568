import { LinkCode } from '@parley/contract';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LATE_DELIVERY } from '../../test-kit/test-catalogue.ts';
import { startServer, type TestServer } from '../../test-kit/test-server.ts';
import { type OpenHost, openHost, removeDataFolders } from '../../test-kit/open-host.ts';
import { inDatabase, readOutbox } from '../../test-kit/read-database.ts';

let server: TestServer;
let opened: OpenHost[] = [];
beforeAll(async () => {
  server = await startServer();
});
afterEach(async () => {
  await Promise.all(opened.map(({ host }) => host.close()));
  opened = [];
  removeDataFolders();
});
afterAll(() => server.close());

async function online(): Promise<OpenHost> {
  const one = await openHost({ serverUrl: server.url });
  opened.push(one);
  await one.host.whenIdle();
  return one;
}

async function aSession({ ask }: OpenHost): Promise<string> {
  const started = await ask.practice.start({
    practiceId: LATE_DELIVERY,
    difficulty: 'easy',
    communicationStyle: 'text',
  });
  return started.sessionId;
}

async function twoDevices(): Promise<[OpenHost, OpenHost]> {
  const [one, two] = [await online(), await online()];
  const { code } = await one.ask.account.createLinkCode();
  await two.ask.account.join({ code: LinkCode.parse(code) });
  return [one, two];
}

const sessionsOf = async ({ ask }: OpenHost): Promise<string[]> =>
  (await ask.history.list({ search: '', offset: 0, limit: 200 })).items.map((item) => item.sessionId).toSorted();

const userOf = ({ dataDir }: OpenHost): string =>
  inDatabase(dataDir, (sqlite) => sqlite.prepare<[], string>('SELECT user_id FROM sync_state').pluck().get() ?? '');

const cursorsOf = ({ dataDir }: OpenHost): unknown =>
  inDatabase(dataDir, (sqlite) => sqlite.prepare('SELECT older_cursor, resync FROM sync_state').get());

/** Syncs until a round succeeds; the first round after a refusal only starts a resync. */
async function untilSynced({ ask }: OpenHost): Promise<void> {
  await expect.poll(async () => (await ask.sync.run()).state, { timeout: 10_000 }).toBe('idle');
}

describe('a device that missed purged deletions', () => {
  it('pulls everything, drops deleted rows and keeps unsent ones', async () => {
    const [one, two] = await twoDevices();
    const [gone, kept] = [await aSession(one), await aSession(one)];
    await one.ask.sync.run();
    await untilSynced(two);
    expect(await sessionsOf(two)).toEqual([gone, kept].toSorted());
    await two.host.close();
    opened = [one];
    // The other device deletes the session; after half a year only the floor remains of the deletion.
    const user = userOf(one);
    await server.execute(sql`delete from ai_conversations where session_id = ${gone}`);
    await server.execute(sql`delete from practice_history where id = ${gone}`);
    await server.execute(
      sql`update sync_scopes set version = version + 1, floor = version + 1 where scope = ${`user:${user}`}`,
    );
    const again = await openHost({ serverUrl: null, dataDir: two.dataDir });
    const unsent = await aSession(again);
    await again.host.close();
    const back = await openHost({ serverUrl: server.url, dataDir: two.dataDir });
    opened.push(back);
    await untilSynced(back);
    expect(await sessionsOf(back)).toEqual([kept, unsent].toSorted());
    expect(cursorsOf(back)).toEqual({ older_cursor: null, resync: null });
    await untilSynced(one);
    expect(await sessionsOf(one)).toContain(unsent);
  });
});

describe('a restored server', () => {
  it('receives again what it had confirmed and lost', async () => {
    const one = await online();
    const early = await aSession(one);
    await one.ask.sync.run();
    const user = userOf(one);
    const scope = `user:${user}`;
    await server.execute(sql`create table version_then as select version from sync_scopes where scope = ${scope}`);
    await server.execute(sql`create table seq_then as select last_seq from devices where user_id = ${user}`);
    const late = await aSession(one);
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
    expect(await sessionsOf(one)).toEqual([early, late].toSorted());
    const two = await online();
    const { code } = await one.ask.account.createLinkCode();
    await two.ask.account.join({ code: LinkCode.parse(code) });
    expect(await sessionsOf(two)).toEqual([early, late].toSorted());
    expect((await two.ask.settings.read()).profile.firstName).toBe('Ana');
  });
});

describe('pokes', () => {
  it('bring another device a change without a manual sync', async () => {
    const [one, two] = await twoDevices();
    const sessionId = await aSession(one);
    await expect.poll(() => sessionsOf(two)).toContain(sessionId);
  });

  it('sign out a revoked device, which keeps its data', async () => {
    const [one, two] = await twoDevices();
    const listed = await one.ask.account.devices();
    expect(new Set(listed.map(({ isThis }) => isThis))).toEqual(new Set([false, true]));
    const other = listed.find(({ isThis }) => !isThis);
    expect(other).toBeDefined();
    if (other === undefined) return;
    expect(await one.ask.account.revokeDevice({ deviceId: other.deviceId })).toHaveLength(1);
    const sessionId = await aSession(two);
    await expect.poll(async () => (await two.ask.sync.status()).state).toBe('signed_out');
    expect(await sessionsOf(two)).toContain(sessionId);
    expect((await two.ask.sync.status()).waiting).toBeGreaterThan(0);

    const { code } = await one.ask.account.createLinkCode();
    expect(await two.ask.account.join({ code: LinkCode.parse(code) })).toMatchObject({ state: 'idle', waiting: 0 });
    await untilSynced(one);
    expect(await sessionsOf(one)).toEqual(await sessionsOf(two));
  });
});
