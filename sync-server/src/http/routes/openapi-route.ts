/** Serves `GET /openapi.json`, generated from the contract and the routes beside it. */
import { createHash } from 'node:crypto';
import { constants, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { createOpenApiDocument } from './openapi-document.ts';

export async function addOpenApiRoute(app: FastifyInstance, parts: { sessionCookie: string }): Promise<void> {
  const described = await createOpenApiDocument(parts);
  let kept: ReturnType<typeof precompress> | null = null;
  app.get('/openapi.json', { compress: false }, (request, reply) => {
    const stored = (kept ??= precompress(JSON.stringify(described)));
    void reply.headers({ etag: stored.etag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
    if (request.headers['if-none-match'] === stored.etag) return reply.status(304).send();
    void reply.type('application/json; charset=utf-8');
    if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(stored.plain);
    return reply.header('content-encoding', 'gzip').send(stored.gzip);
  });
}

/** The document is generated and compressed once: doing this per request took 10 ms. */
function precompress(document: string): { etag: string; plain: Buffer; gzip: Buffer } {
  const plain = Buffer.from(document);
  // The ETag is weak because it covers both the plain and the compressed document.
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url')}"`;
  return { etag, plain, gzip: gzipSync(plain, { level: constants.Z_BEST_COMPRESSION }) };
}

const acceptsGzip = (acceptEncoding: string | string[] | undefined): boolean =>
  String(acceptEncoding ?? '')
    .split(',')
    .some((offered) => /^\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)|$)/i.test(offered));
