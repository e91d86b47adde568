import { existsSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import type { ContractRouterClient } from '@orpc/contract';
import type { desktopContract } from '@parley/contract';
import { WebSocket as NodeWebSocket } from 'ws';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { recordTurn } from '../../host/test-kit/open-host.ts';
import { readRecordingStates } from '../../host/test-kit/read-database.ts';
import { type BrowserShell, startBrowserShell } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-shell-'));
const dataDir = join(folder, 'data');
const rendererDir = join(folder, 'renderer');
const said: string[] = [];
let shell: BrowserShell;
let origin: string;
let cookie: string;
/** The random path under which the page is served. */
let pagePath: string;

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** Requests exactly this path; `fetch` would normalise it. */
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(origin);
    const sent = httpRequest({ host: '127.0.0.1', port, path, headers, method }, (response) => {
      let body = '';
      response.on('data', (chunk) => (body += String(chunk)));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    sent.on('error', reject).end();
  });

const start = () =>
  startBrowserShell({ dataDir, rendererDir, serverUrl: null, open: false, print: (line) => said.push(line) });

/** Follows an address as a browser does. Returns null when it is refused. */
async function enter(address: string): Promise<{ cookie: string; pagePath: string } | null> {
  const answer = await ask(new URL(address).pathname);
  const cookie = String(answer.headers['set-cookie'] ?? '').split(';')[0] ?? '';
  const pagePath = /content="0;url=([^"]+)"/.exec(answer.body)?.[1];
  return answer.status === 200 && pagePath !== undefined ? { cookie, pagePath } : null;
}

const addressIn = (file: string): string =>
  /content="0;url=([^"]+)"/.exec(readFileSync(file, 'utf8'))?.[1] ?? 'no address';

const lastAddress = (): string => /http:\S+$/.exec(said.at(-1) ?? '')?.[0] ?? 'no address';

beforeAll(async () => {
  mkdirSync(join(rendererDir, 'assets'), { recursive: true });
  writeFileSync(join(rendererDir, 'index.html'), '<!doctype html><html><head></head><body>Parley</body></html>');
  writeFileSync(join(rendererDir, 'assets/app.js'), 'export {};');
  writeFileSync(join(rendererDir, 'notes.txt'), 'not for the window');
  writeFileSync(join(folder, 'secret.js'), 'outside');
  const started = await start();
  if (started === null) throw new Error('the shell did not start');
  shell = started;
  origin = shell.origin;
  const entered = await enter(shell.createAddress());
  if (entered === null) throw new Error('the address was refused');
  ({ cookie, pagePath } = entered);
});
afterAll(() => shell.close());

describe('the printed address', () => {
  it('sets a cookie that no script and no other site can use', async () => {
    expect(said).toEqual([expect.stringMatching(/^Parley is ready: http:/)]);
    const opened = await ask(new URL(lastAddress()).pathname);
    expect(opened).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    expect(opened.headers['set-cookie']).toEqual([
      expect.stringMatching(/HttpOnly; SameSite=Strict; Path=\/.{40,}\/$/),
    ]);
  });

  it('admits only one browser', async () => {
    const address = shell.createAddress();
    expect(await enter(address)).toMatchObject({ pagePath });
    const again = await ask(new URL(address).pathname);
    expect(again.status).toBe(403);
    expect(again.headers).not.toHaveProperty('set-cookie');
  });

  it('is not used up by a HEAD request', async () => {
    const address = shell.createAddress();
    expect((await ask(new URL(address).pathname, {}, 'HEAD')).status).toBe(403);
    expect(await enter(address)).not.toBeNull();
  });

  it('is local and contains a long secret', () => {
    const { hostname, pathname } = new URL(shell.createAddress());
    expect(hostname).toBe('127.0.0.1');
    expect(pathname.length).toBeGreaterThan(40);
  });

  it('is available to a second start through a private file', () => {
    const file = join(dataDir, 'window.json');
    if (process.platform !== 'win32') expect(statSync(dataDir).mode & 0o077).toBe(0);
    expect(readFileSync(file, 'utf8')).toContain(shell.origin);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0);
  });
});

