/** Serves the renderer to one window on this machine, and carries the desktop contract to the host over a WebSocket. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { RPCHandler } from '@orpc/server/ws';
import { WebSocketServer } from 'ws';
import type { Host } from '../../host/index.ts';
import { bearsSecret, isOurHost, isOurOrigin, isSameSecret, newSecret, secretCookie } from './access.ts';
import { readStaticFile } from './static-files.ts';

export interface WindowServer {
  port: number;
  /** Opening it once lets a browser in. */
  address: string;
  secret: string;
  /** Resolves when the last window has been gone for a moment. */
  close: () => Promise<void>;
}

const HOST = '127.0.0.1';
const OPEN_PATH = '/open/';
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const BRIDGE_TAG = '<script src="./bridge.js"></script>';

export interface WindowServerOptions {
  host: Pick<Host, 'router'>;
  rendererDir: string;
  /** 0 or left out: any free one. */
  port?: number;
}

export async function startWindowServer(options: WindowServerOptions): Promise<WindowServer> {
  const secret = newSecret();
  const bridge = await readBridge();
  let port = 0;
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.writeHead(500).end());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    setSecurityHeaders(response, port);
    const path = new URL(request.url ?? '/', `http://${HOST}`).pathname;
    if (!isOurHost(request, port)) return void response.writeHead(421).end();
    if (request.method !== 'GET' && request.method !== 'HEAD') return void response.writeHead(405).end();
    if (path.startsWith(OPEN_PATH)) {
      if (!isSameSecret(path.slice(OPEN_PATH.length), secret)) return refuse(response);
      return void response.writeHead(303, { location: '/', 'set-cookie': secretCookie({ secret, port }) }).end();
    }
    if (!bearsSecret(request, { secret, port })) return refuse(response);
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
    if (!mayEnter || request.url !== '/host') return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
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
    port,
    secret,
    address: `http://${HOST}:${port}${OPEN_PATH}${secret}`,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets.clients) socket.terminate();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function refuse(response: ServerResponse): void {
  response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' });
  response.end('This window was not opened by Parley. Start Parley again, or use the address that it printed.');
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
