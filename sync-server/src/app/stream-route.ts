/** `POST /v1/sync/stream`: NDJSON beside the contract's calls, since a page is a line and lines come as they are read. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { failure } from '../failure.ts';
import { createReadAhead, openStream, readStreamRequest, type StreamParts } from '../sync/index.ts';
import { admissionOf } from './request-caller.ts';
import type { Admit } from './router.ts';

export const STREAM_PATH = '/v1/sync/stream';

/** A device reads one stream at a time. */
const STREAMS_PER_ACCOUNT = 4;
/** Each holds up to a few megabytes for its reader. */
const STREAMS_PER_PROCESS = 256;
const RETRY_AFTER_S = 5;
/** A line of a megabyte, compressed, takes half a minute at 50 kbit/s. */
const LINE_WITHIN_MS = 120_000;

export interface StreamRouteParts extends Omit<StreamParts, 'readAhead'> {
  admit: Admit;
  lineWithinMs?: number | undefined;
}

export function addStreamRoute(
  app: FastifyInstance,
  { admit, lineWithinMs = LINE_WITHIN_MS, ...parts }: StreamRouteParts,
): void {
  const readAhead = createReadAhead();
  const openByAccount = new Map<string, number>();
  let openStreams = 0;

  const takePlace = (userId: string, reply: FastifyReply): void => {
    const open = openByAccount.get(userId) ?? 0;
    if (open >= STREAMS_PER_ACCOUNT || openStreams >= STREAMS_PER_PROCESS) {
      void reply.header('retry-after', RETRY_AFTER_S);
      throw failure('request.too_many');
    }
    openByAccount.set(userId, open + 1);
    openStreams += 1;
    reply.raw.once('close', () => {
      const left = (openByAccount.get(userId) ?? 1) - 1;
      openStreams -= 1;
      if (left === 0) openByAccount.delete(userId);
      else openByAccount.set(userId, left);
    });
  };

  /** Ends the answer when a line is not taken in time: nothing is read from the database for a reader who does not read. */
  async function* whileRead(lines: AsyncGenerator<string>, reply: FastifyReply): AsyncGenerator<string> {
    for await (const line of lines) {
      const timer = setTimeout(() => reply.raw.destroy(), lineWithinMs);
      try {
        yield line;
      } finally {
        clearTimeout(timer);
      }
    }
  }

  app.post(STREAM_PATH, { config: { caller: 'device' } }, async (request, reply) => {
    const device = await admit(admissionOf(request, reply));
    const asked = readStreamRequest(request.body);
    takePlace(device.userId, reply);
    const lines = await openStream({ ...parts, readAhead }, device, asked);
    return reply
      .type('application/x-ndjson')
      .send(Readable.from(whileRead(lines, reply), { objectMode: false, highWaterMark: 1 }));
  });
}

/** For the OpenAPI document, which is made from the contract. */
export const streamPathItem = {
  post: {
    summary: 'Everything since the cursors, a page a line of NDJSON; see docs/protocol.md',
    requestBody: { content: { 'application/json': {} } },
    responses: { 200: { description: 'Pages, then an end', content: { 'application/x-ndjson': {} } } },
  },
};
