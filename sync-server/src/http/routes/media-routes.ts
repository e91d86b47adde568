/** Serves the procedures for media, and the files themselves with ranges: to learners what is published, to admins all of it. */
import { implement, type Router } from '@orpc/server';
import { serverContract } from '@parley/contract';
import { MEDIA_PATH } from '@parley/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Access } from '../../account/index.ts';
import { DomainError, hasErrorCode } from '../../domain-error.ts';
import type { Media } from '../../media/index.ts';
import type { School } from '../../school/index.ts';
import type { BrowserSessions } from '../../web/browser-sessions.ts';
import { sendNotFound } from '../server/create-http-server.ts';
import { type AdminCallerParts, createRequireAdmin, createRouteCallers } from './admin-caller.ts';
import type { RequestContext } from './admission.ts';
import { sendFile } from './send-file.ts';

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
      return sendFile(request, reply, {
        ...file,
        onMissing: () => request.log.error({ mediaId: id }, 'media_file_missing'),
      });
    };
  // Compressed responses have no ranges, and videos are compressed already.
  for (const [url, part] of [
    [`${MEDIA_PATH}/:id`, 'file'],
    [`${MEDIA_PATH}/:id/cover`, 'cover'],
  ] as const)
    app.route({ method: ['GET', 'HEAD'], url, compress: false, handler: serve(part) });
}
