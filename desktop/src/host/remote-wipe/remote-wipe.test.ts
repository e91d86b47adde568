/** Two installations of one learner: one deletes the account's data on the other. */
import { createRouterClient, type RouterClient } from '@orpc/server';
import Database from 'better-sqlite3';
import { sql } from 'drizzle-orm';
import { DeviceId, LearnerId } from '@parley/domain';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HostRouter } from '../index.ts';
import { type AppHost, openAppHost } from '../profiles/index.ts';
import { ACCOUNT_FILES } from '../store/index.ts';
import { holdFiles, releaseFiles } from '../test-kit/held-files.ts';
import { aClock, aDataFolder, aScriptedScorer, startPractice, voiceLikePcm } from '../test-kit/open-host.ts';
import { aCatalogue } from '../test-kit/test-catalogue.ts';
import { aMailbox } from '../test-kit/test-mailbox.ts';
import { startServer, type TestServer } from '../test-kit/test-server.ts';
import { type WipeOrder, writeWipeOrder } from './wipe-files.ts';

type Ask = RouterClient<HostRouter>;

const clock = aClock();
const mailbox = aMailbox();
let server: TestServer;
let emails = 0;
let email: string;
const open: AppHost[] = [];

beforeAll(async () => {
  server = await startServer({ now: clock.now, account: { access: 'open' }, enqueueMail: mailbox.enqueueMail });
});
beforeEach(() => {
  server.fail = null;
  server.failOn = null;
  email = `lost${(emails += 1)}@example.com`;
});
afterEach(async () => {
  releaseFiles();
  for (const app of open.splice(0)) await app.close();
});
afterAll(() => server.close());

async function start(dataDir = aDataFolder()) {
  const app = await openAppHost({
    dataDir,
    serverUrl: server.url,
    scorer: aScriptedScorer(),
    chance: () => 0.5,
    clock,
    timeZone: () => 'Europe/Berlin',
    loadCatalogue: aCatalogue,
  });
  open.push(app);
  return {
    dataDir,
    /** Calls the host that is open at this moment; a deletion opens another one. */
    ask: async (): Promise<Ask> => createRouterClient((await app.host()).router),
    whenIdle: async () => (await app.host()).whenIdle(),
    stop: async () => {
      open.splice(open.indexOf(app), 1);
      await app.close();
    },
  };
}
type Installation = Awaited<ReturnType<typeof start>>;

async function signIn(installation: Installation, address = email): Promise<Ask> {
  const ask = await installation.ask();
  await mailbox.signIn({ ask }, address);
  await ask.sync.run();
  await installation.whenIdle();
  return ask;
}

async function recordDrill(ask: Ask): Promise<void> {
  const { turnId } = await ask.drill.begin({ text: 'strengths', other: null });
  await ask.drill.appendAudio({ turnId, seq: 0, pcm: new Blob([voiceLikePcm(200)]) });
  await ask.drill.finish({ turnId });
}

const idOfThis = async (ask: Ask): Promise<string> =>
  (await ask.account.devices()).find(({ isThis }) => isThis)?.deviceId ?? '';

async function wipe(from: Ask, lost: Ask): Promise<void> {
  await from.account.wipeDevice({ deviceId: await idOfThis(lost) });
}

/** Resolves when the deletion is complete and the profile is open again. */
async function untilWiped(lost: Installation): Promise<Ask> {
  await vi.waitFor(async () => expect((await (await lost.ask()).app.about()).wipedAt).not.toBeNull(), 20_000);
  await lost.whenIdle();
  return lost.ask();
}

