/** Serves the authoring procedures of the contract, and packs as files. Each requires an admin. */
import { implement, type Router } from '@orpc/server';
import {
  MAX_SENT_PACK_BYTES,
  PACK_EXPORT_PATH,
  PACK_IMPORT_PATH,
  PACK_PREVIEW_PATH,
  PackSeen,
  serverContract,
} from '@parley/contract';
import { CONTENT_KINDS } from '@parley/domain';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Access } from '../../account/index.ts';
import type {
  Authoring,
  CoursePacks,
  DraftPractice,
  PostPreviews,
  PracticeTexts,
  SpeakSample,
  TryCoach,
  TryPractice,
} from '../../authoring/index.ts';
import { DomainError } from '../../domain-error.ts';
import type { Pictures } from '../../media/index.ts';
import { renderDraft } from '../../site/index.ts';
import type { BrowserSessions } from '../../web/browser-sessions.ts';
import type { School } from '../../school/index.ts';
import { type AdminCallerParts, createRequireAdmin, createRouteCallers } from './admin-caller.ts';
import type { RequestContext } from './admission.ts';

export interface ContentRouteParts extends Omit<AdminCallerParts, 'access' | 'secondFactor'> {
  school: School;
  access: Access;
  authoring: Authoring;
  tryPractice: TryPractice;
  tryCoach: TryCoach;
  speakSample: SpeakSample;
  draftPractice: DraftPractice;
  practiceTexts: PracticeTexts;
  postPreviews: PostPreviews;
  pictures: Pictures;
}

const neverAborted = new AbortController().signal;

export function createContentRoutes(
  parts: ContentRouteParts,
): Router<(typeof serverContract)['content'], RequestContext> {
  const { authoring, tryPractice, tryCoach, speakSample, draftPractice, practiceTexts, postPreviews, pictures } = parts;
  const { content } = implement(serverContract).$context<RequestContext>();
  const requireAdmin = createRequireAdmin({ ...parts, secondFactor: parts.school.secondFactor });
  const adminId = async (context: RequestContext): Promise<string> => (await requireAdmin(context)).userId;
  return {
    list: content.list.handler(async ({ input, context }) => {
      await requireAdmin(context);
      return authoring.list(input);
    }),
    read: content.read.handler(async ({ input, context }) => {
      await requireAdmin(context);
      return authoring.read(input);
    }),
    create: content.create.handler(async ({ input: { document, ...reference }, context }) =>
      authoring.create(await adminId(context), reference, document),
    ),
    save: content.save.handler(async ({ input: { document, ...reference }, context }) =>
      authoring.save(await adminId(context), reference, document),
    ),
    check: content.check.handler(async ({ input: { document, ...reference }, context }) => {
      await requireAdmin(context);
      return authoring.check(reference, document);
    }),
    publish: content.publish.handler(async ({ input, context }) =>
      authoring.publish(await adminId(context), input.contents),
    ),
    withdraw: content.withdraw.handler(async ({ input, context }) => authoring.withdraw(await adminId(context), input)),
    delete: content.delete.handler(async ({ input, context }) => authoring.delete(await adminId(context), input)),
    versions: content.versions.handler(async ({ input, context }) => {
      await requireAdmin(context);
      return authoring.versions(input);
    }),
    revert: content.revert.handler(async ({ input, context }) => authoring.revert(await adminId(context), input)),
    starterUpdate: content.starterUpdate.handler(async ({ input, context }) =>
      authoring.starterUpdate(await adminId(context), input),
    ),
    previewLink: content.previewLink.handler(async ({ input, context }) =>
      postPreviews.link(await adminId(context), input.id),
    ),
    renderText: content.renderText.handler(async ({ input: { text }, context }) => {
      await requireAdmin(context);
      return { html: renderDraft(text, { sizes: await pictures.sizesIn(text) }).text };
    }),
    toText: content.toText.handler(async ({ input, context }) => {
      await requireAdmin(context);
      return practiceTexts.write(input.document);
    }),
    fromText: content.fromText.handler(async ({ input, context }) => {
      await requireAdmin(context);
      return practiceTexts.read(input);
    }),
    tryPractice: content.tryPractice.handler(async ({ input, context }) => {
      await requireAdmin(context);
      return tryPractice(input);
    }),
    tryCoach: content.tryCoach.handler(async ({ input, context, signal = neverAborted }) =>
      tryCoach(await adminId(context), input, signal),
    ),
    speakSample: content.speakSample.handler(async ({ input, context, signal = neverAborted }) =>
      speakSample(await adminId(context), input, signal),
    ),
    draftPractice: content.draftPractice.handler(async ({ input, context, signal = neverAborted }) =>
      draftPractice(await adminId(context), input, signal),
    ),
  };
}

