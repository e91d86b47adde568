/** Serves the renderer to one window on this machine, and carries the desktop contract to the host over a WebSocket. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { RPCHandler } from '@orpc/server/ws';
import { WebSocketServer } from 'ws';
import type { Host } from '../../host/index.ts';
import { bearsSecret, isOurHost, isOurOrigin, isSameSecret, newSecret, secretCookie } from './access.ts';
import { createOneTimeTokens } from './one-time-tokens.ts';
import { redirectFileOf, redirectPage, removeRedirectFile, writeRedirectFile } from './redirect-file.ts';
import { ENTRANCES, type Entrance, OPEN_PATH, openingAddress, windowRequest } from './running-window.ts';
import { readStaticFile } from './static-files.ts';

export interface WindowServer {
  origin: string;
  /** Proves to this server, for as long as it runs, that a program belongs to the learner. */
  key: string;
  /** The path of a file that lets one browser in, once and soon: see `redirect-file.ts`. */
  createWindowFile: () => Promise<string>;
  /** An address for the learner to open: lets one browser in, once. */
  createAddress: () => string;
  close: () => Promise<void>;
}

const HOST = '127.0.0.1';
/** Enough for a browser that starts from a slow disk. */
const FILE_LIFETIME_MS = 60_000;
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const BRIDGE_TAG = '<script src="./bridge.js"></script>';

export interface WindowServerOptions {
  host: Pick<Host, 'router'>;
  dataDir: string;
  rendererDir: string;
  /** 0 or left out: any free one. */
  port?: number;
  /** How long the file of `createWindowFile` lets a browser in. */
  fileLifetimeMs?: number;
}

export async function startWindowServer(options: WindowServerOptions): Promise<WindowServer> {
  const { dataDir, fileLifetimeMs = FILE_LIFETIME_MS } = options;
  const key = newSecret();
  const secret = newSecret();
  const pagePath = `/${newSecret()}/`;
  const tokens = createOneTimeTokens();
  const bridge = await readBridge();
  let port = 0;
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.writeHead(500).end());
  });
  const addressOf = (token: string): string => openingAddress(`http://${HOST}:${port}`, token);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    setSecurityHeaders(response, port);
    const path = new URL(request.url ?? '/', `http://${HOST}`).pathname;
    if (!isOurHost(request, port)) return void response.writeHead(421).end();
    if (request.method === 'POST') return answerSecondStart(path, response);
    if (request.method !== 'GET' && request.method !== 'HEAD') return void response.writeHead(405).end();
    if (request.method === 'GET' && path.startsWith(OPEN_PATH))
      return tokens.use(path.slice(OPEN_PATH.length)) ? letIn(response) : refuse(response);
    if (!path.startsWith(pagePath) || !bearsSecret(request, { secret, port })) return refuse(response);
    return sendFile(path.slice(pagePath.length - 1), response);
  }

  /** A redirect would not do: its browser came from a file, and sends no strict cookie where it is led to from there. */
  function letIn(response: ServerResponse): void {
    response.setHeader('set-cookie', secretCookie({ secret, port, path: pagePath }));
    response.setHeader('cache-control', 'no-store');
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(redirectPage(pagePath));
  }

  async function answerSecondStart(path: string, response: ServerResponse): Promise<void> {
    const [, , entrance, nonce = ''] = path.split('/');
    const known = ENTRANCES.find((each) => each === entrance);
    const expected = known === undefined ? null : windowRequest(key, known, nonce);
    if (known === undefined || expected === null || !isSameSecret(path, expected.path)) return refuse(response);
    await openEntrance(known, expected.token);
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(expected.answer);
  }

  async function openEntrance(entrance: Entrance, token: string): Promise<void> {
    if (entrance === 'address') return tokens.add(token);
    const file = redirectFileOf(dataDir, token);
    await writeRedirectFile(file, addressOf(token));
    tokens.add(token, { lifetimeMs: fileLifetimeMs, onGone: () => removeRedirectFile(file) });
  }

  async function sendFile(path: string, response: ServerResponse): Promise<void> {
    if (path === '/bridge.js')
      return void response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(bridge);
    const file = await readStaticFile(options.rendererDir, path);
    if (file === null) return void response.writeHead(404).end();
    const isPage = file.mediaType.startsWith('text/html');
    const content = isPage ? file.content.toString('utf8').replace('<head>', `<head>${BRIDGE_TAG}`) : file.content;
    response.writeHead(200, { 'content-type': file.mediaType, 'cache-control': isPage ? 'no-store' : 'max-age=3600' });
    response.end(content);
  }

  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  const handler = new RPCHandler(options.host.router);
  server.on('upgrade', (request, socket, head) => {
    const mayEnter = isOurHost(request, port) && isOurOrigin(request, port) && bearsSecret(request, { secret, port });
    if (!mayEnter || request.url !== `${pagePath}host`) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const gone = new AbortController();
      webSocket.once('close', () => gone.abort());
      void handler.upgrade(webSocket, { context: { windowGone: gone.signal } });
    });
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, HOST, resolve);
  });
  const bound = server.address();
  port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  return {
    origin: `http://${HOST}:${port}`,
    key,
    async createWindowFile() {
      const token = newSecret();
      await openEntrance('file', token);
      return redirectFileOf(dataDir, token);
    },
    createAddress() {
      const token = newSecret();
      tokens.add(token);
      return addressOf(token);
    },
    close: () =>
      new Promise((resolve) => {
        tokens.withdrawAll();
        for (const socket of sockets.clients) socket.terminate();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function refuse(response: ServerResponse): void {
  response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' });
  response.end('This address has been used already, or is out of date. Start Parley again for a new one.');
}

function setSecurityHeaders(response: ServerResponse, port: number): void {
  response.setHeader(
    'content-security-policy',
    `default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' blob:; ` +
      `connect-src 'self' ws://${HOST}:${port}; worker-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'`,
  );
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('referrer-policy', 'no-referrer');
  response.setHeader('cross-origin-opener-policy', 'same-origin');
  response.setHeader('cross-origin-resource-policy', 'same-origin');
  response.setHeader('permissions-policy', 'microphone=(self), camera=(), geolocation=()');
}

/** The bridge is written in TypeScript like everything else; types are stripped as Node strips its own. */
async function readBridge(): Promise<string> {
  const source = await readFile(fileURLToPath(new URL('./bridge.ts', import.meta.url)), 'utf8');
  return stripTypeScriptTypes(source);
}
