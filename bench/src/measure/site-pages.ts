/** Opens the public site of a real server in Chromium, as a visitor and as Lighthouse. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HtmlValidate } from 'html-validate';
import { type Browser, chromium } from 'playwright';
import { z } from 'zod';
import { findBrowser } from '../../../desktop/src/shell/browser/find-browser.ts';
import { startParleyServer } from '../processes/start-parley-server.ts';

const LIGHTHOUSE = 'lighthouse@12.8.2';
const LIGHTHOUSE_TIMEOUT_MS = 180_000;
const MAX_LIGHTHOUSE_OUTPUT = 64 * 1024 * 1024;

export interface Site {
  origin: string;
  browser: Browser;
  /** The addresses of the landing page, the prices, the list of posts and one post. */
  pages: string[];
}

/** Starts a server with its starter content and nothing configured, and a browser. */
export async function withSite<Result>(work: (site: Site) => Promise<Result>): Promise<Result> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-site-'));
  const server = await startParleyServer({ DATA_DIR: dir });
  const executablePath = browserPath();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const origin = `http://127.0.0.1:${server.port}`;
    const list = await (await fetch(`${origin}/blog`)).text();
    const [, post = ''] = /href="(\/blog\/[\w-]+)"/.exec(list) ?? [];
    return await work({ origin, browser, pages: ['/', '/pricing', '/blog', post].map((path) => origin + path) });
  } finally {
    await browser.close();
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

function browserPath(): string {
  const path = findBrowser({ platform: process.platform, environment: process.env });
  if (path === null) throw new Error('No Chromium was found. Install one (Debian: apt-get install chromium).');
  return path;
}

/** Follows every link of the site from its landing page. Returns the pages by their path, and the links that lead nowhere. */
export async function crawl(origin: string): Promise<{ pages: Map<string, string>; broken: string[] }> {
  const pages = new Map<string, string>();
  const broken: string[] = [];
  const seen = new Set<string>(['/']);
  const queue = ['/'];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const answer = await fetch(origin + path, { headers: { accept: 'text/html' } });
    const text = await answer.text();
    if (!answer.ok) broken.push(`${path} (${answer.status})`);
    if (!(answer.headers.get('content-type') ?? '').startsWith('text/html')) continue;
    pages.set(path, text);
    for (const [, found = ''] of text.matchAll(/(?:href|src|srcset)="([^"]+)"/g)) {
      const address = new URL(found.replaceAll('&amp;', '&'), origin + path);
      const next = address.pathname + address.search;
      // The panel is another application with its own journeys.
      if (address.origin !== origin || seen.has(next) || next.startsWith('/admin')) continue;
      seen.add(next);
      queue.push(next);
    }
  }
  return { pages, broken };
}

/** Checks pages against the HTML standard. Returns one line for each error. */
export async function findHtmlErrors(pages: ReadonlyMap<string, string>): Promise<string[]> {
  const validator = new HtmlValidate({ extends: ['html-validate:standard'] });
  const reports = await Promise.all(
    [...pages].map(async ([path, text]) => ({ path, report: await validator.validateString(text) })),
  );
  return reports.flatMap(({ path, report }) =>
    report.results.flatMap(({ messages }) =>
      messages.filter(({ severity }) => severity === 2).map(({ ruleId, message }) => `${path}: ${ruleId}: ${message}`),
    ),
  );
}

