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

it('marks the plan that is in effect when an upgrade was not paid', () => {
  const client: HostClient = createORPCClient({ call: () => Promise.reject(new Error('The host was not expected.')) });
  const cache = new QueryClient();
  const plans = { offers: [anOffer('PLUS'), anOffer('PRO')], isTest: false };
  cache.setQueryData(createQueries(client).billing.plans.queryKey(), plans);
  const html = renderToStaticMarkup(
    <QueryClientProvider client={cache}>
      <I18nProvider i18n={i18n}>
        <HostProvider client={client}>
          <PlanOffers account={account} />
        </HostProvider>
      </I18nProvider>
    </QueryClientProvider>,
  );
  const cardOf = (name: string) => html.slice(html.indexOf(`>${name}<`)).split('<h3')[0];
  expect(cardOf('Plus')).toContain('Your plan');
  expect(cardOf('Plus')).not.toContain('Change to it');
  expect(cardOf('Pro')).not.toContain('Your plan');
});
