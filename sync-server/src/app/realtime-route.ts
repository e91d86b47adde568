/** `GET /v1/coach/realtime`: a WebSocket for a conversation in which both may speak at once; see contract/server/realtime.ts. */
import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ORPCError } from '@orpc/server';
import { MAX_REALTIME_BEGIN_BYTES, REALTIME_PATH, type RealtimeBegin, type RealtimeUp } from '@parley/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import type { SignedInDevice } from '../account/index.ts';
import type { LiveCoaching, LiveTalk } from '../coach/index.ts';
import { failure } from '../failure.ts';
import { LINE_LIMITS, type LineLimits, openRealtimeLine } from './realtime-line.ts';
import type { Admit, CallContext } from './router.ts';

export interface RealtimeRouteParts {
  admit: Admit;
  live: LiveCoaching;
  limits?: Partial<LineLimits>;
}

export function addRealtimeRoute(app: FastifyInstance, { admit, live, limits }: RealtimeRouteParts): void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_REALTIME_BEGIN_BYTES,
    // Sound does not shrink, and packing it takes time that a conversation does not have.
    perMessageDeflate: false,
  });
  const upgrades = new WeakMap<IncomingMessage, { socket: Socket; head: Buffer; response: ServerResponse }>();
  const conversing = new Set<{ end: () => Promise<void> }>();

  // A request that wants a socket passes the hooks and limits of all others, and is refused in the same words.
  app.server.on('upgrade', (request, duplex, head) => {
    // Node's own servers hand out nothing else.
    const socket = duplex as Socket;
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.on('finish', () => socket.end());
    socket.on('error', () => socket.destroy());
    upgrades.set(request, { socket, head, response });
    app.routing(request, response);
  });

  app.get(REALTIME_PATH, async (request, reply) => {
    const upgrade = upgrades.get(request.raw);
    const admitted = (retryAfter: CallContext['retryAfter']): Promise<SignedInDevice> =>
      admit({ authorization: request.headers.authorization, provenDevice: null, retryAfter }, { ofCoach: true });
    const device = await admitted((seconds) => void reply.header('retry-after', seconds));
    if (upgrade === undefined) throw failure('request.invalid', { field: 'upgrade' });
    const { socket, head, response } = upgrade;
    if (socket.destroyed) return reply.hijack();
    reply.hijack();
    response.detachSocket(socket);
    sockets.handleUpgrade(request.raw, socket, head, (opened) =>
      converse({
        socket: opened,
        device,
        request,
        stillAdmitted: () => isStillAdmitted(admitted(() => undefined)),
      }),
    );
  });

  app.addHook('preClose', async () => {
    await Promise.all([...conversing].map(({ end }) => end()));
    for (const socket of sockets.clients) socket.terminate();
  });

  interface Opened {
    socket: WebSocket;
    device: SignedInDevice;
    request: FastifyRequest;
    stillAdmitted: () => Promise<void>;
  }

  function converse({ socket, device, request, stillAdmitted }: Opened): void {
    const gone = new AbortController();
    let talk: LiveTalk | null = null;
    let beginning: Promise<void> = Promise.resolve();
    const logged = (error: unknown): void => request.log.error({ err: error }, 'a live conversation failed');

    const asked = (message: RealtimeUp): void => {
      switch (message.type) {
        case 'begin':
          beginning = begin(message);
          return;
        case 'played':
          return talk?.played(message);
        case 'giveMeAMoment':
          return talk?.giveMeAMoment(message.on);
        case 'end':
          return talk === null ? line.tell({ type: 'over', reason: 'ended' }) : talk.end();
      }
    };
    const begin = async (wanted: RealtimeBegin): Promise<void> => {
      try {
        talk = await live.begin(device, wanted, { line, signal: gone.signal, stillAdmitted });
        if (gone.signal.aborted) talk.drop();
        await talk.closed;
      } catch (error) {
        if (!gone.signal.aborted) line.fail(error);
      }
    };
    const line = openRealtimeLine({
      socket,
      requestId: request.id,
      limits: { ...LINE_LIMITS, ...limits },
      asked,
      hear: (pcm) => talk?.hear(pcm),
      gone: () => {
        gone.abort();
        talk?.drop();
        void beginning.finally(() => conversing.delete(entry));
      },
      bug: logged,
    });
    const entry = {
      end: async (): Promise<void> => {
        const closing = failure('coach.unavailable', { detail: 'closing' });
        if (talk === null) line.fail(closing);
        else talk.fail(closing);
        gone.abort();
        await beginning;
      },
    };
    conversing.add(entry);
  }
}

/** Asking too often ends no conversation. */
async function isStillAdmitted(admission: Promise<unknown>): Promise<void> {
  try {
    await admission;
  } catch (error) {
    if (!(error instanceof ORPCError && error.code === 'request.too_many')) throw error;
  }
}

/** For the OpenAPI document, which is made from the contract. */
export const realtimePathItem = {
  get: {
    summary: 'A conversation in which both may speak at once, over a WebSocket; its messages are in packages/contract',
    responses: { 101: { description: 'JSON messages and binary sound, both ways' } },
  },
};
