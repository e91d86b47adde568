/** `GET /openapi.json`: the server's calls, as the contract has them, and what is served beside them. */
import { createHash } from 'node:crypto';
import { constants, gzipSync } from 'node:zlib';
import { OpenAPIGenerator } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { REALTIME_PATH, serverContract } from '@parley/contract';
import type { FastifyInstance } from 'fastify';
import { realtimePathItem } from './realtime-route.ts';
import { speechPathItems } from './speech-route.ts';
import { STREAM_PATH, streamPathItem } from './stream-route.ts';

const INFO = { title: 'Parley sync server', version: '1.0.0', description: 'Devices, accounts and sync.' };

export async function addApiDescription(app: FastifyInstance): Promise<void> {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });
  const document = await generator.generate(serverContract, { info: INFO });
  const described = {
    ...document,
    paths: { ...document.paths, [STREAM_PATH]: streamPathItem, ...speechPathItems, [REALTIME_PATH]: realtimePathItem },
  };
  let kept: ReturnType<typeof store> | null = null;
  app.get('/openapi.json', { compress: false }, (request, reply) => {
    const stored = (kept ??= store(JSON.stringify(described)));
    void reply.headers({ etag: stored.etag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
    if (request.headers['if-none-match'] === stored.etag) return reply.status(304).send();
    void reply.type('application/json; charset=utf-8');
    if (!takesGzip(request.headers['accept-encoding'])) return reply.send(stored.plain);
    return reply.header('content-encoding', 'gzip').send(stored.gzip);
  });
}

/** Written and packed once: it is 768 kB, and doing that for each call took 10 ms. */
function store(document: string): { etag: string; plain: Buffer; gzip: Buffer } {
  const plain = Buffer.from(document);
  // Weak: the packed and the plain document are the same to whoever asks.
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url')}"`;
  return { etag, plain, gzip: gzipSync(plain, { level: constants.Z_BEST_COMPRESSION }) };
}

const takesGzip = (acceptEncoding: string | string[] | undefined): boolean =>
  String(acceptEncoding ?? '')
    .split(',')
    .some((offered) => /^\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)|$)/i.test(offered));
