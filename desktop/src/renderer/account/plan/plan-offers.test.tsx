import type { AccountView, PlanOffer } from '@parley/contract';
import { i18n } from '@parley/i18n';
import { I18nProvider } from '@lingui/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { createORPCClient } from '@orpc/client';
import { createQueries, type HostClient } from '../../foundation/host/host-connection.ts';
import { HostProvider } from '../../foundation/host/host-context.tsx';
import { PlanOffers } from './plan-offers.tsx';

const anOffer = (plan: 'PLUS' | 'PRO'): PlanOffer => ({
  priceId: `price of ${plan}`,
  plan,
  name: plan,
  description: null,
  unitAmount: 1_200,
  currency: 'eur',
  interval: 'month',
  intervalCount: 1,
});

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
    priceId: 'price of PRO',
    currentPeriodEnd: '2026-12-05T12:00:00.000Z',
    endsAt: null,
    endsWithAccount: false,
    isPeriodUnpaid: true,
    next: null,
    graceUntil: '2026-12-05T12:00:00.000Z',
  },
};

function render(offers: readonly PlanOffer[], change: Partial<AccountView> = {}): string {
  const client: HostClient = createORPCClient({ call: () => Promise.reject(new Error('The host was not expected.')) });
  const cache = new QueryClient();
  cache.setQueryData(createQueries(client).billing.plans.queryKey(), { offers: [...offers], isTest: false });
  return renderToStaticMarkup(
    <QueryClientProvider client={cache}>
      <I18nProvider i18n={i18n}>
        <HostProvider client={client}>
          <PlanOffers account={{ ...account, ...change }} />
        </HostProvider>
      </I18nProvider>
    </QueryClientProvider>,
  );
}

it('says how much of the courses each plan opens', () => {
  const html = render([anOffer('PLUS')]);
  const cardOf = (name: string) => html.slice(html.indexOf(`>${name}<`)).split('<h3')[0];
  expect(cardOf('Free')).toContain('The first section of each course');
  expect(cardOf('Plus')).toContain('All sections of all courses');
});

it('marks the plan that is in effect when an upgrade was not paid', () => {
  const html = render([anOffer('PLUS'), anOffer('PRO')]);
  const cardOf = (name: string) => html.slice(html.indexOf(`>${name}<`)).split('<h3')[0];
  expect(cardOf('Plus')).toContain('Your plan');
  expect(cardOf('Plus')).not.toContain('switch to it');
  expect(cardOf('Pro')).not.toContain('Your plan');
});

it('offers every interval at which a plan is sold, and no other', () => {
  const html = render([{ ...anOffer('PLUS'), priceId: 'weekly', interval: 'week' }, anOffer('PLUS'), anOffer('PRO')]);
  expect(html).toContain('Weekly');
  expect(html).toContain('Monthly');
  expect(html).not.toContain('Yearly');
  const daily = { ...anOffer('PLUS'), priceId: 'daily', interval: 'day' } as const;
  const yearly = { ...anOffer('PRO'), priceId: 'yearly', interval: 'year' } as const;
  expect(render([daily, yearly])).not.toContain('>Pro<');
});

it('shows the description that the seller gave a plan', () => {
  const shown = render([{ ...anOffer('PLUS'), description: 'For two practices a day.' }, anOffer('PRO')]);
  expect(shown.split('For two practices a day.')).toHaveLength(2);
});

it('shows the minutes of each price for its own interval', () => {
  const limited = {
    live: { allowedS: 600, leftS: 600 },
    calls: { allowedS: 0, leftS: 0 },
    subscription: null,
  } as const;
  const shown = render([{ ...anOffer('PLUS'), interval: 'week' }], limited);
  expect(shown).toContain('140 minutes a week with a live coach');
  expect(shown).toContain('including 14 minutes of calls a week');
  expect(shown).toContain('10 minutes a day with a live coach');
});

it('names no limit where minutes are unlimited', () => {
  expect(render([anOffer('PLUS')])).not.toMatch(/\d minutes/);
});

it('asks to sign in for a plan only where plans are sold', () => {
  const anonymous = { email: null, subscription: null };
  expect(render([anOffer('PLUS')], anonymous)).toContain('sign in to choose one');
  expect(render([], anonymous)).not.toContain('sign in to choose one');
});
