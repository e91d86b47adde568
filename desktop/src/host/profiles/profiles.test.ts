/** Two servers and "only on this computer", in one data folder. */
import { createRouterClient, type RouterClient } from '@orpc/server';
import { OLDEST_SYNC_PROTOCOL, ServerInfo, SYNC_PROTOCOL } from '@parley/contract';
import { copyMemoryDatabase, openMemoryDatabase } from '@parley/sync-server/test-kit';
import { sql } from 'drizzle-orm';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { HostRouter } from '../index.ts';
import { aDataFolder, aScriptedScorer, openHost, startPractice } from '../test-kit/open-host.ts';
import { aCatalogue, LATE_DELIVERY } from '../test-kit/test-catalogue.ts';
import { aMailbox } from '../test-kit/test-mailbox.ts';
import { startServer, type TestServer } from '../test-kit/test-server.ts';
import { type AppHost, type AppHostOptions, openAppHost } from './index.ts';

const mailbox = aMailbox();
let school: TestServer;
let company: TestServer;
const open: AppHost[] = [];
const otherServers: Server[] = [];
const servers: TestServer[] = [];

beforeAll(async () => {
  const options = { enqueueMail: mailbox.enqueueMail, account: { access: 'open' as const } };
  school = await startServer(options);
  company = await startServer(options);
});
afterAll(async () => {
  await school.close();
  await company.close();
});
afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
  for (const server of servers.splice(0)) await server.close();
  for (const other of otherServers.splice(0)) await new Promise((resolve) => void other.close(resolve));
});

type Ask = RouterClient<HostRouter>;

async function start(dataDir: string, options: Partial<AppHostOptions> = {}) {
  const app = await openAppHost({
    dataDir,
    serverUrl: null,
    scorer: aScriptedScorer(),
    chance: () => 0.5,
    timeZone: () => 'Europe/Berlin',
    loadCatalogue: aCatalogue,
    ...options,
  });
  open.push(app);
  return {
    app,
    /** Calls a procedure of the profile that is currently open. */
    ask: async (): Promise<Ask> => createRouterClient((await app.host()).router),
    stop: async () => {
      open.splice(open.indexOf(app), 1);
      await app.close();
    },
  };
}
type Installation = Awaited<ReturnType<typeof start>>;

async function practise({ ask }: Installation): Promise<string> {
  const request = {
    practiceId: LATE_DELIVERY,
    difficulty: 'easy',
    communicationStyle: 'text',
    coachKind: 'guided',
  } as const;
  return (await (await ask()).practice.start(request)).sessionId;
}
const sessionIds = async ({ ask }: Installation): Promise<string[]> =>
  (await (await ask()).history.list({ search: '', offset: 0, limit: 50 })).items.map(({ sessionId }) => sessionId);
/** Waits until the other profile is open. */
async function change(installation: Installation, request: Parameters<Ask['server']['change']>[0]) {
  const changed = await (await installation.ask()).server.change(request);
  await new Promise((resolve) => setImmediate(resolve));
  return changed;
}

describe('a new installation', () => {
  it("sends nothing to the build's server before the first choice", async () => {
    const laptop = await start(aDataFolder(), { defaultServerUrl: school.url });
    const ask = await laptop.ask();
    expect(await ask.server.read()).toMatchObject({ url: null, mustChoose: true, suggestedUrl: school.url });
    expect((await ask.sync.run()).state).toBe('no_server');
  });

  it('follows the server of its build to another address, once it was chosen', async () => {
    const dataDir = aDataFolder();
    const laptop = await start(dataDir, { defaultServerUrl: school.url });
    await change(laptop, { url: school.url });
    await laptop.stop();
    const again = await start(dataDir, { defaultServerUrl: company.url });
    expect(await (await again.ask()).server.read()).toMatchObject({
      url: company.url,
      from: 'build',
      mustChoose: false,
    });
  });

  it('remembers "only on this computer"', async () => {
    const dataDir = aDataFolder();
    const laptop = await start(dataDir, { defaultServerUrl: school.url });
    expect(await change(laptop, { url: null })).toMatchObject({ isReopening: false, mustChoose: false });
    await laptop.stop();
    const again = await start(dataDir, { defaultServerUrl: school.url });
    expect(await (await again.ask()).server.read()).toMatchObject({ url: null, mustChoose: false });
  });
});

