/** Serves the blog: its lists and posts, feeds, pictures, and secret previews of drafts. */
import type { SchoolIdentity } from '@parley/domain';
import { SOURCE_LANGUAGE } from '@parley/i18n';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type PostPreviews, PREVIEW_TOKEN } from '../../authoring/index.ts';
import type { Database } from '../../db/client.ts';
import { localizerFor, requestedLanguage } from '../../localization/index.ts';
import type { Pictures } from '../../media/index.ts';
import type { School } from '../../school/index.ts';
import { type BlogList, blogPage, postPage, postPath, POSTS_A_PAGE, previewPage } from './blog-pages.ts';
import { createCoverPictures, type PicturedPost, type PictureSize } from './cover-picture.ts';
import { buildSitemap, type FeedFormat, FEEDS, POSTS_IN_FEED, writeFeed } from './feeds.ts';
import {
  countPosts,
  forList,
  readMovedSlug,
  listAddresses,
  listPosts,
  listTags,
  readCover,
  readPost,
  relatedPosts,
  withTags,
} from './read-posts.ts';
import { PICTURE_CACHE, type SiteRenderer } from '../site-renderer.ts';
import { isTextTranslated, notFoundPage, TEXT_NAMES } from '../pages/text-pages.ts';

export interface BlogRouteParts {
  db: Database;
  now: () => Date;
  origin: string;
  readSchool: () => Promise<SchoolIdentity>;
  school: Pick<School, 'siteTexts'>;
  postPreviews: Pick<PostPreviews, 'read'>;
  pictures: Pick<Pictures, 'sizesIn'>;
  /** The operator's own texts; null for ours. */
  textsDir: string | null;
  /** Whether the covers of the newest posts are drawn as soon as the server listens, before a reader waits for them. */
  drawsCoversAhead: boolean;
}

const SERVICE_UNAVAILABLE = 503;
/** A sitemap may have 50,000 addresses. A tag page has seven, one per language. */
const SITEMAP_POSTS = 45_000;
const SITEMAP_TAGS = 500;

/** PostgreSQL refuses text with control characters such as a zero byte. */
const Name = z.string().regex(/^\P{Control}{1,200}$/u);
const Slug = z.object({ slug: Name });
const Tag = z.object({ tag: Name });
const ListQuery = z.object({ page: z.coerce.number().int().min(1).max(100_000).default(1) });
const Token = z.object({ token: z.string().regex(PREVIEW_TOKEN) });