describe('the file that opens a window', () => {
  it('is readable only by its user and is removed after use', async () => {
    const file = await shell.createWindowFile();
    const address = addressIn(file);
    if (process.platform !== 'win32')
      expect([file, dirname(file)].map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual(['600', '700']);
    expect(file).not.toContain(address.slice(address.lastIndexOf('/') + 1));
    expect(await enter(address)).toMatchObject({ pagePath });
    expect(existsSync(file)).toBe(false);
    expect(await enter(address)).toBeNull();
  });

  it('expires with its token when no browser arrives in time', async () => {
    const patient = await startBrowserShell({
      dataDir: join(folder, 'patient'),
      rendererDir,
      serverUrl: null,
      open: false,
      print: () => undefined,
      fileLifetimeMs: 20,
    });
    if (patient === null) throw new Error('the shell did not start');
    const file = await patient.createWindowFile();
    const address = addressIn(file);
    await expect.poll(() => existsSync(file)).toBe(false);
    expect((await fetch(address)).status).toBe(403);
    await patient.close();
  });
});

describe('a page', () => {
  it('is served with the bridge and a strict content policy', async () => {
    const page = await ask(pagePath, { cookie });
    expect(page.status).toBe(200);
    expect(page.body).toContain('<head><script src="./bridge.js"></script>');
    expect(page.headers).toMatchObject({
      'content-security-policy': expect.stringMatching(/default-src 'self'.*object-src 'none'.*frame-ancestors 'none'/),
      'x-content-type-options': 'nosniff',
      'permissions-policy': expect.stringContaining('microphone=(self), camera=()'),
    });
    const bridge = await ask(`${pagePath}bridge.js`, { cookie });
    expect(bridge).toMatchObject({ status: 200 });
    expect(bridge.body).not.toContain('MessageEvent<');
  });

  it("is served to a browser that also has another window's cookie", async () => {
    const both = `${cookie.split('=')[0]}=${'x'.repeat(43)}; ${cookie}`;
    expect((await ask(pagePath, { cookie: both })).status).toBe(200);
  });

  const refused: [what: string, path: string, headers: () => Record<string, string>, status: number][] = [
    ['without the cookie', '', () => ({}), 403],
    ['with another cookie', '', () => ({ cookie: `${cookie.split('=')[0]}=${'x'.repeat(43)}` }), 403],
    ['with half of the cookie', '', () => ({ cookie: cookie.slice(0, -5) }), 403],
    ['through another host name', '', () => ({ cookie, host: 'evil.example' }), 421],
    ['through localhost by another port', '', () => ({ cookie, host: '127.0.0.1:1' }), 421],
    ['outside of the folder', '../secret.js', () => ({ cookie }), 403],
    ['outside of the folder, encoded', '%2e%2e%2fsecret.js', () => ({ cookie }), 404],
    ['outside of the folder, encoded twice', '%252e%252e%252fsecret.js', () => ({ cookie }), 404],
    ['outside of the folder, by backslash', '..%5csecret.js', () => ({ cookie }), 404],
    ['with a null byte', 'assets/app.js%00.html', () => ({ cookie }), 404],
    ['with a broken encoding', '%zz', () => ({ cookie }), 404],
    ['of a kind that no window needs', 'notes.txt', () => ({ cookie }), 404],
    ['that does not exist', 'assets/other.js', () => ({ cookie }), 404],
  ];
  it.each(refused)('%s is refused', async (_what, path, headers, status) => {
    expect((await ask(`${pagePath}${path}`, headers())).status).toBe(status);
  });

  it.each([
    ['at a path that any server of this computer could have', '/'],
    ['with another token', `/open/${'x'.repeat(43)}`],
  ])('%s is refused', async (_what, path) => {
    expect((await ask(path, { cookie })).status).toBe(403);
  });

  it('is read-only', async () => {
    expect((await ask(pagePath, { cookie }, 'PUT')).status).toBe(405);
    expect((await ask(pagePath, { cookie }, 'POST')).status).toBe(403);
  });
});

/** The sockets behave the same; only their event types differ. */
const asBrowsers = (socket: object): WebSocket => socket as WebSocket;

describe('the connection to the host', () => {
  const connect = (headers: Record<string, string>, path = `${pagePath}host`) =>
    new Promise<NodeWebSocket | number>((resolve) => {
      const socket = new NodeWebSocket(`${origin.replace('http', 'ws')}${path}`, { headers });
      socket.once('open', () => resolve(socket));
      socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
      socket.once('error', () => resolve(0));
    });

  it('serves the desktop contract to an admitted window', async () => {
    const socket = await connect({ cookie, origin });
    if (typeof socket === 'number') throw new Error(`refused with ${socket}`);
    const client: ContractRouterClient<typeof desktopContract> = createORPCClient(
      new RPCLink({ websocket: asBrowsers(socket) }),
    );
    expect((await client.catalogue.practices()).length).toBeGreaterThan(30);
    socket.close();
  });

  it('closes the recording of a reloaded window', async () => {
    const socket = await connect({ cookie, origin });
    if (typeof socket === 'number') throw new Error(`refused with ${socket}`);
    const client: ContractRouterClient<typeof desktopContract> = createORPCClient(
      new RPCLink({ websocket: asBrowsers(socket) }),
    );
    const practice = (await client.catalogue.practices()).find(({ state }) => state !== 'coming_soon');
    if (practice === undefined) throw new Error('the catalogue has no practice that can be started');
    const { practiceId } = practice;
    const { sessionId } = await client.practice.start({ practiceId, difficulty: 'easy', communicationStyle: 'audio' });
    await recordTurn(client, sessionId);
    expect(readRecordingStates(dataDir)).toEqual(['recording']);
    socket.terminate();
    await expect.poll(() => readRecordingStates(dataDir)).toEqual(['waiting']);
  });

  it.each([
    ['without the cookie', () => ({ origin })],
    ['from another origin', () => ({ cookie, origin: 'https://evil.example' })],
    ['from no origin', () => ({ cookie })],
    ['from a file', () => ({ cookie, origin: 'null' })],
    ['through another name', () => ({ cookie, origin, host: 'evil.example' })],
  ])('is refused %s', async (_what, headers) => {
    expect(await connect(headers())).toBe(403);
  });

  it('is refused at another path', async () => {
    expect(await connect({ cookie, origin }, `${pagePath}other`)).toBe(403);
    expect(await connect({ cookie, origin }, '/host')).toBe(403);
  });
});

describe('a second start on the same folder', () => {
  it('finds the first and gets an address from it', async () => {
    said.length = 0;
    expect(await start()).toBeNull();
    expect(said).toEqual([expect.stringMatching(/^Parley is already open: http:/)]);
    expect(await enter(lastAddress())).toMatchObject({ pagePath });
  });

  /** Replaces the window file's content while `work` runs. */
  async function withWindowFile(content: string, work: () => Promise<void>): Promise<void> {
    const file = join(dataDir, 'window.json');
    const kept = readFileSync(file, 'utf8');
    writeFileSync(file, content);
    await work().finally(() => writeFileSync(file, kept));
  }

  it('explains what to do when the folder is taken but nothing answers', () =>
    withWindowFile('{"origin":"http://127.0.0.1:9","key":"x"}', () =>
      expect(start()).rejects.toThrow(/is already running with this data folder.*PARLEY_DATA_DIR/),
    ));

  it('ignores a malformed window file', async () => {
    for (const nonsense of ['', 'null', '{"origin":"javascript:alert(1)","key":"x"}', '{"origin":5}'])
      await withWindowFile(nonsense, () => expect(start()).rejects.toThrow('is already running'));
  });

  it('reveals no key to a program that took the port', async () => {
    const heard: string[] = [];
    const impostor = createServer((request, response) => {
      heard.push(JSON.stringify([request.url, request.headers]));
      response.end('come in');
    });
    await new Promise<void>((resolve) => void impostor.listen(0, '127.0.0.1', resolve));
    const { port } = impostor.address() as AddressInfo;
    await withWindowFile(JSON.stringify({ origin: `http://127.0.0.1:${port}`, key: 'the-key' }), () =>
      expect(start()).rejects.toThrow('is already running'),
    );
    impostor.close();
    expect(heard).toHaveLength(1);
    expect(heard[0]).not.toContain('the-key');
  });

  it('is refused without a proof of the key', async () => {
    const { pathname } = new URL(`${origin}/windows/address/${'n'.repeat(43)}/${'x'.repeat(43)}`);
    expect((await ask(pathname, {}, 'POST')).status).toBe(403);
    expect((await ask('/windows/other/a/b', {}, 'POST')).status).toBe(403);
    expect((await ask('/windows', {}, 'POST')).status).toBe(403);
  });

  it('works again after the first has closed', async () => {
    await shell.close();
    const again = await start();
    if (again === null) throw new Error('the shell did not start again');
    expect(again.origin).not.toBe(shell.origin);
    await again.close();
  });
});

describe('a start that cannot go on', () => {
  const startWith = (options: Partial<Parameters<typeof startBrowserShell>[0]>) =>
    startBrowserShell({
      dataDir: mkdtempSync(join(folder, 'other-')),
      rendererDir,
      serverUrl: null,
      open: false,
      print: (line) => said.push(line),
      ...options,
    });

  it('explains how to continue when the data folder is a file', async () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    for (const dataDir of [file, join(file, 'data')])
      await expect(startWith({ dataDir })).rejects.toMatchObject({
        name: 'StartError',
        message: expect.stringMatching(/data folder cannot be read.*PARLEY_DATA_DIR/),
      });
  });

  it('explains how to continue when the port is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    await expect(startWith({ port })).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringContaining('--port'),
    });
    other.close();
  });

  it.skipIf(process.platform !== 'linux')('says that there is no display rather than no browser', async () => {
    vi.stubEnv('PARLEY_BROWSER', process.execPath);
    vi.stubEnv('DISPLAY', '');
    vi.stubEnv('WAYLAND_DISPLAY', '');
    const withoutDisplay = await startWith({ open: true });
    vi.unstubAllEnvs();
    await withoutDisplay?.close();
    expect(said.at(-1)).toContain('no display');
    expect(said.at(-1)).toContain('npm start -- --no-open');
  });
});