describe('an installation from before profiles', () => {
  it('keeps its work and its server, and is not asked', async () => {
    const dataDir = aDataFolder();
    const before = await openHost({ dataDir, clock: { now: () => new Date() } });
    await before.ask.server.change({ url: school.url });
    const { sessionId } = await startPractice(before.ask, 'text');
    await before.host.close();
    const laptop = await start(dataDir);
    expect(await (await laptop.ask()).server.read()).toMatchObject({
      url: school.url,
      mustChoose: false,
      otherUrls: [],
    });
    expect(await sessionIds(laptop)).toEqual([sessionId]);
  });
});

describe('two servers on one computer', () => {
  it('have work, accounts and unsent changes of their own', async () => {
    const laptop = await start(aDataFolder());
    await change(laptop, { url: school.url });
    const atSchool = await practise(laptop);
    await mailbox.signIn({ ask: await laptop.ask() }, 'ada@school.example');
    await (await laptop.ask()).sync.run();
    school.fail = 'internal';
    const unsent = await practise(laptop);

    expect(await change(laptop, { url: company.url })).toMatchObject({ isReopening: true });
    school.fail = null;
    expect(await sessionIds(laptop)).toEqual([]);
    const atCompany = await practise(laptop);
    await (await laptop.ask()).sync.run();
    expect(await (await laptop.ask()).server.read()).toMatchObject({ url: company.url, otherUrls: [school.url] });
    expect(company.pushed.flat().map(({ rowId }) => rowId)).not.toContain(atSchool);
    expect(school.pushed.flat().map(({ rowId }) => rowId)).not.toContain(atCompany);

    await change(laptop, { url: school.url });
    // No sign-in is needed, because the profile still has its token.
    const ask = await laptop.ask();
    expect((await ask.account.state()).known?.account.email).toBe('ada@school.example');
    expect(await ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0 });
    expect((await sessionIds(laptop)).toSorted()).toEqual([atSchool, unsent].toSorted());
    expect(school.pushed.flat().map(({ rowId }) => rowId)).toContain(unsent);
  });

  it('are distinguished by their ids, even at one address', async () => {
    const dataDir = aDataFolder();
    const laptop = await start(dataDir);
    await change(laptop, { url: school.url });
    await practise(laptop);
    // Another server took over the address: it states an id other than the stored one.
    writeFileSync(
      join(dataDir, 'server.json'),
      JSON.stringify({ url: school.url, serverId: '018f0000-0000-7000-8000-000000000000' }),
    );
    const ask = await laptop.ask();
    expect(await ask.server.check({ url: school.url })).toMatchObject({ relation: 'new' });
    expect(await change(laptop, { url: school.url })).toMatchObject({ isReopening: true });
    expect(await sessionIds(laptop)).toEqual([]);
  });
});

/** A server that states these ids in turn, and then keeps to the last one. */
async function aServerStating(ids: string[]) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const id = ids.length > 1 ? ids.shift() : ids[0];
    const protocols = { oldest: OLDEST_SYNC_PROTOCOL, newest: SYNC_PROTOCOL };
    response.end(JSON.stringify({ product: 'parley', id, version: null, protocols }));
  });
  otherServers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}
const idOf = async (server: TestServer): Promise<string> =>
  ServerInfo.parse(await (await fetch(`${server.url}/v1/server`)).json()).id ?? '';

describe('a server that changes its answer after the learner agreed', () => {
  it.each(['moved', 'another new one'])('gets nothing, and is asked about again: %s', async (answer) => {
    const laptop = await start(aDataFolder());
    await change(laptop, { url: school.url });
    const atSchool = await practise(laptop);
    const ask = await laptop.ask();
    const secondId = answer === 'moved' ? await idOf(school) : crypto.randomUUID();
    const liar = await aServerStating([crypto.randomUUID(), secondId]);
    const { url, relation, serverId } = await ask.server.check({ url: liar.url });
    expect(relation).toBe('new');
    for (const confirmed of [
      { relation, serverId },
      { relation: 'moved' as const, serverId },
    ])
      await expect(change(laptop, { url, confirmed })).rejects.toMatchObject({ code: 'server.answer_changed' });
    expect(await ask.server.read()).toMatchObject({ url: school.url, otherUrls: [] });
    expect(await sessionIds(laptop)).toEqual([atSchool]);
    await ask.sync.run();
    expect(new Set(liar.requests)).toEqual(new Set(['/v1/server']));
  });

  it('does not move the open profile without asking', async () => {
    const laptop = await start(aDataFolder());
    await change(laptop, { url: school.url });
    const liar = await aServerStating([await idOf(school)]);
    await expect(change(laptop, { url: liar.url })).rejects.toMatchObject({ code: 'server.answer_changed' });
  });
});