/**
 * `upload` is the id of a pack that was uploaded in pieces, like a video. Without it, the request's body is a small
 * pack.
 */
const PreviewQuery = z.object({ upload: z.uuid().optional() });
const ImportQuery = PreviewQuery.extend({
  publish: z.enum(['true', 'false']).default('false'),
  seen: PackSeen.optional(),
});
const ExportQuery = z.object({
  kind: z.enum(CONTENT_KINDS).optional(),
  id: z.union([z.uuid().transform((id) => [id]), z.array(z.uuid()).max(200)]).default([]),
});

export interface PackRouteParts extends AdminCallerParts {
  packs: CoursePacks;
  gate: BrowserSessions;
}

export function addPackRoutes(app: FastifyInstance, parts: PackRouteParts): void {
  const { packs } = parts;
  const { requireAdmin } = createRouteCallers(parts);
  const sourceOf = async (
    { body }: FastifyRequest,
    { upload, userId }: { upload?: string | undefined; userId: string },
  ) => {
    if (upload !== undefined) return packs.uploaded({ id: upload, actorId: userId });
    if (!Buffer.isBuffer(body) || body.byteLength === 0) throw new DomainError('request.invalid', { field: 'body' });
    return { bytes: body };
  };
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      ['application/zip', 'application/octet-stream'],
      { parseAs: 'buffer', bodyLimit: MAX_SENT_PACK_BYTES },
      (_request, body, done) => done(null, body),
    );
    const options = { bodyLimit: MAX_SENT_PACK_BYTES, config: { caller: 'admin' } } as const;
    scope.post(PACK_PREVIEW_PATH, options, async (request, reply) => {
      const { userId } = await requireAdmin(request, reply);
      const query = PreviewQuery.safeParse(request.query);
      if (!query.success) throw new DomainError('request.invalid', { field: 'upload' });
      return packs.preview(await sourceOf(request, { ...query.data, userId }));
    });
    scope.post(PACK_IMPORT_PATH, options, async (request, reply) => {
      const { userId } = await requireAdmin(request, reply);
      const query = ImportQuery.safeParse(request.query);
      if (!query.success) throw new DomainError('request.invalid', { field: String(query.error.issues[0]?.path[0]) });
      const source = await sourceOf(request, { ...query.data, userId });
      const { publish, seen = null } = query.data;
      return packs.import(userId, source, { publish: publish === 'true', seen });
    });
  });
  app.get(PACK_EXPORT_PATH, async (request, reply) => {
    await requireAdmin(request, reply);
    const query = ExportQuery.safeParse(request.query);
    if (!query.success) throw new DomainError('request.invalid', { field: 'id' });
    const { kind, id } = query.data;
    const references = kind === undefined ? null : id.map((each) => ({ kind, id: each }));
    const name = await packs.exportName(references);
    const pack = await packs.export(references);
    return reply
      .headers({
        'content-type': 'application/zip',
        'content-disposition': `attachment; filename="${name}.parleypack"`,
        'cache-control': 'no-store',
      })
      .send(pack);
  });
}
