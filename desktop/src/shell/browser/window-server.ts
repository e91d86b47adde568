/** Serves the renderer to one window on this machine and connects it to the host over a WebSocket. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { RPCHandler } from '@orpc/server/ws';
import { parseVideoPath, type VideoFile } from '@parley/contract';
import { WebSocketServer } from 'ws';
import type { AppHost } from '../../host/index.ts';
import { fetchVideo } from '../fetch-video.ts';
import {
  hasSecretCookie,
  hasExpectedHost,
  hasExpectedOrigin,
  isSameSecret,
  createSecret,
  formatSecretCookie,
} from './window-access.ts';
import { createOneTimeTokens } from './one-time-tokens.ts';
import { redirectFilePath, redirectPage, removeRedirectFile, writeRedirectFile } from './redirect-file.ts';
import { ENTRY_METHODS, type EntryMethod, OPEN_PATH, accessUrl, createWindowRequest } from './running-window.ts';
import { readStaticFile } from './static-files.ts';
import { createWindowCount, type WindowCount } from './window-count.ts';

export interface WindowServer {
  origin: string;
  /** With this key, a program proves that it belongs to the learner while this server runs. */
  key: string;
  windows: WindowCount;
  /** Creates a file that admits one browser for a short time; see `redirect-file.ts`. */
  createWindowFile: () => Promise<string>;
  /** Creates an address that admits one browser. */
  createAddress: () => string;
  close: () => Promise<void>;
}

const HOST = '127.0.0.1';
/** Long enough for a browser that starts from a slow disk. */
const FILE_LIFETIME_MS = 60_000;
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const BRIDGE_TAG = '<script src="./bridge.js"></script>';

export interface WindowServerOptions {
  host: Pick<AppHost, 'host'>;
  /** See `windowFolder`. */
  windowDir: string;
  rendererDir: string;
  /** 0 or undefined selects a free port. */
  port?: number;
  /** How long the file of `createWindowFile` stays valid. */
  fileLifetimeMs?: number;
}

export async function startWindowServer(options: WindowServerOptions): Promise<WindowServer> {
  const { windowDir, fileLifetimeMs = FILE_LIFETIME_MS } = options;
  const key = createSecret();
  const secret = createSecret();
  const pagePath = `/${createSecret()}/`;
  const tokens = createOneTimeTokens();
  const windows = createWindowCount();
  const bridge = await readBridge();
  let port = 0;
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.writeHead(500).end());
  });
  const addressOf = (token: string): string => accessUrl(`http://${HOST}:${port}`, token);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    setSecurityHeaders(response, port);
    const path = new URL(request.url ?? '/', `http://${HOST}`).pathname;
    if (!hasExpectedHost(request, port)) return void response.writeHead(421).end();
    if (request.method === 'POST') return handleSecondStart(path, response);
    if (request.method !== 'GET' && request.method !== 'HEAD') return void response.writeHead(405).end();
    if (request.method === 'GET' && path.startsWith(OPEN_PATH))
      return tokens.consume(path.slice(OPEN_PATH.length)) ? grantAccess(response) : sendForbidden(response);
    if (!path.startsWith(pagePath) || !hasSecretCookie(request, { secret, port })) return sendForbidden(response);
    const file = path.slice(pagePath.length - 1);
    const video = parseVideoPath(file);
    return video === null ? sendFile(file, response) : sendVideo(video, request, response);
  }

  /**
   * A redirect does not work here, because a browser that came from a file does not send a strict cookie after a
   * redirect.
   */
  function grantAccess(response: ServerResponse): void {
    response.setHeader('set-cookie', formatSecretCookie({ secret, port, path: pagePath }));
    response.setHeader('cache-control', 'no-store');
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(redirectPage(pagePath));
  }

  async function handleSecondStart(path: string, response: ServerResponse): Promise<void> {
    const [, , entrance, nonce = ''] = path.split('/');
    const method = ENTRY_METHODS.find((each) => each === entrance);
    const expected = method === undefined ? null : createWindowRequest(key, method, nonce);
    if (method === undefined || expected === null || !isSameSecret(path, expected.path)) return sendForbidden(response);
    await createAccess(method, expected.token);
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(expected.answer);
  }

  async function createAccess(entrance: EntryMethod, token: string): Promise<void> {
    if (entrance === 'address') return tokens.add(token);
    const file = redirectFilePath(windowDir, token);
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

  async function sendVideo(video: VideoFile, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const { videoFiles } = await options.host.host();
    const { status, headers, body } = await fetchVideo(await videoFiles.find(video), {
      method: request.method ?? 'GET',
      header: (name) => String(request.headers[name] ?? '') || null,
      signal: gone.signal,
    });
    response.writeHead(status, headers);
    if (body === null || request.method === 'HEAD') return void response.end();
    // A player that has enough data, or that seeks, closes the connection.
    await pipeline(Readable.from(body), response).catch(() => response.destroy());
  }

  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  server.on('upgrade', (request, socket, head) => {
    // Node leaves the errors of this socket to us. Without a listener, any program that resets its connection would end the app.
    socket.on('error', () => socket.destroy());
    const isAllowed =
      hasExpectedHost(request, port) && hasExpectedOrigin(request, port) && hasSecretCookie(request, { secret, port });
    if (!isAllowed || request.url !== `${pagePath}host`) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    void connectWindow(request, socket, head).catch(() => socket.destroy());
  });

  /** While another profile is being opened, the window's connection waits for it. */
  async function connectWindow(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { router } = await options.host.host();
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      windows.add(webSocket);
      const gone = new AbortController();
      webSocket.once('close', () => gone.abort());
      void new RPCHandler(router).upgrade(webSocket, { context: { windowClosed: gone.signal } });
    });
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, HOST, resolve);
  });
  const bound = server.address();
  port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  return {
    origin: `http://${HOST}:${port}`,
    key,
    windows,
    async createWindowFile() {
      const token = createSecret();
      await createAccess('file', token);
      return redirectFilePath(windowDir, token);
    },
    createAddress() {
      const token = createSecret();
      tokens.add(token);
      return addressOf(token);
    },
    close: () =>
      new Promise((resolve) => {
        tokens.revokeAll();
        for (const socket of sockets.clients) socket.terminate();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function sendForbidden(response: ServerResponse): void {
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

/** Strips the types from the bridge, which is written in TypeScript, as Node does for its own modules. */
async function readBridge(): Promise<string> {
  const source = await readFile(fileURLToPath(new URL('./bridge.ts', import.meta.url)), 'utf8');
  return stripTypeScriptTypes(source);
}