const contents = (dataDir: string): string =>
  readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('logs'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('');

function inDatabase<Value>(dataDir: string, work: (database: Database.Database) => Value): Value {
  const database = new Database(join(dataDir, 'parley.sqlite'));
  try {
    return work(database);
  } finally {
    database.close();
  }
}

const changeKey = (dataDir: string): void =>
  inDatabase(dataDir, (database) => void database.prepare('UPDATE sync_state SET wipe_key = ?').run('B'.repeat(43)));

/** As the host does before it deletes anything. */
function acceptOrder(dataDir: string): void {
  const order = inDatabase(dataDir, (database) =>
    database.prepare('SELECT user_id AS userId, device_id AS deviceId, wipe_key AS key FROM sync_state').get(),
  );
  writeWipeOrder(dataDir, { ...(order as Omit<WipeOrder, 'serverUrl'>), serverUrl: server.url });
}

const SECRET_TEXT = 'My salary is a secret to everybody';

/** Changes the manifest's checksum in the archive's directory, where the name follows it after 30 bytes. */
function withDamagedManifest(archive: Buffer): Buffer {
  const at = archive.lastIndexOf('data/export.json') - 30;
  archive.writeUInt32LE((archive.readUInt32LE(at) ^ 1) >>> 0, at);
  return archive;
}

/** A laptop with everything that an account can leave on a computer. */
async function aLostLaptop(): Promise<Installation> {
  const lost = await start();
  const ask = await signIn(lost);
  const { sessionId } = await startPractice(ask, 'text');
  await ask.practice.sendTyped({ sessionId, text: SECRET_TEXT, hintLevel: 0 });
  await recordDrill(ask);
  await ask.account.exportAll();
  for (const folder of ['damaged', 'imports', 'videos']) {
    mkdirSync(join(lost.dataDir, folder), { recursive: true });
    writeFileSync(join(lost.dataDir, folder, 'file'), SECRET_TEXT);
  }
  await lost.whenIdle();
  return lost;
}

describe('deleting the data of a lost computer', () => {
  it('deletes everything there and nothing on the other computer, and says so on both', async () => {
    const lost = await aLostLaptop();
    const home = await start();
    const homeAsk = await signIn(home);
    const lostId = await idOfThis(await lost.ask());
    expect(await homeAsk.account.deviceWipes()).toMatchObject({ wipes: [] });
    expect((await homeAsk.account.deviceWipes())?.wipeable).toContain(lostId);
    expect(contents(lost.dataDir)).toContain(SECRET_TEXT);

    await wipe(homeAsk, await lost.ask());
    const ask = await untilWiped(lost);
    expect((await ask.history.list({ search: '', offset: 0, limit: 10 })).items).toEqual([]);
    expect(await ask.drill.attempts({ text: 'strengths' })).toEqual([]);
    expect((await ask.account.state()).known?.account.email ?? null).toBeNull();
    const left = contents(lost.dataDir);
    expect(left).not.toContain(SECRET_TEXT);
    expect(left).not.toContain(email);
    expect(readdirSync(join(lost.dataDir, 'recordings'))).toEqual([]);

    const [wiped] = (await homeAsk.account.deviceWipes())?.wipes ?? [];
    expect(wiped).toMatchObject({ deviceId: lostId, wipedAt: clock.now().toISOString() });
    await ask.app.dismissWipeNotice();
    expect((await ask.app.about()).wipedAt).toBeNull();
    expect((await homeAsk.history.list({ search: '', offset: 0, limit: 10 })).items).toHaveLength(1);
  });

  it('happens when a computer that was off next connects', async () => {
    const lost = await aLostLaptop();
    const homeAsk = await signIn(await start());
    const deviceId = (await idOfThis(await lost.ask())) as never;
    await lost.stop();
    const { wipes } = await homeAsk.account.wipeDevice({ deviceId });
    expect(wipes).toMatchObject([{ deviceId, wipedAt: null }]);
    const again = await start(lost.dataDir);
    await untilWiped(again);
    expect(contents(lost.dataDir)).not.toContain(SECRET_TEXT);
  });

  it.each(['device-token.sealed', 'parley.sqlite', 'recordings', 'imports'] as const)(
    'continues at the next start after a crash before %s was deleted',
    async (name) => {
      const lost = await aLostLaptop();
      const homeAsk = await signIn(await start());
      const deviceId = (await idOfThis(await lost.ask())) as never;
      await lost.stop();
      await homeAsk.account.wipeDevice({ deviceId });
      acceptOrder(lost.dataDir);
      for (const file of ACCOUNT_FILES.slice(0, ACCOUNT_FILES.indexOf(name)))
        rmSync(join(lost.dataDir, file), { recursive: true, force: true });
      const again = await start(lost.dataDir);
      await again.whenIdle();
      expect(contents(lost.dataDir)).not.toContain(SECRET_TEXT);
      expect((await homeAsk.account.deviceWipes())?.wipes).toMatchObject([{ deviceId, wipedAt: expect.any(String) }]);
    },
  );

  it('is reported later if the server cannot be reached at first', async () => {
    const lost = await aLostLaptop();
    const homeAsk = await signIn(await start());
    server.failOn = (path) => (path.endsWith('/report-wiped') ? 'internal' : null);
    await wipe(homeAsk, await lost.ask());
    const ask = await untilWiped(lost);
    await ask.app.dismissWipeNotice();
    expect((await homeAsk.account.deviceWipes())?.wipes).toMatchObject([{ wipedAt: null }]);
    server.failOn = null;
    await lost.stop();
    const again = await start(lost.dataDir);
    await again.whenIdle();
    expect((await homeAsk.account.deviceWipes())?.wipes).toMatchObject([{ wipedAt: expect.any(String) }]);
    expect(existsSync(join(lost.dataDir, 'wiped.json'))).toBe(false);
  });

  it('does not happen without the key that the device gave its server', async () => {
    const lost = await aLostLaptop();
    const homeAsk = await signIn(await start());
    const deviceId = (await idOfThis(await lost.ask())) as never;
    await lost.stop();
    changeKey(lost.dataDir);
    await homeAsk.account.wipeDevice({ deviceId });
    const again = await start(lost.dataDir);
    const ask = await again.ask();
    await ask.sync.run();
    await again.whenIdle();
    expect((await ask.app.about()).wipedAt).toBeNull();
    expect((await ask.history.list({ search: '', offset: 0, limit: 10 })).items).toHaveLength(1);
    expect((await ask.account.state()).isSignedOut).toBe(true);
  });

  it('deletes an order that is older than the sign-in of this computer', async () => {
    const lost = await aLostLaptop();
    const homeAsk = await signIn(await start());
    const deviceId = (await idOfThis(await lost.ask())) as never;
    await lost.stop();
    acceptOrder(lost.dataDir);
    // An older app ignores the order, so it allows a sign-in before this version is started again.
    inDatabase(lost.dataDir, (database) =>
      database.prepare('UPDATE sync_state SET device_id = ?').run('0199dddd-0000-7000-8000-000000000001'),
    );
    rmSync(join(lost.dataDir, 'device-token.json'), { force: true });
    const again = await start(lost.dataDir);
    const ask = await again.ask();
    expect((await ask.history.list({ search: '', offset: 0, limit: 10 })).items).toHaveLength(1);
    expect((await ask.app.about()).wipedAt).toBeNull();
    expect(existsSync(join(lost.dataDir, 'wiping.json'))).toBe(false);
    expect((await homeAsk.account.devices()).map((device) => device.deviceId)).toContain(deviceId);
  });

  it('deletes a shared database whole when damage prevents deleting one account', async () => {
    const lost = await aLostLaptop();
    await lost.stop();
    acceptOrder(lost.dataDir);
    const at = inDatabase(lost.dataDir, (database) => {
      database.prepare('UPDATE drill_attempts SET user_id = ?').run(crypto.randomUUID());
      const page = database.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'word_cards'").pluck().get();
      return (Number(page) - 1) * Number(database.pragma('page_size', { simple: true }));
    });
    const file = join(lost.dataDir, 'parley.sqlite');
    writeFileSync(file, readFileSync(file).fill(0xff, at, at + 512));
    const again = await start(lost.dataDir);
    await again.whenIdle();
    expect((await (await again.ask()).app.about()).wipedAt).not.toBeNull();
    expect(contents(lost.dataDir)).not.toContain(SECRET_TEXT);
  });

  it('does not keep the learner out of another profile while it fails', async () => {
    const installation = await start();
    await installation.stop();
    const other = join(installation.dataDir, 'profiles', '7');
    // A database that cannot be opened, as while another program holds it on Windows.
    mkdirSync(join(other, 'parley.sqlite'), { recursive: true });
    writeWipeOrder(other, {
      userId: LearnerId.parse(crypto.randomUUID()),
      deviceId: DeviceId.parse(crypto.randomUUID()),
      key: 'A'.repeat(43),
      serverUrl: server.url,
    });
    await (await start(installation.dataDir)).ask();
    expect(existsSync(join(other, 'wiping.json'))).toBe(true);
  });

  it('prevents the start while another program holds a file, and continues at the next one', async () => {
    const lost = await aLostLaptop();
    await lost.stop();
    acceptOrder(lost.dataDir);
    holdFiles({ times: 1, isHeld: (file) => file.endsWith('parley.sqlite') });
    await expect(start(lost.dataDir)).rejects.toMatchObject({ code: 'storage.unreadable' });
    releaseFiles();
    expect(contents(lost.dataDir)).toContain(SECRET_TEXT);
    const again = await start(lost.dataDir);
    expect((await (await again.ask()).app.about()).wipedAt).not.toBeNull();
    expect(contents(lost.dataDir)).not.toContain(SECRET_TEXT);
  });

  it('is attempted again when the order cannot be stored', async () => {
    const lost = await aLostLaptop();
    const homeAsk = await signIn(await start());
    const obstacle = join(lost.dataDir, 'wiping.json.new');
    mkdirSync(obstacle);
    await wipe(homeAsk, await lost.ask());
    expect((await (await lost.ask()).sync.run()).state).toBe('signed_out');
    rmSync(obstacle, { recursive: true });
    await untilWiped(lost);
    expect(contents(lost.dataDir)).not.toContain(SECRET_TEXT);
  });

  it('can be ordered again after the server was restored from a backup without the key', async () => {
    const lost = await aLostLaptop();
    const homeAsk = await signIn(await start());
    const deviceId = await idOfThis(await lost.ask());
    await server.execute(sql`update devices set wipe_key = null where device_id = ${deviceId}`);
    await server.execute(sql`update server_state set epoch = ${crypto.randomUUID()}`);
    const lostAsk = await lost.ask();
    await vi.waitFor(async () => {
      await lostAsk.sync.run();
      expect((await homeAsk.account.deviceWipes())?.wipeable).toContain(deviceId);
    }, 10_000);
  });

  it('does not follow from merely signing the computer out', async () => {
    const lost = await aLostLaptop();
    const homeAsk = await signIn(await start());
    await homeAsk.account.revokeDevice({ deviceId: await idOfThis(await lost.ask()) });
    const ask = await lost.ask();
    expect((await ask.sync.run()).state).toBe('signed_out');
    expect((await ask.history.list({ search: '', offset: 0, limit: 10 })).items).toHaveLength(1);
  });

  it("keeps another account's work that waits on the same computer", async () => {
    const shared = await start();
    const other = `other${emails}@example.com`;
    const otherAsk = await signIn(shared, other);
    await recordDrill(otherAsk);
    server.fail = 'sync.offline';
    const { sessionId } = await startPractice(otherAsk, 'text');
    await otherAsk.practice.sendTyped({ sessionId, text: 'Written offline by another learner', hintLevel: 0 });
    server.failOn = (path) => (path.startsWith('/v1/sync/') ? 'sync.offline' : null);
    server.fail = null;
    const { file } = await otherAsk.account.exportAll();
    const damaged = join(dirname(file), 'damaged.zip');
    writeFileSync(damaged, withDamagedManifest(readFileSync(file)));
    mkdirSync(join(dirname(file), 'folder'));
    const ask = await signIn(shared);
    server.failOn = null;
    const mine = await startPractice(ask, 'text');
    await ask.practice.sendTyped({ sessionId: mine.sessionId, text: SECRET_TEXT, hintLevel: 0 });
    await recordDrill(ask);
    await ask.sync.run();
    await shared.whenIdle();
    expect(contents(shared.dataDir)).toContain(SECRET_TEXT);

    const homeAsk = await signIn(await start());
    await wipe(homeAsk, ask);
    await untilWiped(shared);
    expect(contents(shared.dataDir)).not.toContain(SECRET_TEXT);
    expect(contents(shared.dataDir)).not.toContain(email);
    expect(readdirSync(dirname(file))).toEqual([basename(file)]);
    const back = await signIn(shared, other);
    expect((await back.history.list({ search: '', offset: 0, limit: 10 })).items).toMatchObject([{ sessionId }]);
    expect(await back.drill.attempts({ text: 'strengths' })).toHaveLength(1);
  });
});
