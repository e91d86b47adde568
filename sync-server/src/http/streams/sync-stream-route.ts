/** Serves sync's streams as NDJSON, one page per line, which a contract procedure could not stream. */
import { ENDPOINTS, TURNS_LATER } from '@parley/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { DomainError } from '../../domain-error.ts';
import { createFairPlaces } from '../../fair-places.ts';
import {
  createPrefetchLimiter,
  openStream,
  openTurns,
  parseStreamRequest,
  parseTurnsRequest,
  type StreamParts,
} from '../../sync/index.ts';
import { clientSite } from '../addresses/client-network.ts';
import { toAdmissionRequest } from '../request-bodies/body-sender.ts';
import type { Admit } from '../routes/admission.ts';
import { closeWhenUnread } from './close-when-unread.ts';

/** While a device reads a stream, it may also fetch the turns of a session that the learner opened. */
const STREAMS_PER_ACCOUNT = 4;
/** Each stream buffers up to a few megabytes for its reader. */
const STREAMS_PER_PROCESS = 256;
const RETRY_AFTER_S = 5;
/** A compressed line of one megabyte takes half a minute at 50 kbit/s. */
const LINE_TIMEOUT_MS = 120_000;

export interface StreamRouteParts extends Omit<StreamParts, 'readAhead'> {
  admit: Admit;
  lineTimeoutMs?: number | undefined;
  maxStreams?: number | undefined;
}

export function addStreamRoute(
  app: FastifyInstance,
  { admit, lineTimeoutMs = LINE_TIMEOUT_MS, maxStreams = STREAMS_PER_PROCESS, ...parts }: StreamRouteParts,
): void {
  const readAhead = createPrefetchLimiter();
  const openByAccount = new Map<string, number>();
  const places = createFairPlaces(maxStreams);

  /**
   * A slow stream may last for hours. If its place is needed for others, the device continues from the same position
   * later.
   */
  const reserveStream = ({ ip }: FastifyRequest, reply: FastifyReply, userId: string): void => {
    // If the client disconnected during authentication, it would never release the place.
    if (reply.raw.destroyed || reply.raw.closed) throw new DomainError('request.invalid');
    const open = openByAccount.get(userId) ?? 0;
    const holder = { network: clientSite(ip), account: userId };
    const place = open < STREAMS_PER_ACCOUNT ? places.take(holder, () => reply.raw.destroy()) : null;
    if (place === null) {
      void reply.header('retry-after', RETRY_AFTER_S);
      throw new DomainError('request.too_many');
    }
    openByAccount.set(userId, open + 1);
    reply.raw.once('close', () => {
      const left = (openByAccount.get(userId) ?? 1) - 1;
      place.release();
      if (left === 0) openByAccount.delete(userId);
      else openByAccount.set(userId, left);
    });
  };

  const sendLines = (reply: FastifyReply, lines: AsyncGenerator<string>): FastifyReply =>
    reply.type(ENDPOINTS.stream.response.type).send(
      Readable.from(closeWhenUnread(lines, { reply, timeoutMs: lineTimeoutMs }), {
        objectMode: false,
        highWaterMark: 1,
      }),
    );

  app.post(ENDPOINTS.stream.path, { config: { caller: 'device' } }, async (request, reply) => {
    const device = await admit(toAdmissionRequest(request, reply));
    const asked = parseStreamRequest(request.body, { leavesOutTurns: asksForTurnsLater(request) });
    reserveStream(request, reply, device.userId);
    return sendLines(reply, await openStream({ ...parts, readAhead }, device, asked));
  });

  app.post(ENDPOINTS.turns.path, { config: { caller: 'device' } }, async (request, reply) => {
    const device = await admit(toAdmissionRequest(request, reply));
    const asked = parseTurnsRequest(request.body);
    reserveStream(request, reply, device.userId);
    return sendLines(reply, await openTurns({ ...parts, readAhead }, device, asked));
  });
}

const asksForTurnsLater = ({ query }: FastifyRequest): boolean =>
  typeof query === 'object' && query !== null && TURNS_LATER.name in query
    ? (query as Record<string, unknown>)[TURNS_LATER.name] === TURNS_LATER.value
    : false;
