/** Changing the server of a running app: two real servers, and what is not one. */
import { existsSync, readdirSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LATE_DELIVERY } from '../test-kit/a-catalogue.ts';
import { aMailbox } from '../test-kit/a-mailbox.ts';
import { startServer, type TestServer } from '../test-kit/a-server.ts';
import { type OpenHost, openHost, removeDataFolders } from '../test-kit/open-host.ts';

const mailbox = aMailbox();
let school: TestServer;
let firm: TestServer;
const hosts: OpenHost[] = [];
const others: Server[] = [];
let email = '';
let people = 0;

beforeAll(async () => {
  const options = { enqueueMail: mailbox.enqueueMail, account: { access: 'open' as const } };
  school = await startServer(options);
  firm = await startServer(options);
});
afterAll(async () => {
  await school.close();
  await firm.close();
});
afterEach(async () => {
  school.fail = null;
  for (const { host } of hosts.splice(0)) await host.close();
  for (const other of others.splice(0)) await new Promise((resolve) => void other.close(resolve));
  removeDataFolders();
});

async function open(options: Parameters<typeof openHost>[0] = {}): Promise<OpenHost> {
  people += 1;
  email = `ada${people}@example.com`;
  const opened = await openHost({ clock: { now: () => new Date() }, ...options });
  hosts.push(opened);
  return opened;
}

async function another(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  others.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const practise = async ({ ask }: OpenHost): Promise<string> =>
  (
    await ask.practice.start({
      practiceId: LATE_DELIVERY,
      difficulty: 'easy',
      communicationStyle: 'text',
      coachKind: 'guided',
    })
  ).sessionId;
const sessions = async ({ ask }: OpenHost): Promise<string[]> =>
  (await ask.history.list({ search: '', offset: 0, limit: 50 })).items.map(({ sessionId }) => sessionId).toSorted();
/** Of nobody's account, they have new names behind the server that has seen them. */
const count = async (opened: OpenHost): Promise<number> => (await sessions(opened)).length;

describe('a device without a server', () => {
  it('says so, and what was done there goes to the server that is chosen', async () => {
    const laptop = await open();
    expect(await laptop.ask.server.read()).toEqual({ url: null, from: null });
    expect((await laptop.ask.sync.status()).state).toBe('no_server');
    const sessionId = await practise(laptop);
    expect(await laptop.ask.server.change({ url: school.url })).toEqual({ url: school.url, from: 'setting' });
    expect(await laptop.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0 });
    expect(await laptop.ask.account.state()).toMatchObject({ hasServer: true, isFresh: true });
    expect(await sessions(laptop)).toEqual([sessionId]);
    expect(school.pushed.flat().some(({ rowId }) => rowId === sessionId)).toBe(true);
  });

  it('keeps the choice, and "none" too where the app came with a server', async () => {
    const laptop = await open({ defaultServerUrl: school.url });
    expect(await laptop.ask.server.read()).toEqual({ url: school.url, from: 'build' });
    await laptop.ask.sync.run();
    expect(await laptop.ask.server.change({ url: null })).toEqual({ url: null, from: 'setting' });
    await practise(laptop);
    await laptop.host.close();
    const again = await openHost({ dataDir: laptop.dataDir, defaultServerUrl: school.url });
    hosts[0] = again;
    expect(await again.ask.server.read()).toEqual({ url: null, from: 'setting' });
    expect(await count(again)).toBe(1);
  });
});

describe('an address', () => {
  it('of something else is refused with what is wrong, and nothing changes', async () => {
    const laptop = await open();
    const page = await another((_request, response) => response.end('<h1>It works!</h1>'));
    const broken = await another((_request, response) => response.writeHead(502).end());
    const elsewhere = await another((_request, response) =>
      response.writeHead(302, { location: `${school.url}/v1/server` }).end(),
    );
    const older = await another((_request, response) =>
      response.end(JSON.stringify({ product: 'parley', version: '0.0.1', protocols: { oldest: 1, newest: 1 } })),
    );
    for (const [url, code] of [
      ['not an address', 'server.address_invalid'],
      ['http://parley.example', 'server.not_secure'],
      ['http://127.0.0.1:9', 'server.unreachable'],
      [broken, 'server.unreachable'],
      [page, 'server.not_parley'],
      [elsewhere, 'server.not_parley'],
      [older, 'sync.protocol_too_new'],
    ] as const) {
      await expect(laptop.ask.server.check({ url })).rejects.toMatchObject({ code });
      await expect(laptop.ask.server.change({ url })).rejects.toMatchObject({ code });
    }
    expect(await laptop.ask.server.read()).toEqual({ url: null, from: null });
    expect(existsSync(join(laptop.dataDir, 'server.json'))).toBe(false);
  });

  it('is not to be chosen where the app was started with one', async () => {
    const laptop = await open({ serverUrl: school.url });
    expect(await laptop.ask.server.read()).toEqual({ url: school.url, from: 'environment' });
    await expect(laptop.ask.server.change({ url: firm.url })).rejects.toMatchObject({ code: 'server.fixed' });
  });
});

describe('another server', () => {
  it('is told no secret of the former one', async () => {
    const asked: (string | undefined)[] = [];
    const nosy = await another((request, response) => {
      asked.push(request.headers.authorization);
      response.end('{}');
    });
    const laptop = await open();
    await laptop.ask.server.change({ url: school.url });
    await laptop.ask.sync.run();
    await laptop.ask.server.check({ url: nosy }).catch(() => undefined);
    expect(asked).toEqual([undefined]);
  });

  it('gets what is nobody’s, once', async () => {
    const laptop = await open();
    await laptop.ask.server.change({ url: school.url });
    await practise(laptop);
    await laptop.ask.sync.run();
    await laptop.ask.server.change({ url: firm.url });
    await practise(laptop);
    expect(await laptop.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0, rejected: 0 });
    expect(await count(laptop)).toBe(2);
    // Another computer of the same account has it too.
    await mailbox.signIn(laptop, email);
    const desk = await open();
    await desk.ask.server.change({ url: firm.url });
    await mailbox.signIn(desk, `ada${people - 1}@example.com`);
    expect(await count(desk)).toBe(2);
  });

  it('sees nothing of an account with an address; unsent work waits, and goes out when its owner is back', async () => {
    const laptop = await open();
    await laptop.ask.server.change({ url: school.url });
    const sent = await practise(laptop);
    await mailbox.signIn(laptop, email);
    const ada = email;
    await laptop.ask.settings.updateDevice({ localCoach: { provider: 'ollama', model: 'llama3.3' }, captions: false });
    school.fail = 'internal';
    const unsent = await practise(laptop);
    await laptop.ask.server.change({ url: firm.url });
    school.fail = null;
    await laptop.ask.sync.run();
    expect(await sessions(laptop)).toEqual([]);
    expect((await laptop.ask.account.state()).known?.account.email).toBeNull();
    // Who comes next agrees for themselves to a model on this computer.
    expect((await laptop.ask.settings.read()).device).toMatchObject({ localCoach: null, captions: false });
    expect(readdirSync(join(laptop.dataDir, 'backups'))).toContainEqual(
      expect.stringMatching(/^before-server-change-/),
    );
    expect(firm.pushed.flat().some(({ rowId }) => rowId === unsent || rowId === sent)).toBe(false);
    await laptop.ask.server.change({ url: school.url });
    await mailbox.signIn(laptop, ada);
    expect(await laptop.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0 });
    expect(await sessions(laptop)).toEqual([sent, unsent].toSorted());
    expect(school.pushed.flat().filter(({ rowId }) => rowId === unsent).length).toBeGreaterThan(0);
  });
});
