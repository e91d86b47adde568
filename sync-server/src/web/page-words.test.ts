import type { AccountView, PlanOffer } from '@parley/contract';
import { UNNAMED_SCHOOL } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { findLiterals, markMessages } from '../../test-kit/words/marked-words.ts';
import { LANGUAGES, localizerFor } from '../localization/index.ts';
import { accountPage, addressPage, errorPage, linkPage, sentPage, usedLinkPage } from './account-pages.ts';
import { confirmationRequestPage } from './confirmation-pages.ts';
import { renderPage } from './layout.ts';
import { plansPage, redirectPage } from './plan-pages.ts';
import { brokenLinkPage, unsubscribedPage, unsubscribePage } from './unsubscribe-pages.ts';

const at = '2026-12-05T12:00:00.000Z';
const now = new Date(at);
const token = 'aaaa';
const anAccount = (change: Partial<AccountView> = {}): AccountView => ({
  email: '1@2.3',
  mustBeGranted: true,
  hasAccess: true,
  accessTaken: null,
  waitingSince: null,
  isAdmin: true,
  plan: 'FREE',
  live: null,
  calls: null,
  resetsAt: null,
  mayTry: true,
  eraseAt: null,
  subscription: null,
  ...change,
});
const subscription: NonNullable<AccountView['subscription']> = {
  status: 'active',
  priceId: null,
  currentPeriodEnd: at,
  endsAt: null,
  endsWithAccount: false,
  isPeriodUnpaid: false,
  next: { plan: 'PRO', interval: 'year', at },
  graceUntil: null,
};
const offers = [
  { priceId: '0', plan: 'PLUS', name: '0', unitAmount: 1_200, currency: 'eur', interval: 'month', intervalCount: 1 },
] as unknown as PlanOffer[];
const accounts: AccountView[] = [
  anAccount(),
  anAccount({ hasAccess: false }),
  anAccount({ hasAccess: false, waitingSince: at }),
  anAccount({ hasAccess: false, accessTaken: { at, reason: null } }),
  anAccount({ eraseAt: at, plan: 'PLUS', subscription }),
  anAccount({ plan: 'PLUS', subscription }),
];

describe.each(LANGUAGES)('the pages in %s', (language) => {
  const words = localizerFor(language);
  const marked = { ...markMessages(words), timeZone: 'UTC' };
  const pages = [
    linkPage(marked, { email: '1@2.3', link: '0', token }),
    usedLinkPage(marked, { token }),
    addressPage(marked, { token }),
    ...[false, true].map((isNetworkLimited) => sentPage(marked, { isNetworkLimited, isMailWritten: false })),
    sentPage(marked, { isNetworkLimited: false, isMailWritten: true }),
    errorPage(marked, '0'),
    confirmationRequestPage(marked, { step: 'delete', token }),
    confirmationRequestPage(marked, { step: 'json', token }),
    ...accounts.map((account) => accountPage(marked, { account, token, now })),
    ...accounts.map((account) => plansPage(marked, { offers, isTest: true, isMetered: true }, { account, token })),
    plansPage(marked, { offers, isTest: false, isMetered: true }, null),
    plansPage(marked, { offers: [], isTest: false, isMetered: false }, null),
    redirectPage(marked, 'https://pay.example'),
    unsubscribePage(marked, '0'),
    unsubscribedPage(marked),
    brokenLinkPage(marked),
  ].map((each) => renderPage(each, UNNAMED_SCHOOL));

  it('take every word from the catalogue', () => {
    for (const markup of pages) expect(findLiterals(markup.replaceAll(/€|EUR|1@2\.3/g, ''))).toEqual([]);
  });

  it('name the language and the direction of its script', () => {
    for (const markup of pages)
      expect(markup).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`);
  });
});

it('finds a literal', () => {
  expect(findLiterals('<p>⟦Hallo⟧ there</p>')).toEqual(['there']);
  expect(findLiterals('<nav aria-label="Main"></nav>')).toEqual(['Main']);
});