it('a server that moved keeps its work once the learner has agreed', async () => {
  const laptop = await start(aDataFolder());
  await change(laptop, { url: school.url });
  await practise(laptop);
  const moved = await aServerStating([await idOf(school)]);
  const { url, relation, serverId } = await (await laptop.ask()).server.check({ url: moved.url });
  expect(relation).toBe('moved');
  expect(await change(laptop, { url, confirmed: { relation, serverId } })).toMatchObject({ url, isReopening: false });
  expect(await sessionIds(laptop)).toHaveLength(1);
});

describe('a server that moved to another address with an older copy of its data', () => {
  /** Returns the newest session of a learner who practised after the school had copied its server, and the copy. */
  async function practiseAfterCopy(laptop: Installation, email: string) {
    const database = await openMemoryDatabase();
    const options = { enqueueMail: mailbox.enqueueMail, account: { access: 'open' as const } };
    const former = await startServer({ ...options, database });
    servers.push(former);
    await change(laptop, { url: former.url });
    await mailbox.signIn({ ask: await laptop.ask() }, email);
    const before = await practise(laptop);
    await (await laptop.ask()).sync.run();
    const moved = await startServer({ ...options, database: await copyMemoryDatabase(database) });
    servers.push(moved);
    const after = await practise(laptop);
    const ask = await laptop.ask();
    await expect.poll(() => ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0 });
    return { moved, former, sessions: [before, after].toSorted() };
  }

  async function follow(laptop: Installation, { url }: TestServer) {
    const { relation, serverId } = await (await laptop.ask()).server.check({ url });
    expect(relation).toBe('moved');
    expect(await change(laptop, { url, confirmed: { relation, serverId } })).toMatchObject({ isReopening: false });
  }
  const keptBy = async (server: TestServer): Promise<unknown[]> =>
    (await server.read(sql`select id from practice_history where deleted_at is null order by id`)).map(({ id }) => id);

  it('gets back practices done since then, once the learner has signed in there', async () => {
    const laptop = await start(aDataFolder());
    const { moved, former, sessions } = await practiseAfterCopy(laptop, 'ana@moved.example');
    await former.close();
    servers.splice(servers.indexOf(former), 1);
    await follow(laptop, moved);
    const ask = await laptop.ask();
    expect(await ask.sync.run()).toMatchObject({ state: 'signed_out' });
    expect((await sessionIds(laptop)).toSorted()).toEqual(sessions);
    await mailbox.signIn({ ask }, 'ana@moved.example');
    expect(await ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0, rejected: 0 });
    expect((await sessionIds(laptop)).toSorted()).toEqual(sessions);
    expect(await keptBy(moved)).toEqual(sessions);
  });

  it('gets it back after another learner has used the computer', async () => {
    const laptop = await start(aDataFolder());
    const { moved, sessions } = await practiseAfterCopy(laptop, 'ana@shared.example');
    await follow(laptop, moved);
    const ask = await laptop.ask();
    await mailbox.signIn({ ask }, 'ben@shared.example');
    expect(await sessionIds(laptop)).toEqual([]);
    await mailbox.signIn({ ask }, 'ana@shared.example');
    expect(await ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0, rejected: 0 });
    expect((await sessionIds(laptop)).toSorted()).toEqual(sessions);
    expect(await keptBy(moved)).toEqual(sessions);
  });

  it('gets back nothing that was deleted there in the meantime', async () => {
    const [laptop, desk] = [await start(aDataFolder()), await start(aDataFolder())];
    const { moved, sessions } = await practiseAfterCopy(laptop, 'ana@deleted.example');
    await change(desk, { url: moved.url });
    await mailbox.signIn({ ask: await desk.ask() }, 'ana@deleted.example');
    const [copied = ''] = await sessionIds(desk);
    await (await desk.ask()).practice.discard({ sessionId: copied });
    await (await desk.ask()).sync.run();
    await follow(laptop, moved);
    await mailbox.signIn({ ask: await laptop.ask() }, 'ana@deleted.example');
    await (await laptop.ask()).sync.run();
    const left = sessions.filter((id) => id !== copied);
    expect(await sessionIds(laptop)).toEqual(left);
    expect(await keptBy(moved)).toEqual(left);
  });
});

