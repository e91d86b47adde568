/** Serves `GET /openapi.json`, generated from the contract and the other routes. */
import { createHash } from 'node:crypto';
import { constants, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { createOpenApiDocument } from './openapi-document.ts';

export function addOpenApiRoute(app: FastifyInstance, parts: { sessionCookie: string }): void {
  let prepared: Promise<CompressedDocument> | null = null;
  app.get('/openapi.json', { compress: false }, async (request, reply) => {
    const stored = await (prepared ??= prepare(parts));
    void reply.headers({ etag: stored.etag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
    if (request.headers['if-none-match'] === stored.etag) return reply.status(304).send();
    void reply.type('application/json; charset=utf-8');
    if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(stored.plain);
    return reply.header('content-encoding', 'gzip').send(stored.gzip);
  });
}

interface CompressedDocument {
  etag: string;
  plain: Buffer;
  gzip: Buffer;
}

/**
 * Generates and compresses the document once, at the first request, because compressing it takes 10 ms and generating
 * it would add half to the time that building the server takes.
 */
async function prepare(parts: { sessionCookie: string }): Promise<CompressedDocument> {
  const plain = Buffer.from(JSON.stringify(await createOpenApiDocument(parts)));
  // The ETag is weak because it covers both the plain and the compressed document.
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url')}"`;
  return { etag, plain, gzip: gzipSync(plain, { level: constants.Z_BEST_COMPRESSION }) };
}

const acceptsGzip = (acceptEncoding: string | string[] | undefined): boolean =>
  String(acceptEncoding ?? '')
    .split(',')
    .some((offered) => /^\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)|$)/i.test(offered));
