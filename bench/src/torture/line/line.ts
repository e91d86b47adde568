/** A device's line to the server: passes everything through, whatever its form, unless a fault is due. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { ArmedFault, Fault, LineFault } from '../faults.ts';
import { answerOldServer, answerUnavailable } from './canned-answers.ts';
import { ask, type Asked, bodyOf, passOn, pause, pipeSlowly, pipeUntil } from './pass-on.ts';

export interface Line {
  url: string;
  /** The next request meets it; several meet the next requests in turn. */
  arm: (fault: ArmedFault) => void;
  setOffline: (isOffline: boolean) => void;
  /** Speaks like a server of the version before. */
  setOldServer: (isOld: boolean) => void;
  /** Once, as soon as a call to this path was answered. */
  goOfflineAfter: (path: string) => void;
  /** No fault is left, nor a request that would still be sent again. */
  calm: () => Promise<void>;
  close: () => Promise<void>;
}

export interface LineOptions {
  /** Null while the server is down. */
  serverPort: () => number | null;
  onFault: (fault: Fault) => void;
  /** An answer that an honest device should never be given. */
  onOddAnswer: (what: string) => void;
}

export async function openLine(options: LineOptions): Promise<Line> {
  const armed: ArmedFault[] = [];
  const sockets = new Set<Socket>();
  const late = new Set<Promise<void>>();
  let isOffline = false;
  let isOldServer = false;
  let lastPath: string | null = null;

  const server = createServer((request, response) => {
    meet(request, response)
      .catch(() => request.socket.destroy())
      .finally(() => {
        if (lastPath !== request.url) return;
        lastPath = null;
        isOffline = true;
      });
  });
  server.on('connection', (socket) => {
    if (isOffline) return socket.destroy();
    sockets.add(socket);
    return socket.on('close', () => sockets.delete(socket));
  });

  async function meet(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const port = options.serverPort();
    if (port === null || isOffline) return void request.socket.destroy();
    if (isOldServer && request.url?.startsWith('/v1/sync/') === true) return answerOldServer(request, response);
    // A stream that stands open is no request that could be sent twice: only offline spells and dead servers end it.
    const fault = request.method === 'GET' ? undefined : armed.shift();
    const asked: Asked = { port, request, response, onOddAnswer: options.onOddAnswer };
    if (fault === undefined) return passOn(asked);
    options.onFault(fault.kind);
    return misbehave[fault.kind](asked, fault);
  }

  const misbehave: Record<LineFault, (asked: Asked, fault: ArmedFault) => Promise<void>> = {
    drop_before: async ({ request }) => void request.socket.destroy(),
    drop_after: async (asked) => {
      const answer = await ask(asked, await bodyOf(asked.request));
      const over = once(answer, 'close');
      answer.resume();
      await over;
      asked.request.socket.destroy();
    },
    duplicate: async (asked) => {
      const body = await bodyOf(asked.request);
      const [first, second] = await Promise.all([ask(asked, body), ask(asked, body)]);
      first.resume();
      await pipeUntil(second, asked.response, Number.POSITIVE_INFINITY);
    },
    replay_later: async (asked, { ms }) => {
      const body = await bodyOf(asked.request);
      await pipeUntil(await ask(asked, body), asked.response, Number.POSITIVE_INFINITY);
      const replayed = pause(ms).then(async () => {
        const answer = await ask({ ...asked, port: options.serverPort() ?? asked.port }, body).catch(() => null);
        answer?.resume();
      });
      late.add(replayed);
    },
    delay: async (asked, { ms }) => {
      const body = await bodyOf(asked.request);
      await pause(ms);
      await pipeUntil(await ask(asked, body), asked.response, Number.POSITIVE_INFINITY);
    },
    cut_request: async (asked, { share }) => {
      const body = await bodyOf(asked.request);
      await ask(asked, body, Math.floor(body.byteLength * share)).catch(() => undefined);
      asked.request.socket.destroy();
    },
    cut_response: async (asked, { share }) => {
      const answer = await ask(asked, await bodyOf(asked.request));
      await pipeUntil(answer, asked.response, share);
      asked.request.socket.destroy();
    },
    silence: async ({ request }, { ms }) => {
      request.resume();
      await pause(ms);
      request.socket.destroy();
    },
    trickle: async (asked) => pipeSlowly(await ask(asked, await bodyOf(asked.request)), asked.response),
    unavailable: async ({ request, response }, { share }) => answerUnavailable(request, response, share),
  };

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the line has no port');
  const hangUp = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    arm: (fault) => void armed.push(fault),
    setOffline: (offline) => {
      isOffline = offline;
      if (offline) hangUp();
    },
    setOldServer: (isOld) => {
      isOldServer = isOld;
      if (isOld) hangUp();
    },
    goOfflineAfter: (path) => {
      lastPath = path;
    },
    calm: async () => {
      lastPath = null;
      armed.length = 0;
      isOffline = false;
      isOldServer = false;
      await Promise.all(late);
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      hangUp();
      await closed;
    },
  };
}
