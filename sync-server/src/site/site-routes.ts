/** Serves the public site: pages that anyone may read and a CDN may cache, and the form that requests access. */
import type { SchoolIdentity } from '@parley/domain';
import etag from '@fastify/etag';
import fastifyStatic from '@fastify/static';
import { Email } from '@parley/contract';
import { PackPath } from '@parley/speech-pack/manifest';
import type { FastifyInstance, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { AccessMode, SignIn } from '../account/index.ts';
import type { PostPreviews } from '../authoring/index.ts';
import type { Pictures } from '../media/index.ts';
import { keepLastRead, type School } from '../school/index.ts';
import type { Billing } from '../billing/index.ts';
import { DomainError } from '../domain-error.ts';
import type { Database } from '../db/client.ts';
import { sendNotFound } from '../http/server/create-http-server.ts';
import { toErrorResponse } from '../http/errors/error-response.ts';
import { reportBug } from '../http/errors/report-bug.ts';
import type { BrowserSessions } from '../web/browser-sessions.ts';
import type { FileStorage } from '../ports/storage/file-storage.ts';
import type { CsrfGuard } from '../web/csrf-guard.ts';
import { formBody, rateLimitedForm, registerFormParser } from '../web/form-body.ts';
import {
  ACCESS_REQUEST_PATH,
  accessRequestedPage,
  accessRequestPage,
  TRAP_FIELD,
} from './pages/access-request-page.ts';
import { addBlogRoutes } from './blog/blog-routes.ts';
import { downloadsPage, RELEASE_FILES_PATH } from './pages/downloads-page.ts';
import { robotsText, securityText } from './blog/feeds.ts';
import { landingPage } from './pages/landing-page.ts';
import { pricingPage } from './pages/pricing-page.ts';
import { isServed, readReleases } from './pages/read-releases.ts';
import { addBrandRoutes } from './brand-routes.ts';
import { ASSET_CACHE, createSiteRenderer, type SiteRenderer } from './site-renderer.ts';
import { wordsFor } from './pages/site-words.ts';
import { failurePage, notFoundPage, TEXT_NAMES, textPage } from './pages/text-pages.ts';

export interface SiteRouteParts {
  db: Database;
  now: () => Date;
  origin: string;
  accessMode: AccessMode;
  readSchool: () => Promise<SchoolIdentity>;
  school: Pick<School, 'siteTexts'>;
  /** The contact address if the school has not given one. */
  operatorEmail: string;
  /** The operator's own texts; null for ours. */
  textsDir: string | null;
  /** The operator's installers; null when there are none. */
  downloadsDir: string | null;
  billing: Pick<Billing, 'plans'>;
  isMetered: boolean;
  gate: Pick<BrowserSessions, 'readBrowserMark'>;
  guard: CsrfGuard;
  signIn: Pick<SignIn, 'request'>;
  postPreviews: Pick<PostPreviews, 'read'>;
  pictures: Pick<Pictures, 'sizesIn'>;
  strict: RouteShorthandOptions;
  drawsCoversAhead: boolean;
  /** The storage that has the logo. */
  storage: FileStorage;
}

const RANGE_NOT_SATISFIABLE = 416;

export function addSiteRoutes(app: FastifyInstance, parts: SiteRouteParts): void {
  void app.register(async (scope) => {
    await registerFormParser(scope);
    await scope.register(etag);
    const site = createSiteRenderer(parts);
    scope.setErrorHandler(async (error, request, reply) => {
      const { status, body, isBug } = toErrorResponse(error, request.id);
      if (isBug) reportBug(error, request, reply);
      if (!wantsPage(request)) return reply.status(status).send(body);
      return site.send(reply, (words) => failurePage(words, { status, requestId: request.id }), {
        status,
        isPublic: false,
      });
    });
    addPages(scope, parts, site);
    addBlogRoutes(scope, parts, site);
    addAccessRequests(scope, parts, site);
    addAssets(scope, site);
    addBrandRoutes(scope, parts, site);
    // Programs that request an unknown address get JSON, people get a page.
    scope.get('/*', async (request, reply) => {
      if (!wantsPage(request)) return sendNotFound(request, reply);
      return site.send(reply, notFoundPage, { status: 404, isPublic: false });
    });
    await addDownloads(scope, parts, site);
  });
}

const wantsPage = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') === true;

function addPages(scope: FastifyInstance, parts: SiteRouteParts, site: SiteRenderer): void {
  const { billing, isMetered, accessMode, readSchool, school, operatorEmail, textsDir, origin, now } = parts;
  const contact = async (): Promise<string> => (await readSchool()).contactEmail ?? operatorEmail;

  const readLandingTexts = keepLastRead(
    () => school.siteTexts.readPublished(['headline', 'introduction']),
    [],
    (error) => scope.log.warn({ err: error }, 'site_texts_unreadable'),
  );

  scope.get('/', async (_request, reply) =>
    site.send(reply, async (words) =>
      landingPage(words, {
        school: await readSchool(),
        access: accessMode,
        texts: await readLandingTexts(),
        pictures: site.assets.pictures,
      }),
    ),
  );
  scope.get('/pricing', async (_request, reply) =>
    site.send(reply, async (words) => pricingPage(words, { ...(await billing.plans()), isMetered })),
  );
  for (const name of TEXT_NAMES)
    scope.get(`/${name}`, async (_request, reply) =>
      site.send(reply, async (words) =>
        textPage(words, name, {
          published: await school.siteTexts.readPublished([name]),
          dir: textsDir,
          contact: await contact(),
        }),
      ),
    );
  scope.get('/robots.txt', (_request, reply) => site.sendText(reply, 'text/plain; charset=utf-8', robotsText(origin)));
  scope.get('/.well-known/security.txt', async (_request, reply) =>
    site.sendText(reply, 'text/plain; charset=utf-8', securityText(origin, await contact(), now())),
  );
}

function addAccessRequests(scope: FastifyInstance, parts: SiteRouteParts, site: SiteRenderer): void {
  const { guard, gate, signIn, strict } = parts;
  // The length of a compressed page can reveal its token (https://www.breachattack.com).
  scope.get(ACCESS_REQUEST_PATH, { compress: false }, (request, reply) =>
    site.send(reply, (words) => accessRequestPage(words, guard.issueToken(request, reply, null)), { isPublic: false }),
  );
  scope.post(ACCESS_REQUEST_PATH, rateLimitedForm('anyone', strict), async (request, reply) => {
    const form = formBody(request);
    guard.assertToken(request, { token: form.get('token'), session: null });
    const email = Email.safeParse(form.get('email'));
    if (!email.success) throw new DomainError('request.invalid', { field: 'email' });
    const isHuman = (form.get(TRAP_FIELD) ?? '') === '';
    const requested = isHuman
      ? await signIn.request({
          email: email.data,
          address: request.ip,
          device: null,
          knownBrowserMark: gate.readBrowserMark(request),
          language: wordsFor(request).language,
          request: 'browser',
        })
      : null;
    const isNetworkLimited = requested?.isNetworkLimited ?? false;
    return site.send(reply, (words) => accessRequestedPage(words, { isNetworkLimited }), { isPublic: false });
  });
}

function addAssets(scope: FastifyInstance, { assets }: SiteRenderer): void {
  for (const { path, type, body } of assets.all)
    scope.get(path, (_request, reply) =>
      reply.headers({ 'content-type': type, 'cache-control': ASSET_CACHE }).send(body),
    );
}

async function addDownloads(
  scope: FastifyInstance,
  { downloadsDir, origin }: SiteRouteParts,
  site: SiteRenderer,
): Promise<void> {
  scope.get('/downloads', async (_request, reply) =>
    site.send(reply, async (words) => downloadsPage(words, await readReleases(downloadsDir), origin)),
  );
  if (downloadsDir === null) return;
  // `serve: false` adds only `reply.sendFile`, which supports the ranges that the app's updater requests.
  await scope.register(fastifyStatic, { root: resolve(downloadsDir), serve: false, decorateReply: true });
  // An updater that requests a range beyond the end of the file needs to learn the file's length.
  const errorHandler: RouteShorthandOptions['errorHandler'] = (error, _request, reply) => {
    const { statusCode, headers } = error as { statusCode?: number; headers?: Record<string, string> };
    if (statusCode !== RANGE_NOT_SATISFIABLE) throw error;
    void reply
      .status(statusCode)
      .headers({ ...headers })
      .send();
  };
  scope.get('/downloads/speech-pack/*', { compress: false, errorHandler }, (request, reply) => {
    const asked = z.object({ '*': PackPath.max(200) }).safeParse(request.params);
    if (!asked.success) return site.send(reply, notFoundPage, { status: 404, isPublic: false });
    return reply.sendFile(`speech-pack/${asked.data['*']}`, { cacheControl: false });
  });
  scope.get(`${RELEASE_FILES_PATH}/:file`, { compress: false, errorHandler }, (request, reply) => {
    const asked = z.object({ file: z.string().max(200).refine(isServed) }).safeParse(request.params);
    if (!asked.success) return site.send(reply, notFoundPage, { status: 404, isPublic: false });
    return reply.sendFile(asked.data.file, { cacheControl: false });
  });
}
