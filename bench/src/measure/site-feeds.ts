/** Checks the feeds and the sitemap of a site as their readers do. */
import { z } from 'zod';
import type { Page } from 'playwright';
import type { Site } from './site-pages.ts';

const Words = z.string().min(1);
const Rfc3339 = z.iso.datetime({ offset: true });
const Rfc822 = z
  .string()
  .regex(
    /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} (?:GMT|[+-]\d{4})$/,
  );
const selfAddress = (path: string) => z.url().endsWith(path);

interface XmlFormat {
  path: string;
  /** The element of one entry, and the field that tells entries apart. */
  entry: string;
  id: string;
  Feed: z.ZodType;
  Entry: z.ZodType;
}

/** By the names of `fieldsOf`. */
const XML_FORMATS: readonly XmlFormat[] = [
  {
    path: '/blog/rss.xml',
    entry: 'item',
    id: 'guid',
    Feed: z.object({
      title: Words,
      link: z.url(),
      description: Words,
      lastBuildDate: Rfc822,
      'atom:link self': selfAddress('/blog/rss.xml'),
    }),
    Entry: z.object({ title: Words, link: z.url(), guid: z.url(), pubDate: Rfc822, 'dc:creator': Words }),
  },
  {
    path: '/blog/atom.xml',
    entry: 'entry',
    id: 'id',
    Feed: z.object({
      title: Words,
      id: z.url(),
      updated: Rfc3339,
      author: Words,
      'link self': selfAddress('/blog/atom.xml'),
    }),
    Entry: z.object({ title: Words, link: z.url(), id: z.url(), published: Rfc3339, updated: Rfc3339, author: Words }),
  },
  { path: '/sitemap.xml', entry: 'url', id: 'loc', Feed: z.object({}), Entry: z.object({ loc: z.url() }) },
];

const JsonFeed = z.object({
  version: z.enum(['https://jsonfeed.org/version/1', 'https://jsonfeed.org/version/1.1']),
  title: Words,
  home_page_url: z.url(),
  feed_url: selfAddress('/blog/feed.json'),
  author: z.object({ name: Words }),
  items: z
    .array(
      z
        .object({
          id: z.url(),
          url: z.url(),
          title: Words,
          content_html: Words.optional(),
          content_text: Words.optional(),
          date_published: Rfc3339,
          date_modified: Rfc3339,
        })
        .refine((item) => (item.content_html ?? item.content_text) !== undefined, 'has no content'),
    )
    .min(1),
});

/** Returns what is wrong with the feeds and the sitemap, one line for each fault. */
export async function findFeedErrors({ origin, browser }: Site): Promise<string[]> {
  const page = await browser.newPage();
  await page.goto(origin);
  const wrong: string[] = [];
  for (const format of XML_FORMATS) {
    const text = await (await fetch(origin + format.path)).text();
    wrong.push(...(await findXmlErrors(page, text, format)));
  }
  const feed = JsonFeed.safeParse(await (await fetch(`${origin}/blog/feed.json`)).json());
  wrong.push(
    ...(feed.success ? findRepeated(feed.data.items.map(({ id }) => id)) : issuesOf(feed.error)).map(
      (fault) => `/blog/feed.json: ${fault}`,
    ),
  );
  await page.close();
  return wrong;
}

async function findXmlErrors(page: Page, text: string, { path, entry, id, Feed, Entry }: XmlFormat): Promise<string[]> {
  const read = await readXml(page, text, entry);
  if (read === null) return [`${path}: not well-formed`];
  const { feed, entries } = read;
  if (entries.length === 0) return [`${path}: empty`];
  const faults = [Feed.safeParse(feed), ...entries.map((each) => Entry.safeParse(each))].flatMap(({ error }) =>
    error === undefined ? [] : issuesOf(error),
  );
  return [...faults, ...findRepeated(entries.map((each) => each[id] ?? ''))].map((fault) => `${path}: ${fault}`);
}

const issuesOf = ({ issues }: z.ZodError): string[] =>
  issues.map(({ path, message }) => `${path.join('.')}: ${message}`);

const findRepeated = (ids: readonly string[]): string[] =>
  ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id} is the id of two entries`);

interface XmlElement {
  name: string;
  text: string;
  rel: string | null;
  href: string | null;
}

/** The first child of each name. The value of a link is its address, and its purpose is part of its name. */
const fieldsOf = (children: readonly XmlElement[]): Record<string, string> =>
  Object.fromEntries(
    children
      .toReversed()
      .map(({ name, text, rel, href }) => [rel === null ? name : `${name} ${rel}`, href ?? text] as const),
  );

async function readXml(
  page: Page,
  text: string,
  entry: string,
): Promise<{ feed: Record<string, string>; entries: Record<string, string>[] } | null> {
  const read = await page.evaluate(
    ({ xml, entryName }) => {
      const parsed = new DOMParser().parseFromString(xml, 'application/xml');
      if (parsed.querySelector('parsererror') !== null) return null;
      const childrenOf = (element: Element) =>
        [...element.children].map((child) => ({
          name: child.tagName,
          text: child.textContent?.trim() ?? '',
          rel: child.getAttribute('rel'),
          href: child.getAttribute('href'),
        }));
      const entries = [...parsed.querySelectorAll(entryName)];
      return {
        feed: childrenOf(entries[0]?.parentElement ?? parsed.documentElement),
        entries: entries.map(childrenOf),
      };
    },
    { xml: text, entryName: entry },
  );
  return read === null ? null : { feed: fieldsOf(read.feed), entries: read.entries.map(fieldsOf) };
}
