import { randomUUID } from 'node:crypto';
import { formatMoney } from '@parley/domain';
import { expect, it } from 'vitest';
import { PlanOffer } from './billing.ts';

const offerIn = (currency: string) =>
  PlanOffer.safeParse({
    priceId: randomUUID(),
    plan: 'PLUS',
    name: 'Plus',
    description: null,
    unitAmount: 1_200,
    currency,
    interval: 'month',
    intervalCount: 1,
  });

it.each(['€€€', '12 ', 'e\nr', '\u202Eab'])('refuses an offer in %j, whose amount no screen could show', (currency) => {
  expect(() => formatMoney(1_200, currency)).toThrow(RangeError);
  expect(offerIn(currency).success).toBe(false);
});

it.each(['eur', 'EUR', 'xts'])('accepts an offer in %s', (currency) => {
  expect(() => formatMoney(1_200, currency)).not.toThrow();
  expect(offerIn(currency).success).toBe(true);
});
