export { type Billing, type BillingParts, createBilling } from './billing.ts';
export type { BillingTrouble } from './apply-customer.ts';
export type { BillingMail } from './events.ts';
export { createRecount, type Recount } from './recount.ts';
