/** Changes the server of a running app, with two real servers and addresses that are not a server. */
import { existsSync, readdirSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aMailbox } from '../test-kit/test-mailbox.ts';
import { startServer, type TestServer } from '../test-kit/test-server.ts';
import { type OpenHost, openHost, startPractice } from '../test-kit/open-host.ts';

const mailbox = aMailbox();
let firstServer: TestServer;
let secondServer: TestServer;
const hosts: OpenHost[] = [];
const otherServers: Server[] = [];
let email = '';
let learnerCount = 0;

beforeAll(async () => {
  const options = { enqueueMail: mailbox.enqueueMail, account: { access: 'open' as const } };
  firstServer = await startServer(options);
  secondServer = await startServer(options);
});
afterAll(async () => {
  await firstServer.close();
  await secondServer.close();
});
afterEach(async () => {
  firstServer.fail = null;
  for (const { host } of hosts.splice(0)) await host.close();
  for (const other of otherServers.splice(0)) await new Promise((resolve) => void other.close(resolve));
});

async function open(options: Parameters<typeof openHost>[0] = {}): Promise<OpenHost> {
  learnerCount += 1;
  email = `ada${learnerCount}@example.com`;
  const opened = await openHost({ clock: { now: () => new Date() }, ...options });
  hosts.push(opened);
  return opened;
}

async function startOtherServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  otherServers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const startSession = async ({ ask }: OpenHost): Promise<string> => (await startPractice(ask, 'text')).sessionId;
const listSessionIds = async ({ ask }: OpenHost): Promise<string[]> =>
  (await ask.history.list({ search: '', offset: 0, limit: 50 })).items.map(({ sessionId }) => sessionId).toSorted();
/** Counts sessions, because anonymous sessions get new ids on a server that already knew them. */
const countSessions = async (opened: OpenHost): Promise<number> => (await listSessionIds(opened)).length;

describe('a device without a server', () => {
  it('reports it and sends its work to the server chosen later', async () => {
    const laptop = await open();
    expect(await laptop.ask.server.read()).toMatchObject({ url: null, from: null });
    expect((await laptop.ask.sync.status()).state).toBe('no_server');
    const sessionId = await startSession(laptop);
    expect(await laptop.ask.server.change({ url: firstServer.url })).toMatchObject({
      url: firstServer.url,
      from: 'setting',
    });
    expect(await laptop.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0 });
    expect(await laptop.ask.account.state()).toMatchObject({ hasServer: true, isFresh: true });
    expect(await listSessionIds(laptop)).toEqual([sessionId]);
    expect(firstServer.pushed.flat().some(({ rowId }) => rowId === sessionId)).toBe(true);
  });

  it('keeps the choice, including "none" over a built-in server', async () => {
    const laptop = await open({ defaultServerUrl: firstServer.url });
    expect(await laptop.ask.server.read()).toMatchObject({ url: firstServer.url, from: 'build' });
    await laptop.ask.sync.run();
    expect(await laptop.ask.server.change({ url: null })).toMatchObject({ url: null, from: 'setting' });
    await startSession(laptop);
    await laptop.host.close();
    const again = await openHost({ dataDir: laptop.dataDir, defaultServerUrl: firstServer.url });
    hosts[0] = again;
    expect(await again.ask.server.read()).toMatchObject({ url: null, from: 'setting' });
    expect(await countSessions(again)).toBe(1);
  });
});

