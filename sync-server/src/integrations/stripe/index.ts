/** Adapter for payments by Stripe. */
export { connectStripe } from './connect-stripe.ts';
export { createStripePayments } from './stripe-payments.ts';
