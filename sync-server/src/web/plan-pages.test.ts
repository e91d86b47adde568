import type { AccountView, PlanOffer } from '@parley/contract';
import { UNNAMED_SCHOOL } from '@parley/domain';
import { expect, it } from 'vitest';
import { localizerFor } from '../localization/index.ts';
import { renderPage } from './layout.ts';
import { plansPage } from './plan-pages.ts';

const anOffer = (change: Pick<PlanOffer, 'priceId' | 'plan' | 'interval'>): PlanOffer => ({
  name: change.plan,
  description: null,
  unitAmount: 1_200,
  currency: 'eur',
  intervalCount: 1,
  ...change,
});

const offers = [
  anOffer({ priceId: 'plus by month', plan: 'PLUS', interval: 'month' }),
  anOffer({ priceId: 'plus by year', plan: 'PLUS', interval: 'year' }),
  anOffer({ priceId: 'pro by month', plan: 'PRO', interval: 'month' }),
];

/** The note below each offer to a learner on PLUS whose payment is late. */
function answersFor(priceId: string): string[] {
  const account: AccountView = {
    email: 'ada@example.com',
    mustBeGranted: false,
    hasAccess: true,
    accessTaken: null,
    waitingSince: null,
    isAdmin: false,
    plan: 'PLUS',
    live: null,
    calls: null,
    resetsAt: null,
    mayTry: false,
    eraseAt: null,
    subscription: {
      status: 'past_due',
      priceId,
      currentPeriodEnd: '2026-12-05T12:00:00.000Z',
      endsAt: null,
      endsWithAccount: false,
      isPeriodUnpaid: true,
      next: null,
      graceUntil: '2026-12-05T12:00:00.000Z',
    },
  };
  const localizer = { ...localizerFor('en'), timeZone: 'UTC' };
  const html = renderPage(
    plansPage(localizer, { offers, isTest: false, isMetered: true }, { account, token: 'aaaa' }),
    UNNAMED_SCHOOL,
  );
  return html.match(/This is your plan|switch to it/g) ?? [];
}

it('the plans page marks the plan that is in effect when an upgrade was not paid', () => {
  expect(answersFor('pro by month')).toEqual(['This is your plan', 'This is your plan', 'switch to it']);
});

it('the plans page marks only the price that is paid late', () => {
  expect(answersFor('plus by month')).toEqual(['This is your plan', 'switch to it', 'switch to it']);
});

it('the plans page says how much of the courses each plan opens', () => {
  const localizer = { ...localizerFor('en'), timeZone: 'UTC' };
  const html = renderPage(plansPage(localizer, { offers, isTest: false, isMetered: true }, null), UNNAMED_SCHOOL);
  expect(html.match(/The first section of each course/g)).toHaveLength(1);
  expect(html.match(/All sections of all courses/g)).toHaveLength(offers.length);
});

it('the plans page shows the minutes of each price for its own interval', () => {
  const localizer = { ...localizerFor('en'), timeZone: 'UTC' };
  const weekly = [anOffer({ priceId: 'plus by week', plan: 'PLUS', interval: 'week' })];
  const show = (isMetered: boolean): string =>
    renderPage(plansPage(localizer, { offers: weekly, isTest: false, isMetered }, null), UNNAMED_SCHOOL);
  expect(show(true)).toContain('140 minutes a week with a live coach, including 14 minutes of calls.');
  expect(show(true)).toContain('10 minutes a day with a live coach. No calls.');
  expect(show(false)).not.toMatch(/10 minutes|140 minutes/);
});