describe('a server address', () => {
  it('of something else is refused with a reason and changes nothing', async () => {
    const laptop = await open();
    const page = await startOtherServer((_request, response) => response.end('<h1>It works!</h1>'));
    const broken = await startOtherServer((_request, response) => response.writeHead(502).end());
    const elsewhere = await startOtherServer((_request, response) =>
      response.writeHead(302, { location: `${firstServer.url}/v1/server` }).end(),
    );
    const older = await startOtherServer((_request, response) =>
      response.end(JSON.stringify({ product: 'parley', version: '0.0.1', protocols: { oldest: 1, newest: 1 } })),
    );
    for (const [url, code] of [
      ['not an address', 'server.address_invalid'],
      ['http://parley.example', 'server.not_secure'],
      ['http://127.0.0.1:9', 'server.unreachable'],
      [broken, 'server.unreachable'],
      [page, 'server.not_parley'],
      [elsewhere, 'server.redirects'],
      [older, 'sync.protocol_too_new'],
    ] as const) {
      await expect(laptop.ask.server.check({ url })).rejects.toMatchObject({ code });
      await expect(laptop.ask.server.change({ url })).rejects.toMatchObject({ code });
    }
    expect(await laptop.ask.server.read()).toMatchObject({ url: null, from: null });
    expect(existsSync(join(laptop.dataDir, 'server.json'))).toBe(false);
  });

  it('of a server that answers without end is refused without reading all of it', async () => {
    const laptop = await open();
    const piece = Buffer.alloc(65_536, 'x');
    let wasCutOff: () => void;
    const cutOff = new Promise<void>((resolve) => (wasCutOff = resolve));
    const endless = await startOtherServer((_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', more).on('close', () => wasCutOff());
      more();
    });
    await expect(laptop.ask.server.check({ url: endless })).rejects.toMatchObject({ code: 'server.not_parley' });
    await cutOff;
  });

  it('cannot be changed when the environment sets it', async () => {
    const laptop = await open({ serverUrl: firstServer.url });
    expect(await laptop.ask.server.read()).toMatchObject({ url: firstServer.url, from: 'environment' });
    await expect(laptop.ask.server.change({ url: secondServer.url })).rejects.toMatchObject({ code: 'server.fixed' });
  });
});

describe('a new server', () => {
  it('receives no credentials of the former server', async () => {
    const asked: (string | undefined)[] = [];
    const nosy = await startOtherServer((request, response) => {
      asked.push(request.headers.authorization);
      response.end('{}');
    });
    const laptop = await open();
    await laptop.ask.server.change({ url: firstServer.url });
    await laptop.ask.sync.run();
    await laptop.ask.server.check({ url: nosy }).catch(() => undefined);
    expect(asked).toEqual([undefined]);
  });

  it('receives anonymous work exactly once', async () => {
    const laptop = await open();
    await laptop.ask.server.change({ url: firstServer.url });
    await startSession(laptop);
    await laptop.ask.sync.run();
    await laptop.ask.server.change({ url: secondServer.url });
    await startSession(laptop);
    expect(await laptop.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0, rejected: 0 });
    expect(await countSessions(laptop)).toBe(2);
    // A second computer of the same account has the session too.
    await mailbox.signIn(laptop, email);
    const desk = await open();
    await desk.ask.server.change({ url: secondServer.url });
    await mailbox.signIn(desk, `ada${learnerCount - 1}@example.com`);
    expect(await countSessions(desk)).toBe(2);
  });

  it('sees nothing of another account, whose unsent work waits for its owner', async () => {
    const laptop = await open();
    await laptop.ask.server.change({ url: firstServer.url });
    const sent = await startSession(laptop);
    await mailbox.signIn(laptop, email);
    const ada = email;
    await laptop.ask.settings.updateDevice({ localCoach: { provider: 'ollama', model: 'llama3.3' }, captions: false });
    firstServer.fail = 'internal';
    const unsent = await startSession(laptop);
    await laptop.ask.server.change({ url: secondServer.url });
    firstServer.fail = null;
    await laptop.ask.sync.run();
    expect(await listSessionIds(laptop)).toEqual([]);
    expect((await laptop.ask.account.state()).known?.account.email).toBeNull();
    // The next learner must choose a local model for themselves.
    expect((await laptop.ask.settings.read()).device).toMatchObject({ localCoach: null, captions: false });
    expect(readdirSync(join(laptop.dataDir, 'backups'))).toContainEqual(
      expect.stringMatching(/^before-server-change-/),
    );
    expect(secondServer.pushed.flat().some(({ rowId }) => rowId === unsent || rowId === sent)).toBe(false);
    await laptop.ask.server.change({ url: firstServer.url });
    await mailbox.signIn(laptop, ada);
    expect(await laptop.ask.sync.run()).toMatchObject({ state: 'idle', waiting: 0 });
    expect(await listSessionIds(laptop)).toEqual([sent, unsent].toSorted());
    expect(firstServer.pushed.flat().filter(({ rowId }) => rowId === unsent).length).toBeGreaterThan(0);
  });
});
