/** Serves `GET /v1/coach/realtime`, the WebSocket of a realtime session; see contract/server/realtime.ts. */
import websocket from '@fastify/websocket';
import {
  ENDPOINTS,
  MAX_REALTIME_BEGIN_BYTES,
  type RealtimeBeginMessage,
  type RealtimeClientMessage,
} from '@parley/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import type { SignedInDevice } from '../../account/index.ts';
import type { RealtimeCoaching, RealtimeCoachSession } from '../../coach/index.ts';
import { DomainError, hasErrorCode } from '../../domain-error.ts';
import {
  REALTIME_CONNECTION_LIMITS,
  type RealtimeConnectionLimits,
  openRealtimeConnection,
} from './realtime-connection.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { Admit, RequestContext } from '../routes/admission.ts';
import { logUnexpected } from '../errors/report-bug.ts';

export interface RealtimeRouteParts {
  admit: Admit;
  coaching: RealtimeCoaching;
  /** Counts the connections per account, because a provider charges for each call that begins. */
  connectionLimiter: Pick<RateLimiter, 'consume'>;
  limits?: Partial<RealtimeConnectionLimits>;
  /** Called as soon as the device of a request is known. */
  onProven?: (request: FastifyRequest, userId: string) => void;
}

export function addRealtimeRoute(
  app: FastifyInstance,
  { admit, coaching, connectionLimiter, limits, onProven = () => undefined }: RealtimeRouteParts,
): void {
  const activeConnections = new Set<{ end: () => Promise<void> }>();
  const devices = new WeakMap<FastifyRequest, SignedInDevice>();
  const admitted = (request: FastifyRequest, retryAfter: RequestContext['retryAfter']): Promise<SignedInDevice> =>
    admit({ authorization: request.headers.authorization, provenDevice: null, retryAfter }, { ofCoach: true });

  // In a scope of its own, because the plugin would reject requests for other upgrades on every other route.
  void app.register(async (scope) => {
    await scope.register(websocket, {
      options: {
        maxPayload: MAX_REALTIME_BEGIN_BYTES,
        // Audio hardly compresses, and compressing it would add latency.
        perMessageDeflate: false,
      },
      preClose: () => endConnections(scope.websocketServer.clients),
      errorHandler: (error, socket, request) => {
        // The errors of a socket have a code, and its close event follows.
        if ('code' in error) return;
        request.log.error({ err: error }, 'unhandled_error');
        socket.terminate();
      },
    });
    scope.route({
      method: ENDPOINTS.realtime.method,
      url: ENDPOINTS.realtime.path,
      // Runs before the upgrade, so that upgrade requests pass the same hooks and limits as other requests and get the
      // same error responses.
      preValidation: async (request, reply) => {
        const retryAfter: RequestContext['retryAfter'] = (seconds) => void reply.header('retry-after', seconds);
        const device = await admitted(request, retryAfter);
        const waitSeconds = await connectionLimiter.consume(device.userId);
        if (waitSeconds !== null) {
          retryAfter(waitSeconds);
          throw new DomainError('request.too_many');
        }
        devices.set(request, device);
        onProven(request, device.userId);
      },
      handler: () => {
        throw new DomainError('request.invalid', { field: 'upgrade' });
      },
      wsHandler: (socket, request) => {
        const device = devices.get(request);
        if (device === undefined) throw new Error('the upgrade was not admitted');
        serveConnection({
          socket,
          device,
          request,
          stillAdmitted: () => assertStillAdmitted(admitted(request, () => undefined)),
        });
      },
    });
  });

  async function endConnections(sockets: ReadonlySet<WebSocket>): Promise<void> {
    await Promise.all([...activeConnections].map(({ end }) => end()));
    for (const socket of sockets) socket.terminate();
  }

  interface OpenedConnection {
    socket: WebSocket;
    device: SignedInDevice;
    request: FastifyRequest;
    stillAdmitted: () => Promise<void>;
  }

  function serveConnection({ socket, device, request, stillAdmitted }: OpenedConnection): void {
    const disconnected = new AbortController();
    let session: RealtimeCoachSession | null = null;
    let beginning: Promise<void> = Promise.resolve();
    const logBug = (error: unknown): void => logUnexpected(request.log, error);

    const onMessage = (message: RealtimeClientMessage): void => {
      switch (message.type) {
        case 'begin':
          beginning = begin(message);
          return;
        case 'played':
          return session?.onPlayed(message);
        case 'giveMeAMoment':
          return session?.setOnHold(message.on);
        case 'end':
          return session === null ? connection.send({ type: 'over', reason: 'ended' }) : session.end();
      }
    };
    const begin = async (message: RealtimeBeginMessage): Promise<void> => {
      try {
        session = await coaching.begin(device, message, { connection, signal: disconnected.signal, stillAdmitted });
        if (disconnected.signal.aborted) session.onDisconnect();
        await session.closed;
      } catch (error) {
        // A bug is logged even if the device has gone, because what it used may not have been settled.
        if (error !== disconnected.signal.reason) connection.fail(error);
      }
    };
    const connection = openRealtimeConnection({
      socket,
      requestId: request.id,
      limits: { ...REALTIME_CONNECTION_LIMITS, ...limits },
      onMessage,
      onAudio: (pcm) => session?.onLearnerAudio(pcm),
      onClose: () => {
        disconnected.abort();
        session?.onDisconnect();
        void beginning.finally(() => activeConnections.delete(entry));
      },
      onBug: logBug,
    });
    const entry = {
      end: async (): Promise<void> => {
        const closing = new DomainError('coach.unavailable', { detail: 'closing' });
        if (session === null) connection.fail(closing);
        else session.fail(closing);
        disconnected.abort();
        await beginning;
      },
    };
    activeConnections.add(entry);
  }
}

/** A rate limit must not end a session that is already running. */
async function assertStillAdmitted(admission: Promise<unknown>): Promise<void> {
  try {
    await admission;
  } catch (error) {
    if (!hasErrorCode(error, 'request.too_many')) throw error;
  }
}
