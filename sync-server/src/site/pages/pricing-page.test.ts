import type { PlanOffer } from '@parley/contract';
import { expect, it } from 'vitest';
import { localizerFor } from '../../localization/index.ts';
import { pricingPage } from './pricing-page.ts';

const words = { ...localizerFor('en'), linkTo: (path: string) => path };
const weekly = { plan: 'PLUS', unitAmount: 400, currency: 'eur', interval: 'week', intervalCount: 1 } as PlanOffer;

it('says that the Free plan has the first section of each course, and promises no free practice beyond it', () => {
  const { body } = pricingPage(words, { offers: [], isTest: false, isMetered: true });
  expect(body.text).toContain('<td>The first section of each course</td>');
  expect(body.text).not.toContain('Pay only for time');
});

it('shows the minutes of a price for its own interval', () => {
  const { body } = pricingPage(words, { offers: [weekly], isTest: false, isMetered: true });
  expect(body.text).toContain('<td>10 minutes a day, no calls</td>');
  expect(body.text).toContain('<td>140 minutes a week, including 14 minutes of calls</td>');
});

it('names no limit where minutes are unlimited', () => {
  const { body } = pricingPage(words, { offers: [weekly], isTest: false, isMetered: false });
  expect(body.text).not.toMatch(/\d minutes/);
});
