/** Payments by Stripe. */
import type { StripeTwin, StripeTwinOptions } from './twin/index.ts';

export { connectStripe } from './connect-stripe.ts';
export { offerPlans } from './offer-plans.ts';
export { createStripePayments } from './stripe-payments.ts';

/** A stand-in on this machine; its code is loaded only where it is wanted. */
export const startStandIn = async (options: StripeTwinOptions): Promise<StripeTwin> =>
  (await import('./twin/index.ts')).startStripeTwin(options);