/** Returns the feeds that are not well-formed or lack what a reader needs. */
export async function findFeedErrors({ origin, browser }: Site): Promise<string[]> {
  const page = await browser.newPage();
  await page.goto(origin);
  const wrong: string[] = [];
  for (const [path, entry, parts] of [
    ['/blog/rss.xml', 'item', ['title', 'link', 'guid', 'pubDate']],
    ['/blog/atom.xml', 'entry', ['title', 'id', 'updated', 'link']],
    ['/sitemap.xml', 'url', ['loc']],
  ] as const) {
    const text = await (await fetch(origin + path)).text();
    const problem = await page.evaluate(
      ({ text: xml, entry: name, parts: names }) => {
        const parsed = new DOMParser().parseFromString(xml, 'application/xml');
        if (parsed.querySelector('parsererror') !== null) return 'not well-formed';
        const entries = [...parsed.querySelectorAll(name)];
        if (entries.length === 0) return 'empty';
        const missing = names.filter((part) => entries.some((each) => each.querySelector(part) === null));
        return missing.length === 0 ? null : `without ${missing.join(', ')}`;
      },
      { text, entry, parts },
    );
    if (problem !== null) wrong.push(`${path}: ${problem}`);
  }
  const JsonFeed = z.object({
    version: z.enum(['https://jsonfeed.org/version/1', 'https://jsonfeed.org/version/1.1']),
    title: z.string().min(1),
    items: z.array(z.object({ id: z.string().min(1), url: z.url(), title: z.string().min(1) })).min(1),
  });
  const feed = JsonFeed.safeParse(await (await fetch(`${origin}/blog/feed.json`)).json());
  if (!feed.success) wrong.push(`/blog/feed.json: ${feed.error.issues[0]?.message ?? 'invalid'}`);
  return wrong;
}

/** Opens each page without scripts, 320 px wide, in each language. Returns where text is cut off or missing. */
export async function findNarrowErrors({ browser, pages }: Site, languages: readonly string[]): Promise<string[]> {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } });
  const page = await context.newPage();
  const wrong: string[] = [];
  for (const address of pages)
    for (const language of languages) {
      await page.goto(`${address}?lang=${language}`);
      // Playwright's own evaluation works although the page's scripts do not.
      const seen = await page.evaluate(() => ({
        width: document.documentElement.scrollWidth,
        direction: getComputedStyle(document.documentElement).direction,
        heading: document.querySelector('h1')?.textContent?.trim() ?? '',
      }));
      const where = `${new URL(address).pathname} (${language})`;
      if (seen.width > 320) wrong.push(`${where} is ${seen.width} px wide`);
      if (seen.heading === '') wrong.push(`${where} has no heading`);
      if ((language === 'ar') !== (seen.direction === 'rtl')) wrong.push(`${where} runs ${seen.direction}`);
    }
  await context.close();
  return wrong;
}

const LighthouseReport = z.object({
  categories: z.record(z.string(), z.object({ score: z.number().nullable() })),
});

/**
 * Lighthouse's scores of a page, 0 to 100, by category. It is installed when it is first needed, because it brings 300 packages. It is run
 * again when it ends without scores, as it does when its browser is slow to start.
 */
export const runLighthouse = (address: string, device: 'desktop' | 'phone'): Promise<Record<string, number>> =>
  runLighthouseOnce(address, device).catch(() => runLighthouseOnce(address, device));

async function runLighthouseOnce(address: string, device: 'desktop' | 'phone'): Promise<Record<string, number>> {
  const { stdout } = await promisify(execFile)(
    'npm',
    [
      'exec',
      '--yes',
      '--',
      LIGHTHOUSE,
      address,
      '--quiet',
      '--output=json',
      '--output-path=stdout',
      '--only-categories=performance,accessibility,best-practices,seo',
      '--chrome-flags=--headless=new --no-sandbox',
      ...(device === 'desktop' ? ['--preset=desktop'] : []),
    ],
    {
      env: { ...process.env, CHROME_PATH: browserPath() },
      timeout: LIGHTHOUSE_TIMEOUT_MS,
      maxBuffer: MAX_LIGHTHOUSE_OUTPUT,
    },
  );
  const { categories } = LighthouseReport.parse(JSON.parse(stdout));
  return Object.fromEntries(
    Object.entries(categories).map(([name, { score }]) => [name, Math.round((score ?? 0) * 100)]),
  );
}
