/** `POST /v1/sync/stream`: NDJSON beside the contract's calls, since a page is a line and lines come as they are read. */
import type { FastifyInstance } from 'fastify';
import { Readable } from 'node:stream';
import { openStream, readStreamRequest, type StreamParts } from '../sync/index.ts';
import { admissionOf } from './request-caller.ts';
import type { Admit } from './router.ts';

export const STREAM_PATH = '/v1/sync/stream';

export function addStreamRoute(app: FastifyInstance, { admit, ...parts }: StreamParts & { admit: Admit }): void {
  app.post(STREAM_PATH, { config: { caller: 'device' } }, async (request, reply) => {
    const device = await admit(admissionOf(request, reply));
    const lines = await openStream(parts, device, readStreamRequest(request.body));
    return reply.type('application/x-ndjson').send(Readable.from(lines, { objectMode: false }));
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
