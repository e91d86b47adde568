/** A proxy between a device and the server that forwards everything unless a fault is armed. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { ArmedFault, Fault, NetworkFault } from '../faults.ts';
import { respondAsOldServer, respondUnavailable } from './canned-responses.ts';
import {
  forwardBody,
  type ProxiedRequest,
  readBody,
  forwardStreaming,
  pause,
  pipeSlowly,
  pipePartially,
} from './forward-request.ts';

export interface FaultyProxy {
  url: string;
  /** Arms a fault for the next request; several faults apply to the following requests in order. */
  armFault: (fault: ArmedFault) => void;
  setOffline: (isOffline: boolean) => void;
  /** Responds like a server of the previous version. */
  setOldServer: (isOld: boolean) => void;
  /** Allows only `allowedPath` once the next response to `path` was sent, until `setOffline` is called. */
  allowOnlyAfter: (path: string, allowedPath: string) => void;
  /** Cuts all connections; afterwards, only requests to this path arrive, until `setOffline` is called. */
  allowOnly: (path: string) => void;
  /** Removes all faults and waits for requests that are still to be replayed. */
  clearFaults: () => Promise<void>;
  close: () => Promise<void>;
}

export interface FaultyProxyOptions {
  /** Null while the server is down. */
  serverPort: () => number | null;
  onFault: (fault: Fault) => void;
  /** Called for a response that a correct device should never get. */
  onUnexpectedResponse: (what: string) => void;
}

export async function openFaultyProxy(options: FaultyProxyOptions): Promise<FaultyProxy> {
  const armed: ArmedFault[] = [];
  const sockets = new Set<Socket>();
  const pendingReplays = new Set<Promise<void>>();
  let isOffline = false;
  let isOldServer = false;
  let onlyPath: string | null = null;
  let restriction: { afterPath: string; onlyPath: string } | null = null;

  const server = createServer((request, response) => {
    handleRequest(request, response)
      .catch(() => request.socket.destroy())
      .finally(() => {
        if (restriction === null || restriction.afterPath !== request.url) return;
        ({ onlyPath } = restriction);
        restriction = null;
      });
  });
  server.on('connection', (socket) => {
    if (isOffline) return socket.destroy();
    sockets.add(socket);
    return socket.on('close', () => sockets.delete(socket));
  });

  async function handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const port = options.serverPort();
    const isAllowed = onlyPath === null || onlyPath === request.url;
    if (port === null || isOffline || !isAllowed) return void request.socket.destroy();
    if (isOldServer && request.url?.startsWith('/v1/sync/') === true) return respondAsOldServer(request, response);
    // An open stream cannot be duplicated, so only going offline or a dead server ends it.
    const fault = request.method === 'GET' ? undefined : armed.shift();
    const asked: ProxiedRequest = { port, request, response, onOddAnswer: options.onUnexpectedResponse };
    if (fault === undefined) return forwardStreaming(asked);
    options.onFault(fault.kind);
    return applyFault[fault.kind](asked, fault);
  }

  const applyFault: Record<NetworkFault, (asked: ProxiedRequest, fault: ArmedFault) => Promise<void>> = {
    drop_before: async ({ request }) => void request.socket.destroy(),
    drop_after: async (asked) => {
      const answer = await forwardBody(asked, await readBody(asked.request));
      const over = once(answer, 'close');
      answer.resume();
      await over;
      asked.request.socket.destroy();
    },
    duplicate: async (asked) => {
      const body = await readBody(asked.request);
      const [first, second] = await Promise.all([forwardBody(asked, body), forwardBody(asked, body)]);
      first.resume();
      await pipePartially(second, asked.response, Number.POSITIVE_INFINITY);
    },
    replay_later: async (asked, { ms }) => {
      const body = await readBody(asked.request);
      await pipePartially(await forwardBody(asked, body), asked.response, Number.POSITIVE_INFINITY);
      const replayed = pause(ms).then(async () => {
        const answer = await forwardBody({ ...asked, port: options.serverPort() ?? asked.port }, body).catch(
          () => null,
        );
        answer?.resume();
      });
      pendingReplays.add(replayed);
    },
    delay: async (asked, { ms }) => {
      const body = await readBody(asked.request);
      await pause(ms);
      await pipePartially(await forwardBody(asked, body), asked.response, Number.POSITIVE_INFINITY);
    },
    cut_request: async (asked, { cutAt }) => {
      const body = await readBody(asked.request);
      await forwardBody(asked, body, Math.floor(body.byteLength * cutAt)).catch(() => undefined);
      asked.request.socket.destroy();
    },
    cut_response: async (asked, { cutAt }) => {
      const answer = await forwardBody(asked, await readBody(asked.request));
      await pipePartially(answer, asked.response, cutAt);
      asked.request.socket.destroy();
    },
    silence: async ({ request }, { ms }) => {
      request.resume();
      await pause(ms);
      request.socket.destroy();
    },
    trickle: async (asked) => pipeSlowly(await forwardBody(asked, await readBody(asked.request)), asked.response),
    unavailable: async ({ request, response }, { cutAt }) => respondUnavailable(request, response, cutAt),
  };

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const closeConnections = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    armFault: (fault) => void armed.push(fault),
    setOffline: (offline) => {
      isOffline = offline;
      onlyPath = null;
      restriction = null;
      if (offline) closeConnections();
    },
    setOldServer: (isOld) => {
      isOldServer = isOld;
      if (isOld) closeConnections();
    },
    allowOnlyAfter: (path, allowedPath) => {
      restriction = { afterPath: path, onlyPath: allowedPath };
    },
    allowOnly: (path) => {
      onlyPath = path;
      isOffline = false;
      closeConnections();
    },
    clearFaults: async () => {
      onlyPath = null;
      restriction = null;
      armed.length = 0;
      isOffline = false;
      isOldServer = false;
      await Promise.all(pendingReplays);
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      closeConnections();
      await closed;
    },
  };
}
