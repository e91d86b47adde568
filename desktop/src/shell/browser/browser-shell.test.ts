import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import type { ContractRouterClient } from '@orpc/contract';
import type { desktopContract } from '@parley/contract';
import { WebSocket as NodeWebSocket } from 'ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sayTurn } from '../../host/test-kit/open-host.ts';
import { readRecordingStates } from '../../host/test-kit/read-database.ts';
import { type BrowserShell, startBrowserShell } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-shell-'));
const dataDir = join(folder, 'data');
const rendererDir = join(folder, 'renderer');
const said: string[] = [];
let shell: BrowserShell;
let origin: string;
let cookie: string;

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** Asks with exactly this path: `fetch` would tidy it first. */
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
  startBrowserShell({ dataDir, rendererDir, serverUrl: null, open: false, say: (line) => said.push(line) });

beforeAll(async () => {
  mkdirSync(join(rendererDir, 'assets'), { recursive: true });
  writeFileSync(join(rendererDir, 'index.html'), '<!doctype html><html><head></head><body>Parley</body></html>');
  writeFileSync(join(rendererDir, 'assets/app.js'), 'export {};');
  writeFileSync(join(rendererDir, 'notes.txt'), 'not for the window');
  writeFileSync(join(folder, 'secret.js'), 'outside');
  const started = await start();
  if (started === null) throw new Error('the shell did not start');
  shell = started;
  origin = new URL(shell.address).origin;
  const opened = await ask(new URL(shell.address).pathname);
  cookie = String(opened.headers['set-cookie']).split(';')[0] ?? '';
});
afterAll(async () => {
  await shell.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the address that is printed', () => {
  it('lets a browser in with a cookie that no script and no other site can use', async () => {
    const opened = await ask(new URL(shell.address).pathname);
    expect(opened).toMatchObject({ status: 303, headers: { location: '/' } });
    // Another window on this machine has another port, and shares the browser's cookies.
    expect(cookie.split('=')[0]).toBe(`parley-window-${new URL(shell.address).port}`);
    expect(opened.headers['set-cookie']).toEqual([expect.stringMatching(/HttpOnly; SameSite=Strict; Path=\/$/)]);
    expect(said).toEqual([`Parley is ready: ${shell.address}`]);
  });

  it('is on this machine alone, and its secret is long', () => {
    expect(new URL(shell.address).hostname).toBe('127.0.0.1');
    expect(new URL(shell.address).pathname.length).toBeGreaterThan(40);
  });

  it('is kept where only its user can read it', () => {
    const file = join(dataDir, 'window.json');
    if (process.platform !== 'win32') expect(statSync(dataDir).mode & 0o077).toBe(0);
    expect(readFileSync(file, 'utf8')).toContain(shell.address);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0);
  });
});

describe('a page', () => {
  it('is served with the bridge to the host and a policy that lets nothing else in', async () => {
    const page = await ask('/', { cookie });
    expect(page.status).toBe(200);
    expect(page.body).toContain('<head><script src="./bridge.js"></script>');
    expect(page.headers).toMatchObject({
      'content-security-policy': expect.stringMatching(/default-src 'self'.*object-src 'none'.*frame-ancestors 'none'/),
      'x-content-type-options': 'nosniff',
      'permissions-policy': expect.stringContaining('microphone=(self), camera=()'),
    });
    const bridge = await ask('/bridge.js', { cookie });
    expect(bridge).toMatchObject({ status: 200 });
    expect(bridge.body).not.toContain('MessageEvent<');
  });

  const refused: [what: string, path: string, headers: () => Record<string, string>, status: number][] = [
    ['without the cookie', '/', () => ({}), 403],
    ['with another cookie', '/', () => ({ cookie: `${cookie.split('=')[0]}=${'x'.repeat(43)}` }), 403],
    ['with half of the cookie', '/', () => ({ cookie: cookie.slice(0, -5) }), 403],
    ['with another secret', `/open/${'x'.repeat(43)}`, () => ({}), 403],
    ['through a name of somebody else', '/', () => ({ cookie, host: 'evil.example' }), 421],
    ['through localhost by another port', '/', () => ({ cookie, host: '127.0.0.1:1' }), 421],
    ['outside of the folder', '/../secret.js', () => ({ cookie }), 404],
    ['outside of the folder, encoded', '/%2e%2e%2fsecret.js', () => ({ cookie }), 404],
    ['outside of the folder, encoded twice', '/%252e%252e%252fsecret.js', () => ({ cookie }), 404],
    ['outside of the folder, by backslash', '/..%5csecret.js', () => ({ cookie }), 404],
    ['with a null byte', '/assets/app.js%00.html', () => ({ cookie }), 404],
    ['with a broken encoding', '/%zz', () => ({ cookie }), 404],
    ['of a kind that no window needs', '/notes.txt', () => ({ cookie }), 404],
    ['that does not exist', '/assets/other.js', () => ({ cookie }), 404],
  ];
  it.each(refused)('%s is refused', async (_what, path, headers, status) => {
    expect((await ask(path, headers())).status).toBe(status);
  });

  it('cannot be changed', async () => {
    expect((await ask('/', { cookie }, 'POST')).status).toBe(405);
  });
});

