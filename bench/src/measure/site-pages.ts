/** Opens the public site of a real server in Chromium, as a visitor and as Lighthouse. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { HtmlValidate } from 'html-validate';
import { type Browser, chromium } from 'playwright';
import { z } from 'zod';
import { findBrowser } from '../../../desktop/src/shell/browser/find-browser.ts';
import { startParleyServer } from '../processes/start-parley-server.ts';
import { median } from './quantile.ts';

const LIGHTHOUSE = 'lighthouse@12.8.2';
const LIGHTHOUSE_RUNS = 5;
const LIGHTHOUSE_TIMEOUT_MS = 180_000;
const OFFER_TIMEOUT_MS = 30_000;
const MAX_LIGHTHOUSE_OUTPUT = 64 * 1024 * 1024;

export interface Site {
  origin: string;
  browser: Browser;
  /** The addresses of the landing page, the prices, the list of posts and one post. */
  pages: string[];
}

/** Starts a server with its starter content, plans of the Stripe fake and small installers, and a browser. */
export async function withSite<Result>(work: (site: Site) => Promise<Result>): Promise<Result> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-site-'));
  const downloadsDir = join(dir, 'downloads');
  await writeRelease(downloadsDir);
  const server = await startParleyServer({
    DATA_DIR: join(dir, 'data'),
    PAYMENTS: 'fake',
    DOWNLOADS_DIR: downloadsDir,
  });
  const executablePath = browserPath();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const origin = `http://127.0.0.1:${server.port}`;
    await waitForOffer(origin);
    const list = await (await fetch(`${origin}/blog`)).text();
    const [, post = ''] = /href="(\/blog\/[\w-]+)"/.exec(list) ?? [];
    return await work({ origin, browser, pages: ['/', '/pricing', '/blog', post].map((path) => origin + path) });
  } finally {
    await browser.close();
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

const INSTALLERS: Readonly<Record<string, readonly string[]>> = {
  'latest.yml': ['Parley-0.2.0-x64.exe', 'Parley-0.2.0-arm64.exe'],
  'latest-mac.yml': ['Parley-0.2.0-universal.zip', 'Parley-0.2.0-universal.dmg'],
  'latest-linux.yml': ['Parley-0.2.0-x86_64.AppImage', 'Parley-0.2.0-amd64.deb'],
};

/** Files as electron-builder names them, so that the page of downloads has checksums, a version and a date. */
async function writeRelease(dir: string): Promise<void> {
  await mkdir(dir);
  for (const [feed, files] of Object.entries(INSTALLERS)) {
    for (const file of files) await writeFile(join(dir, file), `No real installer: ${file}`);
    const list = files.map((file) => `  - url: ${file}\n    sha512: none\n`).join('');
    await writeFile(join(dir, feed), `version: 0.2.0\nfiles:\n${list}releaseDate: '2026-11-02T08:00:00.000Z'\n`);
  }
}

/** The server requests the prices from its payment provider after it has started. */
async function waitForOffer(origin: string): Promise<void> {
  const deadlineMs = performance.now() + OFFER_TIMEOUT_MS;
  while (performance.now() < deadlineMs) {
    if ((await (await fetch(`${origin}/pricing`)).text()).includes('href="/plans')) return;
    await setTimeout(100);
  }
  throw new Error('The server shows no prices.');
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

const LighthouseReport = z.object({
  categories: z.record(z.string(), z.object({ score: z.number().nullable() })),
});

/**
 * Lighthouse's scores of a page, 0 to 100, by category. Each is the median of several runs, because the scores of one
 * page vary by ten points between runs (https://developer.chrome.com/docs/lighthouse/performance/performance-scoring).
 * Lighthouse is installed when it is first needed, because it brings 300 packages. A run that ends without scores, for
 * example because its browser was slow to start, is repeated.
 */
export async function runLighthouse(address: string, device: 'desktop' | 'phone'): Promise<Record<string, number>> {
  const runs: Record<string, number>[] = [];
  for (let run = 0; run < LIGHTHOUSE_RUNS; run += 1)
    runs.push(await runLighthouseOnce(address, device).catch(() => runLighthouseOnce(address, device)));
  const categories = Object.keys(runs[0] ?? {});
  return Object.fromEntries(
    categories.map((category) => [category, median(runs.map((scores) => scores[category] ?? 0))]),
  );
}

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