export function addBlogRoutes(scope: FastifyInstance, parts: BlogRouteParts, site: SiteRenderer): void {
  addPosts(scope, parts, site);
  addPictures(scope, parts, site);
  addFeeds(scope, parts, site);
  scope.get('/preview/:token', async (request, reply) => {
    const asked = Token.safeParse(request.params);
    const post = asked.success ? await parts.postPreviews.read(asked.data.token) : null;
    // The address is a secret: neither search engines nor the sites to which the draft links may learn it.
    reply.headers({ 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' });
    if (!asked.success || post === null) return sendNotFound(site, reply);
    const school = await parts.readSchool();
    const pictures = {
      sizes: await parts.pictures.sizesIn(post.content),
      query: new URLSearchParams({ preview: asked.data.token }),
    };
    return site.send(reply, (words) => previewPage(words, post, { school, pictures }), { isPublic: false });
  });
}

const sendNotFound = (site: SiteRenderer, reply: FastifyReply): Promise<FastifyReply> =>
  site.send(reply, notFoundPage, { status: 404, isPublic: false });

function addPosts(
  scope: FastifyInstance,
  { db, now, origin, readSchool, pictures }: BlogRouteParts,
  site: SiteRenderer,
): void {
  async function sendList(request: FastifyRequest, reply: FastifyReply, tag: string | null): Promise<FastifyReply> {
    const query = ListQuery.safeParse(request.query);
    const number = query.success ? query.data.page : 1;
    const shown = { now: now(), tag };
    const [posts, count] = await Promise.all([
      listPosts(db, { ...shown, limit: POSTS_A_PAGE, offset: (number - 1) * POSTS_A_PAGE }).then((found) =>
        forList(db, found),
      ),
      countPosts(db, shown),
    ]);
    if (posts.length === 0 && (number > 1 || tag !== null)) return sendNotFound(site, reply);
    const list: BlogList = { posts, number, count, tag };
    return site.send(reply, (words) => blogPage(words, list));
  }
  scope.get('/blog', (request, reply) => sendList(request, reply, null));
  scope.get('/tags/:tag', async (request, reply) => {
    const asked = Tag.safeParse(request.params);
    return asked.success ? sendList(request, reply, asked.data.tag) : sendNotFound(site, reply);
  });
  scope.get('/blog/:slug', async (request, reply) => {
    const asked = Slug.safeParse(request.params);
    if (!asked.success) return sendNotFound(site, reply);
    const wanted = { slug: asked.data.slug, now: now() };
    const post = await readPost(db, wanted);
    if (post !== null) {
      const related = await forList(db, await relatedPosts(db, post, wanted.now));
      const school = await readSchool();
      const sizes = await pictures.sizesIn(post.content);
      return site.send(reply, (words) => postPage(words, post, { school, origin, related, pictures: { sizes } }));
    }
    const slug = await readMovedSlug(db, wanted);
    return slug === null ? sendNotFound(site, reply) : site.redirect(reply, postPath(slug));
  });
}

function addPictures(
  scope: FastifyInstance,
  { db, now, readSchool, drawsCoversAhead }: BlogRouteParts,
  site: SiteRenderer,
): void {
  const pictures = createCoverPictures();
  scope.addHook('onClose', () => pictures.close());
  const drawNewestCovers = async (): Promise<void> => {
    const { name: school } = await readSchool();
    for (const { slug } of await listPosts(db, { now: now(), limit: POSTS_A_PAGE })) {
      const cover = await readCover(db, { slug, now: now() });
      if (cover !== null) await pictures.read({ ...cover, school }, 'small');
    }
  };
  if (drawsCoversAhead)
    scope.addHook('onListen', async () => {
      drawNewestCovers().catch((error: unknown) => scope.log.warn({ err: error }, 'cover_drawing_failed'));
    });
  const sendPicture = async (
    reply: FastifyReply,
    post: PicturedPost | null,
    size?: PictureSize,
  ): Promise<FastifyReply> => {
    const { type, body, isFinal } = await pictures.read(
      post === null ? null : { ...post, school: (await readSchool()).name },
      size,
    );
    return reply
      .status(body.byteLength === 0 ? SERVICE_UNAVAILABLE : 200)
      .headers({ 'content-type': type, 'cache-control': isFinal ? PICTURE_CACHE : 'no-store' })
      .send(body);
  };
  const addCover = (file: string, size: PictureSize): void => {
    scope.get(`/blog/:slug/${file}`, async (request, reply) => {
      const asked = Slug.safeParse(request.params);
      if (!asked.success) return sendNotFound(site, reply);
      const wanted = { slug: asked.data.slug, now: now() };
      const cover = await readCover(db, wanted);
      if (cover !== null) return sendPicture(reply, cover, size);
      const slug = await readMovedSlug(db, wanted);
      return slug === null ? sendNotFound(site, reply) : site.redirect(reply, `${postPath(slug)}/${file}`);
    });
  };
  addCover('cover.png', 'large');
  addCover('cover-small.png', 'small');
  scope.get('/site/preview.png', (_request, reply) => sendPicture(reply, null));
}

function addFeeds(
  scope: FastifyInstance,
  { db, now, origin, readSchool, school, textsDir }: BlogRouteParts,
  site: SiteRenderer,
): void {
  const readFeed = async (format: FeedFormat, language: string): Promise<string> =>
    writeFeed(format, await withTags(db, await listPosts(db, { now: now(), limit: POSTS_IN_FEED })), {
      school: await readSchool(),
      origin,
      localizer: localizerFor(language),
    });
  for (const format of ['rss', 'atom', 'json'] as const)
    scope.get(FEEDS[format].path, async (request, reply) =>
      site.sendText(reply, FEEDS[format].type, await readFeed(format, requestedLanguage(request) ?? SOURCE_LANGUAGE)),
    );
  scope.get('/sitemap.xml', async (_request, reply) => {
    const shown = { now: now() };
    const [posts, tags, published] = await Promise.all([
      listAddresses(db, { ...shown, limit: SITEMAP_POSTS }),
      listTags(db, { ...shown, limit: SITEMAP_TAGS }),
      school.siteTexts.readPublished(TEXT_NAMES),
    ]);
    const texts = TEXT_NAMES.map((name) => ({
      path: `/${name}`,
      isTranslated: isTextTranslated(name, { published, dir: textsDir }),
    }));
    return site.sendText(reply, 'application/xml; charset=utf-8', buildSitemap(posts, { origin, tags, texts }));
  });
}
