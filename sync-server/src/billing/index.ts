export { type Billing, createBilling } from './billing.ts';
export { listProducts } from './list-products.ts';
export { readPlansOnSale } from './plans-on-sale.ts';
export type { BillingAlert } from './sync-customer.ts';
export { createRemainingTimeUpdater } from './update-remaining-time.ts';
