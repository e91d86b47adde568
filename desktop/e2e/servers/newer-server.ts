/** A sync server that no longer speaks the protocol of this app, until it is told to: a real one behind a proxy that refuses its sync. */
import { once } from 'node:events';
import { createServer, request as forward, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ERROR_STATUS_BY_CODE, type ErrorCode } from '@parley/contract';
import { type RunningServer, startSyncServer } from './sync-server.ts';

export interface NewerServer extends RunningServer {
  /** As after an app update: sync works. */
  accept: () => void;
}

const TOO_OLD: ErrorCode = 'sync.protocol_too_old';

function refuse(response: ServerResponse): void {
  response.writeHead(ERROR_STATUS_BY_CODE[TOO_OLD], { 'content-type': 'application/json' });
  response.end(JSON.stringify({ code: TOO_OLD, message: TOO_OLD }));
}

export async function startNewerServer(): Promise<NewerServer> {
  const server = await startSyncServer();
  let accepts = false;
  const proxy = createServer((request, response) => {
    if (!accepts && request.url?.startsWith('/v1/sync/') === true) {
      request.resume();
      return refuse(response);
    }
    const { method, headers } = request;
    const upstream = forward(new URL(request.url ?? '/', server.address), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    upstream.on('error', () => response.destroy());
    response.on('close', () => upstream.destroy());
    request.pipe(upstream);
  });
  proxy.listen({ host: '127.0.0.1', port: 0 });
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    accept: () => {
      accepts = true;
    },
    stop: async () => {
      proxy.closeAllConnections();
      proxy.close();
      await server.stop();
    },
  };
}