/** The same calls as a browser's; only the types of its events have other names. */
const asBrowsers = (socket: object): WebSocket => socket as WebSocket;

describe('the line to the host', () => {
  const connect = (headers: Record<string, string>, path = '/host') =>
    new Promise<NodeWebSocket | number>((resolve) => {
      const socket = new NodeWebSocket(`${origin.replace('http', 'ws')}${path}`, { headers });
      socket.once('open', () => resolve(socket));
      socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
      socket.once('error', () => resolve(0));
    });

  it('carries the desktop contract for the window that was let in', async () => {
    const socket = await connect({ cookie, origin });
    if (typeof socket === 'number') throw new Error(`refused with ${socket}`);
    const client: ContractRouterClient<typeof desktopContract> = createORPCClient(
      new RPCLink({ websocket: asBrowsers(socket) }),
    );
    expect(await client.catalogue.practices()).toHaveLength(12);
    socket.close();
  });

  it('closes the recording of a window that is reloaded', async () => {
    const socket = await connect({ cookie, origin });
    if (typeof socket === 'number') throw new Error(`refused with ${socket}`);
    const client: ContractRouterClient<typeof desktopContract> = createORPCClient(
      new RPCLink({ websocket: asBrowsers(socket) }),
    );
    const practice = (await client.catalogue.practices()).find(({ state }) => state !== 'coming_soon');
    if (practice === undefined) throw new Error('there is nothing to practise');
    const { practiceId } = practice;
    const { sessionId } = await client.practice.start({ practiceId, difficulty: 'easy', communicationStyle: 'audio' });
    await sayTurn(client, sessionId);
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
    expect(await connect({ cookie, origin }, '/other')).toBe(403);
  });
});

describe('a second start on the same folder', () => {
  it('finds the first and opens nothing of its own', async () => {
    said.length = 0;
    expect(await start()).toBeNull();
    expect(said).toEqual([`Parley is already open: ${shell.address}`]);
  });

  it('says what to do when the folder is taken but nobody answers', async () => {
    const file = join(dataDir, 'window.json');
    const content = readFileSync(file, 'utf8');
    writeFileSync(file, '{"address":"http://127.0.0.1:9/open/x"}');
    await expect(start()).rejects.toThrow(/already runs on this data folder.*PARLEY_DATA_DIR/);
    writeFileSync(file, content);
  });

  it('is not misled by a file that says nonsense', async () => {
    const file = join(dataDir, 'window.json');
    const content = readFileSync(file, 'utf8');
    for (const nonsense of ['', 'null', '{"address":"javascript:alert(1)"}', '{"address":5}']) {
      writeFileSync(file, nonsense);
      await expect(start()).rejects.toThrow('already runs');
    }
    writeFileSync(file, content);
  });

  it('works again once the first has closed', async () => {
    await shell.close();
    const again = await start();
    if (again === null) throw new Error('the shell did not start again');
    expect(again.address).not.toBe(shell.address);
    await again.close();
  });
});
