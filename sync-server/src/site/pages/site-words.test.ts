import type { PlanOffer } from '@parley/contract';
import { UNNAMED_SCHOOL } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { findLiterals, markMessages } from '../../../test-kit/words/marked-words.ts';
import { LANGUAGES, localizerFor } from '../../localization/index.ts';
import { accessRequestedPage, accessRequestPage } from './access-request-page.ts';
import { readSiteAssets } from '../assets/assets.ts';
import { downloadsPage } from './downloads-page.ts';
import { landingPage } from './landing-page.ts';
import { pricingPage } from './pricing-page.ts';
import { renderSitePage, type SitePage } from './site-layout.ts';
import type { SiteWords } from './site-words.ts';
import { failurePage, notFoundPage } from './text-pages.ts';

const assets = readSiteAssets();
const school = { ...UNNAMED_SCHOOL, contactEmail: '1@2.3' };
const origin = 'https://parley.example';
const offers = [
  { priceId: '0', plan: 'PLUS', name: '0', unitAmount: 1_200, currency: 'eur', interval: 'month', intervalCount: 1 },
] as unknown as PlanOffer[];
const KINDS = ['installer', 'disk_image', 'app_image', 'debian_package'] as const;
const releases = KINDS.map(
  (kind) =>
    ({
      file: '1',
      platform: 'Linux',
      kind,
      bytes: 90_000_000,
      sha256: '0',
      version: '1',
      releasedAt: new Date(0),
    }) as const,
);

describe.each(LANGUAGES)('the site in %s', (language) => {
  const words: SiteWords = markMessages({ ...localizerFor(language), linkTo: (path) => path });
  const pages: SitePage[] = [
    landingPage(words, { school, access: 'granted', texts: [], pictures: assets.pictures }),
    landingPage(words, { school: { ...school, name: '0' }, access: 'open', texts: [], pictures: assets.pictures }),
    pricingPage(words, { offers, isTest: true, isMetered: true }),
    pricingPage(words, { offers: [], isTest: false, isMetered: false }),
    downloadsPage(words, releases, origin),
    downloadsPage(words, [], origin),
    accessRequestPage(words, '0'),
    ...[false, true].map((isNetworkLimited) => accessRequestedPage(words, { isNetworkLimited })),
    notFoundPage(words),
    ...[403, 404, 429, 500].map((status) => failurePage(words, { status, requestId: '1' })),
  ];

  it('takes every word from the catalogue', () => {
    for (const page of pages) {
      const markup = renderSitePage({ school, origin, assets, words }, page);
      expect(findLiterals(markup.replaceAll(/€|EUR|1@2\.3|\d+\s[MG]B/g, ''))).toEqual([]);
    }
  });
});
