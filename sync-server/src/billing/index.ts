export { type Billing, type BillingParts, createBilling } from './billing.ts';
export { listProducts } from './list-products.ts';
export { readPlansOnSale } from './plans-on-sale.ts';
export type { BillingAlert } from './sync-customer.ts';
export type { BillingMail } from './webhooks.ts';
export { createRemainingTimeUpdater, type UpdateRemainingTime } from './update-remaining-time.ts';
