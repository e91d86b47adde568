/**
 * Serves the procedures for media, and the files themselves with ranges: post pictures to anyone who may read the post,
 * published videos to learners, and everything to admins.
 */
import { implement, type Router } from '@orpc/server';
import { serverContract } from '@parley/contract';
import { MEDIA_PATH, mediaIdsIn } from '@parley/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Access } from '../../account/index.ts';
import { type PostPreviews, PREVIEW_TOKEN } from '../../authoring/index.ts';
import type { Database } from '../../db/client.ts';
import { DomainError, hasErrorCode } from '../../domain-error.ts';
import type { Media, Pictures } from '../../media/index.ts';
import type { School } from '../../school/index.ts';
import type { BrowserSessions } from '../../web/browser-sessions.ts';
import { sendNotFound } from '../server/create-http-server.ts';
import { type AdminCallerParts, createRequireAdmin, createRouteCallers } from './admin-caller.ts';
import type { RequestContext } from './admission.ts';
import { sendFile } from './send-file.ts';

export interface MediaRouteParts extends Omit<AdminCallerParts, 'access' | 'secondFactor'> {
  db: Database;
  media: Media;
  pictures: Pictures;
  school: School;
  access: Access;
}

export function createMediaRoutes(parts: MediaRouteParts): Router<(typeof serverContract)['media'], RequestContext> {
  const contract = implement(serverContract).$context<RequestContext>().media;
  const requireAdmin = createRequireAdmin({ ...parts, secondFactor: parts.school.secondFactor });
  const { db, media, pictures } = parts;
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
    addPicture: contract.addPicture.handler(async ({ input: { fileName, picture }, context }) => {
      const { userId: actorId } = await requireAdmin(context);
      const bytes = Buffer.from(/^data:[a-z/]+;base64,([A-Za-z0-9+/]+=*)$/.exec(picture)?.[1] ?? '', 'base64');
      return db.transaction((tx) => pictures.add(tx, { fileName, bytes, actorId }));
    }),
    cancel: contract.cancel.handler(async ({ input, context }) => {
      await media.cancelUpload({ id: input.id, actorId: (await requireAdmin(context)).userId });
      return {};
    }),
  };
}

const Parameters = z.object({ id: z.uuid() });
const Preview = z.object({ preview: z.string().regex(PREVIEW_TOKEN) });
/** The file at an address never changes, but its cover does. */
const FILE_CACHE = 'private, max-age=31536000, immutable';
const COVER_CACHE = 'private, no-cache';
/** As long as for the covers of posts, so that a withdrawn picture disappears soon. */
const PICTURE_CACHE = 'public, max-age=86400';
const PREVIEW_CACHE = 'private, no-store';
/** Code in a file must not run when its address is opened in a browser. */
const CONTENT_POLICY = "default-src 'none'; sandbox";

export function addMediaFileRoutes(
  app: FastifyInstance,
  parts: AdminCallerParts & {
    gate: BrowserSessions;
    media: Media;
    pictures: Pick<Pictures, 'isPublished' | 'isPicture'>;
    postPreviews: Pick<PostPreviews, 'read'>;
  },
): void {
  const { media, pictures, postPreviews } = parts;
  const { authenticate, requireAdminRights } = createRouteCallers(parts);
  /** How someone who is not signed in may cache a picture; null if they may not see it. */
  async function publicCacheOf(request: FastifyRequest, id: string): Promise<string | null> {
    if (await pictures.isPublished(id)) return PICTURE_CACHE;
    const { data } = Preview.safeParse(request.query);
    if (data === undefined) return null;
    const draft = await postPreviews.read(data.preview);
    const isShown = draft !== null && mediaIdsIn(draft.content).includes(id) && (await pictures.isPicture(id));
    return isShown ? PREVIEW_CACHE : null;
  }

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    { id, part, cache }: { id: string; part: 'file' | 'cover'; cache: string },
  ): Promise<unknown> {
    const file = await media.open(id, part);
    if (file === null) return sendNotFound(request, reply);
    void reply.headers({
      'accept-ranges': 'bytes',
      'cache-control': cache,
      'content-security-policy': CONTENT_POLICY,
      'x-content-type-options': 'nosniff',
    });
    return sendFile(request, reply, {
      ...file,
      onMissing: () => request.log.error({ mediaId: id }, 'media_file_missing'),
    });
  }

  const serve =
    (part: 'file' | 'cover') =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const asked = Parameters.safeParse(request.params);
      const publicCache = asked.success && part === 'file' ? await publicCacheOf(request, asked.data.id) : null;
      if (asked.success && publicCache !== null)
        return send(request, reply, { id: asked.data.id, part, cache: publicCache });
      const caller = await authenticate(request, reply);
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
      return send(request, reply, { id, part, cache: part === 'file' ? FILE_CACHE : COVER_CACHE });
    };
  // Compressed responses cannot be served in ranges, and videos are compressed already.
  for (const [url, part] of [
    [`${MEDIA_PATH}/:id`, 'file'],
    [`${MEDIA_PATH}/:id/cover`, 'cover'],
  ] as const)
    app.route({ method: ['GET', 'HEAD'], url, compress: false, handler: serve(part) });
}
