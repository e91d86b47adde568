/** The newest posts as RSS 2.0, Atom (RFC 4287) and JSON Feed 1.1, the sitemap, and what robots may read. */
import type { SchoolIdentity } from '@parley/domain';
import { Feed } from 'feed';
import { LANGUAGES } from '../../localization/index.ts';
import { postPath } from './blog-pages.ts';
import type { PostSummary } from './read-posts.ts';
import { addressIn, alternatesOf } from '../site-addresses.ts';

export const POSTS_IN_FEED = 50;

export function buildFeed(
  posts: readonly PostSummary[],
  { school, origin }: { school: SchoolIdentity; origin: string },
): Feed {
  const feed = new Feed({
    title: `${school.name}, blog`,
    description: 'How to speak English at work with less fear.',
    id: `${origin}/blog`,
    link: `${origin}/blog`,
    language: 'en',
    copyright: school.name,
    updated: posts[0]?.updatedAt ?? new Date(0),
    feedLinks: { rss: `${origin}/blog/rss.xml`, atom: `${origin}/blog/atom.xml`, json: `${origin}/blog/feed.json` },
    author: { name: school.name, link: `${origin}/` },
  });
  for (const { title, slug, excerpt, publishedAt } of posts) {
    const link = `${origin}${postPath(slug)}`;
    feed.addItem({ title, id: link, link, description: excerpt, date: publishedAt, published: publishedAt });
  }
  return feed;
}

const TRANSLATED_PAGES = ['/', '/pricing', '/blog', '/downloads', '/request-access'];

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** A page in each of its languages, all of which name the others (https://developers.google.com/search/docs/specialty/international). */
function translatedEntries(origin: string, path: string): string[] {
  const alternates = alternatesOf(path);
  const links = alternates
    .map((each) => `<xhtml:link rel="alternate" hreflang="${each.language}" href="${escapeXml(origin + each.path)}"/>`)
    .join('');
  return LANGUAGES.map((language) => `<url><loc>${escapeXml(origin + addressIn(language, path))}</loc>${links}</url>`);
}

/** https://www.sitemaps.org/protocol.html */
export function buildSitemap(
  posts: readonly Pick<PostSummary, 'slug' | 'updatedAt'>[],
  { origin, texts }: { origin: string; texts: readonly { path: string; isTranslated: boolean }[] },
): string {
  const entries = [
    ...TRANSLATED_PAGES.flatMap((path) => translatedEntries(origin, path)),
    ...texts.flatMap(({ path, isTranslated }) =>
      isTranslated ? translatedEntries(origin, path) : [`<url><loc>${escapeXml(origin + path)}</loc></url>`],
    ),
    ...posts.map(
      ({ slug, updatedAt }) =>
        `<url><loc>${escapeXml(origin + postPath(slug))}</loc><lastmod>${updatedAt.toISOString()}</lastmod></url>`,
    ),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${entries.join('\n')}\n</urlset>\n`;
}

export const robotsText = (origin: string): string =>
  `User-agent: *\nDisallow: /account\nDisallow: /admin\nDisallow: /plans\nDisallow: /sign-in\nDisallow: /v1/\n\nSitemap: ${origin}/sitemap.xml\n`;

const SECURITY_TEXT_DAYS = 180;
const DAY_MS = 86_400_000;

/** RFC 9116. */
export const securityText = (origin: string, contactEmail: string, now: Date): string =>
  `Contact: mailto:${contactEmail}\nExpires: ${new Date(now.getTime() + SECURITY_TEXT_DAYS * DAY_MS).toISOString()}\nCanonical: ${origin}/.well-known/security.txt\nPreferred-Languages: en\n`;