describe('work that was done only on this computer', () => {
  it('stays there unless the learner brings it along', async () => {
    const laptop = await start(aDataFolder());
    await change(laptop, { url: null });
    const local = await practise(laptop);
    expect(await change(laptop, { url: school.url })).toMatchObject({ isReopening: true });
    await (await laptop.ask()).sync.run();
    expect(await sessionIds(laptop)).toEqual([]);
    expect(school.pushed.flat().map(({ rowId }) => rowId)).not.toContain(local);
    await change(laptop, { url: null });
    expect(await sessionIds(laptop)).toEqual([local]);
  });

  it('goes to the server when the learner brings it along', async () => {
    const laptop = await start(aDataFolder());
    await change(laptop, { url: null });
    const local = await practise(laptop);
    expect(await change(laptop, { url: school.url, migratesData: true })).toMatchObject({ isReopening: false });
    await (await laptop.ask()).sync.run();
    expect(await sessionIds(laptop)).toEqual([local]);
    expect(school.pushed.flat().map(({ rowId }) => rowId)).toContain(local);
    await change(laptop, { url: null });
    expect(await sessionIds(laptop)).toEqual([]);
  });
});

describe('a server that the environment names', () => {
  it('gets no work of another server', async () => {
    const dataDir = aDataFolder();
    const laptop = await start(dataDir);
    await change(laptop, { url: null });
    await practise(laptop);
    await laptop.stop();
    const elsewhere = await start(dataDir, { serverUrl: 'https://parley.invalid' });
    expect(await sessionIds(elsewhere)).toEqual([]);
    expect(await (await elsewhere.ask()).server.read()).toMatchObject({ from: 'environment', otherUrls: [null] });
  });
});

describe('the folder of an installation', () => {
  it('is used by one program at a time, whichever profile is open', async () => {
    const dataDir = aDataFolder();
    const laptop = await start(dataDir);
    await change(laptop, { url: school.url });
    await practise(laptop);
    await change(laptop, { url: company.url });
    await (await laptop.ask()).server.read();
    await expect(openAppHost({ dataDir, serverUrl: null })).rejects.toMatchObject({ code: 'host.already_running' });
  });

  it.each([
    ['storage.full', 'ENOSPC'],
    ['storage.full', 'SQLITE_FULL'],
    ['storage.unreadable', 'EROFS'],
    ['storage.unreadable', 'SQLITE_READONLY_DBMOVED'],
  ])('says %s when starting fails with %s', async (failure, code) => {
    const cause = Object.assign(new Error('the disk'), { code });
    const opening = start(aDataFolder(), { loadCatalogue: () => Promise.reject(cause) });
    await expect(opening).rejects.toMatchObject({ name: 'HostStartError', code: failure, cause });
  });

  it('says storage.unreadable when the drive that should contain it does not exist', async () => {
    const cause = Object.assign(new Error('no such drive'), { code: 'ENOENT', syscall: 'mkdir' });
    const opening = start(aDataFolder(), { loadCatalogue: () => Promise.reject(cause) });
    await expect(opening).rejects.toMatchObject({ name: 'HostStartError', code: 'storage.unreadable', cause });
  });

  it('says storage.unreadable when its database cannot be opened', async () => {
    const dataDir = aDataFolder();
    mkdirSync(join(dataDir, 'instance.lock'), { recursive: true });
    await expect(start(dataDir)).rejects.toMatchObject({ name: 'HostStartError', code: 'storage.unreadable' });
  });

  it('passes on an error that does not come from the disk', async () => {
    const bug = new TypeError('a bug');
    await expect(start(aDataFolder(), { loadCatalogue: () => Promise.reject(bug) })).rejects.toBe(bug);
  });

  it('opens its first profile when the registry or a named folder is unusable', async () => {
    const dataDir = aDataFolder();
    const laptop = await start(dataDir);
    await change(laptop, { url: null });
    const local = await practise(laptop);
    await laptop.stop();
    for (const registry of ['{"current":"7","hasChosen":true}', '{"current":"../../etc"}', 'not JSON']) {
      writeFileSync(join(dataDir, 'profiles.json'), registry);
      const again = await start(dataDir);
      expect(await sessionIds(again)).toEqual([local]);
      await again.stop();
    }
    expect(readFileSync(join(dataDir, 'profiles.json.unreadable'), 'utf8')).toBe('not JSON');
  });
});
