export { type Billing, type BillingParts, createBilling } from './billing.ts';
export type { BillingMail } from './events.ts';
export { createRecount, type Recount } from './recount.ts';
