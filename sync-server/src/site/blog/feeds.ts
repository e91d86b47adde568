/** The newest posts as RSS 2.0, Atom (RFC 4287) and JSON Feed, the sitemap, and robots.txt. */
import { assertNever, type SchoolIdentity } from '@parley/domain';
import type { Localizer } from '@parley/i18n';
import { Feed, type Item } from 'feed';
import { LANGUAGES } from '../../localization/index.ts';
import { postPath, tagPath } from './blog-pages.ts';
import type { PostSummary, TaggedPost } from './read-posts.ts';
import { html } from '../../web/html.ts';
import { addressIn, alternatesOf } from '../site-addresses.ts';

export const POSTS_IN_FEED = 50;

export const FEEDS = {
  rss: { path: '/blog/rss.xml', type: 'application/rss+xml; charset=utf-8' },
  atom: { path: '/blog/atom.xml', type: 'application/atom+xml; charset=utf-8' },
  json: { path: '/blog/feed.json', type: 'application/feed+json; charset=utf-8' },
} as const;
export type FeedFormat = keyof typeof FEEDS;

interface FeedParts {
  school: SchoolIdentity;
  origin: string;
  /** For what the feed says about itself. Posts are in the language of their authors. */
  localizer: Localizer;
}

/** The text of a feed in one of the formats. */
export function writeFeed(format: FeedFormat, posts: readonly TaggedPost[], parts: FeedParts): string {
  const feed = buildFeed(format, posts, parts);
  switch (format) {
    case 'rss':
      return withoutForbidden(feed.rss2());
    case 'atom':
      return withoutForbidden(feed.atom1());
    case 'json':
      return feed.json1();
    default:
      return assertNever(format);
  }
}

/**
 * A reader rejects a whole feed because of one such character, which text pasted from a word processor may contain
 * (https://www.w3.org/TR/xml/#charsets).
 */
const withoutForbidden = (xml: string): string =>
  xml.replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '');

/** A scheduled post was last edited before its publication date. */
const changedAt = ({ publishedAt, updatedAt }: PostSummary): Date =>
  updatedAt > publishedAt ? updatedAt : publishedAt;

const asHtml = (text: string): string => html`${text}`.text;

/** Titles and excerpts are plain text. Atom declares a title as HTML, and every format reads the description as HTML. */
function buildFeed(format: FeedFormat, posts: readonly TaggedPost[], { school, origin, localizer }: FeedParts): Feed {
  const { t, language } = localizer;
  const addressOf = (path: string): string => origin + addressIn(language, path);
  const feed = new Feed({
    title: t('{school}, blog', { school: school.name }),
    description: t('How to speak English at work with less fear, and how Parley listens.'),
    id: addressOf('/blog'),
    link: addressOf('/blog'),
    language,
    copyright: school.name,
    updated: new Date(Math.max(0, ...posts.map((post) => changedAt(post).getTime()))),
    feedLinks: {
      rss: addressOf(FEEDS.rss.path),
      atom: addressOf(FEEDS.atom.path),
      json: addressOf(FEEDS.json.path),
    },
    author: { name: school.name, link: addressOf('/') },
  });
  for (const post of posts) {
    const { id, title, slug, excerpt, author, tags, publishedAt } = post;
    feed.addItem({
      title: format === 'atom' ? asHtml(title) : title,
      // A reader that has seen the post must recognise it when its address changes.
      id: `urn:uuid:${id}`,
      link: origin + postPath(slug),
      description: asHtml(excerpt),
      date: changedAt(post),
      published: publishedAt,
      category: tags.map((tag) => ({ name: tag, term: tag })),
      ...authorOf(format, author ?? school.name),
    });
  }
  return feed;
}

/** An author in RSS must have an e-mail address, so that format names its authors by Dublin Core. */
const authorOf = (format: FeedFormat, name: string): Pick<Item, 'author' | 'extensions'> =>
  format === 'rss'
    ? {
        extensions: [
          {
            name: 'dc:creator',
            objects: { _attributes: { 'xmlns:dc': 'http://purl.org/dc/elements/1.1/' }, _text: name },
          },
        ],
      }
    : { author: [{ name }] };

const TRANSLATED_PAGES = ['/', '/pricing', '/blog', '/downloads', '/request-access'];

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/**
 * A page in each of its languages, all of which link to the others
 * (https://developers.google.com/search/docs/specialty/international).
 */
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
  {
    origin,
    tags,
    texts,
  }: { origin: string; tags: readonly string[]; texts: readonly { path: string; isTranslated: boolean }[] },
): string {
  const entries = [
    ...[...TRANSLATED_PAGES, ...tags.map(tagPath)].flatMap((path) => translatedEntries(origin, path)),
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

/** RFC 9116. The expiry date is rounded, so that the text stays the same for a day and a CDN can cache it. */
export function securityText(origin: string, contactEmail: string, now: Date): string {
  const expires = new Date((Math.floor(now.getTime() / DAY_MS) + SECURITY_TEXT_DAYS) * DAY_MS).toISOString();
  return `Contact: mailto:${contactEmail}\nExpires: ${expires}\nCanonical: ${origin}/.well-known/security.txt\nPreferred-Languages: en\n`;
}
