/** Serves the procedures for media, and the files themselves with ranges: to learners what is published, to admins all of it. */
import { implement, type Router } from '@orpc/server';
import { serverContract } from '@parley/contract';
import { MEDIA_PATH } from '@parley/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import parseRange from 'range-parser';
import { z } from 'zod';
import type { Access } from '../../account/index.ts';
import { DomainError, hasErrorCode } from '../../domain-error.ts';
import type { Media, ServedFile } from '../../media/index.ts';
import type { ByteRange } from '../../ports/storage/file-storage.ts';
import type { School } from '../../school/index.ts';
import type { BrowserSessions } from '../../web/browser-sessions.ts';
import { sendNotFound } from '../server/create-http-server.ts';
import { type AdminCallerParts, createRequireAdmin, createRouteCallers } from './admin-caller.ts';
import type { RequestContext } from './admission.ts';

export interface MediaRouteParts extends Omit<AdminCallerParts, 'access' | 'secondFactor'> {
  media: Media;
  school: School;
  access: Access;
}

export function createMediaRoutes(parts: MediaRouteParts): Router<(typeof serverContract)['media'], RequestContext> {
  const contract = implement(serverContract).$context<RequestContext>().media;
  const requireAdmin = createRequireAdmin({ ...parts, secondFactor: parts.school.secondFactor });
  const { media } = parts;
  return {
    usage: contract.usage.handler(async ({ context }) => {
      await requireAdmin(context);
      return media.usage();
    }),
    finish: contract.finish.handler(async ({ input, context }) =>
      media.finish((await requireAdmin(context)).userId, input.id),
    ),
    read: contract.read.handler(async ({ input, context }) => {
      await requireAdmin(context);
      return { media: await media.read(input.id) };
    }),
    saveCover: contract.saveCover.handler(async ({ input, context }) => ({
      media: await media.saveCover((await requireAdmin(context)).userId, input),
    })),
    cancel: contract.cancel.handler(async ({ input, context }) => {
      await media.cancelUpload({ id: input.id, actorId: (await requireAdmin(context)).userId });
      return {};
    }),
  };
}

const Parameters = z.object({ id: z.uuid() });
/** A file never changes under its address. A cover does. */
const FILE_CACHE = 'private, max-age=31536000, immutable';
const COVER_CACHE = 'private, no-cache';
/** Whatever a file contains, it runs nothing when someone opens its address. */
const CONTENT_POLICY = "default-src 'none'; sandbox";

export function addMediaFileRoutes(
  app: FastifyInstance,
  parts: AdminCallerParts & { gate: BrowserSessions; media: Media },
): void {
  const { media } = parts;
  const { authenticate, requireAdminRights } = createRouteCallers(parts);
  const serve =
    (part: 'file' | 'cover') =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const caller = await authenticate(request, reply);
      const asked = Parameters.safeParse(request.params);
      if (!asked.success) return sendNotFound(request, reply);
      const { id } = asked.data;
      if (!(await media.isPublished(id))) {
        const isAdmin = await requireAdminRights(caller).then(
          () => true,
          (error: unknown) => {
            if (hasErrorCode(error, 'auth.forbidden')) return false;
            throw error;
          },
        );
        // A learner is not told that there is a draft.
        if (!isAdmin) return sendNotFound(request, reply);
      } else if (part === 'file' && !(await media.mayWatch(caller.userId, id))) throw new DomainError('course.locked');
      const file = await media.open(id, part);
      if (file === null) return sendNotFound(request, reply);
      void reply.headers({
        'accept-ranges': 'bytes',
        'cache-control': part === 'file' ? FILE_CACHE : COVER_CACHE,
        'content-security-policy': CONTENT_POLICY,
        'x-content-type-options': 'nosniff',
      });
      return sendFile(request, reply, file);
    };
  // Compressed responses have no ranges, and videos are compressed already.
  for (const [url, part] of [
    [`${MEDIA_PATH}/:id`, 'file'],
    [`${MEDIA_PATH}/:id/cover`, 'cover'],
  ] as const)
    app.route({ method: ['GET', 'HEAD'], url, compress: false, handler: serve(part) });
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, file: ServedFile): Promise<unknown> {
  const etag = `"${file.sha256}"`;
  void reply.headers({ etag, 'content-type': file.mediaType });
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const { range: wanted, 'if-range': ifRange } = request.headers;
  const range =
    wanted === undefined || (ifRange !== undefined && ifRange !== etag) ? null : toRange(file.bytes, wanted);
  if (range === 'unsatisfiable')
    return reply.code(416).header('content-range', `bytes */${file.bytes}`).removeHeader('content-type').send();
  const length = range === null ? file.bytes : range.end - range.start + 1;
  void reply.header('content-length', length);
  if (range !== null) void reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.bytes}`);
  // A stream would be read to its end.
  if (request.method === 'HEAD') return reply.send();
  const content = await file.open(range ?? undefined);
  if (content !== null) return reply.send(content);
  request.log.error({ mediaId: (request.params as { id: string }).id }, 'media_file_missing');
  for (const name of ['etag', 'content-length', 'content-range', 'cache-control']) void reply.removeHeader(name);
  return sendNotFound(request, reply);
}

const matches = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((each) => ['*', etag, `W/${etag}`].includes(each.trim())) === true;

/** Null when the whole file is sent: for several ranges, and for a header that is none. */
function toRange(bytes: number, header: string): ByteRange | 'unsatisfiable' | null {
  const ranges = parseRange(bytes, header, { combine: true });
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return null;
  const [range] = ranges;
  return range === undefined ? null : { start: range.start, end: range.end };
}
