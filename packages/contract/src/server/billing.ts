/** Plans and payments. A device only receives URLs to open in the system's browser. */
import { PLAN_TYPES, PRICING_INTERVALS } from '@parley/domain';
import { z } from 'zod';
import { serverBase } from './base.ts';

/** The app opens the address in the system's browser; other schemes could start other programs. */
const PageAddress = z.url({ protocol: /^https?$/ });

/** ISO 4217, lower case. A screen that formats an amount in anything else fails. */
const Currency = z.string().regex(/^[a-z]{3}$/i);

export const PlanOffer = z.strictObject({
  /** Our own id, not the provider's. */
  priceId: z.uuid(),
  plan: z.enum(PLAN_TYPES),
  name: z.string(),
  description: z.string().nullable(),
  /** In the currency's smallest unit. */
  unitAmount: z.number().int().min(0),
  currency: Currency,
  interval: z.enum(PRICING_INTERVALS),
  intervalCount: z.number().int().min(1),
});
export type PlanOffer = z.infer<typeof PlanOffer>;

export const Invoice = z.strictObject({
  number: z.string().nullable(),
  at: z.iso.datetime(),
  /** The invoice total; negative for a credit. */
  amount: z.number().int(),
  /** The amount to be charged after credit is used. */
  amountDue: z.number().int(),
  /** The amount that was charged. */
  amountPaid: z.number().int(),
  /** The part of the charge that was refunded. */
  amountRefunded: z.number().int().min(0),
  currency: Currency,
  status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']),
  url: PageAddress.nullable(),
});
export type Invoice = z.infer<typeof Invoice>;

const Address = z.strictObject({ url: PageAddress });

export const billingServerContract = {
  plans: serverBase
    .route({ method: 'GET', path: '/v1/billing/plans', summary: 'What can be bought here' })
    .input(z.strictObject({}).optional())
    .output(
      z.strictObject({
        offers: z.array(PlanOffer),
        /** True for a fake provider, or the provider's test mode. */
        isTest: z.boolean(),
      }),
    ),
  invoices: serverBase
    .route({ method: 'GET', path: '/v1/billing/invoices', summary: 'What was paid, the newest first' })
    .input(z.strictObject({}).optional())
    .output(z.array(Invoice)),
  /** Seven days, once per account, without a card. */
  startTrial: serverBase
    .route({ method: 'POST', path: '/v1/billing/start-trial', summary: 'Try everything for seven days' })
    .input(z.strictObject({}))
    .output(z.strictObject({})),
  checkout: serverBase
    .route({ method: 'POST', path: '/v1/billing/checkout', summary: 'Where to pay for a plan' })
    .input(z.strictObject({ priceId: z.uuid() }))
    .output(Address),
  portal: serverBase
    .route({ method: 'POST', path: '/v1/billing/portal', summary: 'Where to change, cancel or look at invoices' })
    .input(z.strictObject({}))
    .output(Address),
};
