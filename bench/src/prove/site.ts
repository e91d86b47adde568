/** Promises about the public site and the blog. */
import { runTests } from '../measure/run-tests.ts';
import { findFeedErrors } from '../measure/site-feeds.ts';
import { crawl, findHtmlErrors, runLighthouse, withSite } from '../measure/site-pages.ts';
import { measurePosts } from '../measure/site-posts.ts';
import { checkTrust } from '../measure/site-trust.ts';
import { findNarrowErrors } from '../measure/site-without-scripts.ts';
import { LANGUAGES } from '../../../sync-server/src/localization/index.ts';
import { type Outcome, type ProductPromise } from './promise.ts';

const MAX_POSTS_MS = 50;
/** By Lighthouse's category. */
const BARS: Readonly<Record<string, number>> = {
  performance: 95,
  accessibility: 95,
  'best-practices': 100,
  seo: 100,
};

/** Holds when nothing is wrong; otherwise, the figure contains the first problems. */
function nothingWrong(wrong: readonly string[], checked: string): Outcome {
  for (const each of wrong) console.error(`  ${each}`);
  return {
    figure: wrong.length === 0 ? checked : `${wrong.length} wrong: ${wrong[0] ?? ''}`,
    holds: wrong.length === 0,
  };
}

const testsPromise = (claim: string, args: readonly string[]): ProductPromise => ({
  claim,
  bar: 'all tests',
  measure: async () => {
    const { passed, failed } = await runTests([...args]);
    return { figure: `${passed} of ${passed + failed} tests`, holds: failed === 0 && passed > 0 };
  },
});

const lighthousePromise = (device: 'desktop' | 'phone'): ProductPromise => ({
  claim: `Lighthouse in Chromium, as a ${device}: landing page, prices, list and post (lowest of the four, median of five runs)`,
  bar: Object.entries(BARS)
    .map(([category, bar]) => `${category} ${bar}`)
    .join(', '),
  measure: () =>
    withSite(async ({ pages }) => {
      const lowest: Record<string, number> = {};
      for (const address of pages)
        for (const [category, score] of Object.entries(await runLighthouse(address, device))) {
          if (score < (BARS[category] ?? 0)) console.error(`  ${address}: ${category} ${score}`);
          lowest[category] = Math.min(lowest[category] ?? 100, score);
        }
      return {
        figure: Object.entries(lowest)
          .map(([category, score]) => `${category} ${score}`)
          .join(', '),
        holds: Object.entries(BARS).every(([category, bar]) => (lowest[category] ?? 0) >= bar),
      };
    }),
});

export const promises: readonly ProductPromise[] = [
  lighthousePromise('desktop'),
  lighthousePromise('phone'),
  {
    claim: 'Every linked page exists, in every language, and is valid HTML',
    bar: '0 wrong',
    measure: () =>
      withSite(async ({ origin }) => {
        const { pages, broken } = await crawl(origin);
        return nothingWrong([...broken, ...(await findHtmlErrors(pages))], `${pages.size} pages`);
      }),
  },
  {
    claim: 'RSS, Atom, JSON Feed and the sitemap are well-formed and complete',
    bar: '0 wrong',
    measure: () => withSite(async (site) => nothingWrong(await findFeedErrors(site), '4 of 4')),
  },
  {
    claim:
      'Without scripts and 320 px wide each kind of page has its heading and no text is cut off, including right to left, and the form can be sent',
    bar: '0 wrong',
    measure: () =>
      withSite(async (site) => {
        const { wrong, pages } = await findNarrowErrors(site, LANGUAGES);
        return nothingWrong(wrong, `${pages} pages in ${LANGUAGES.length} languages`);
      }),
  },
  {
    claim:
      'No page loads anything from elsewhere, sets a cookie for reading or allows inline code; each is Brotli, and 304 when unchanged',
    bar: '0 wrong',
    measure: () =>
      withSite(async (site) => {
        const { wrong, publicPages } = await checkTrust(site, (await crawl(site.origin)).pages);
        return nothingWrong(wrong, `${publicPages} pages that a CDN may keep`);
      }),
  },
  {
    claim: 'With 2,000 posts on PostgreSQL the list, the feeds and the sitemap are served quickly (p95 of the slowest)',
    bar: `${MAX_POSTS_MS} ms`,
    measure: async () => {
      const { posts, p95Ms, slowest } = await measurePosts();
      return {
        figure: `${Math.round(p95Ms)} ms (${slowest}); ${posts.toLocaleString('en')} posts`,
        holds: p95Ms <= MAX_POSTS_MS,
      };
    },
  },
  testsPromise(
    'Scripts in posts, preview links after publication and floods of forms have no effect (both databases)',
    ['sync-server/src/site/both-databases.test.ts'],
  ),
  testsPromise(
    'Texts that a school writes are shown when they are published, never mixed with Parley’s, audited, and taken back (both databases)',
    ['sync-server/src/school/both-databases.test.ts', '-t', 'texts of the site'],
  ),
  testsPromise('In Chromium a privacy text goes from a draft in the panel to the site, and back to Parley’s', [
    '--config',
    'desktop/e2e/vitest.config.ts',
    'site-texts-journey',
  ]),
  testsPromise(
    'In Chromium a post with an uploaded picture goes from the panel to the site, the feed and an open app, and disappears again',
    ['--config', 'desktop/e2e/vitest.config.ts', 'post-journey'],
  ),
];
