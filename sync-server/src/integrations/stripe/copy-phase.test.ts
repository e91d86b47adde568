import type { Stripe } from 'stripe';
import { describe, expect, it } from 'vitest';
import { newPhase } from '@parley/fakes/stripe/objects/schedule.ts';
import { phaseTerms, copyPhase } from './copy-phase.ts';

type Phase = Stripe.SubscriptionSchedule.Phase;

const bare: Phase = newPhase({ currency: 'eur' } as Parameters<typeof newPhase>[0], {
  price: 'price_1',
  quantity: 2,
  start: 100,
  end: 200,
  proration: 'create_prorations',
});

const discount = (given: Partial<Phase['discounts'][number]>): Phase['discounts'][number] => ({
  coupon: null,
  discount: null,
  promotion_code: null,
  ...given,
});

describe('copying a phase', () => {
  it('adds nothing to a bare phase', () => {
    expect(copyPhase(bare)).toEqual({ items: [{ price: 'price_1', quantity: 2 }], start_date: 100, end_date: 200 });
  });

  it('keeps discounts and the trial end', () => {
    const [first] = bare.items;
    if (first === undefined) throw new Error('the phase has no item');
    const item = { ...first, discounts: [discount({ coupon: 'ITEM' })] };
    const phase = {
      ...bare,
      items: [item],
      trial_end: 150,
      discounts: [discount({ coupon: 'HALF', discount: 'di_1' }), discount({ promotion_code: 'promo_1' })],
    };
    expect(copyPhase(phase)).toMatchObject({
      trial_end: 150,
      discounts: [{ discount: 'di_1' }, { promotion_code: 'promo_1' }],
      items: [{ price: 'price_1', discounts: [{ coupon: 'ITEM' }] }],
    });
  });

  it('passes terms, but not the trial, to the next phase', () => {
    const phase = {
      ...bare,
      trial_end: 150,
      discounts: [discount({ discount: 'di_1' })],
      metadata: { userId: 'ada' },
      default_payment_method: 'pm_1',
    };
    expect(phaseTerms(phase)).toEqual({
      discounts: [{ discount: 'di_1' }],
      metadata: { userId: 'ada' },
      default_payment_method: 'pm_1',
    });
  });
});
