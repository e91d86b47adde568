/** Stripe on this machine, for tests and for development without a key. */
export type { TwinDeliveries, TwinDelivery } from './deliveries.ts';
export type { TwinCall, TwinStep } from './script.ts';
export { startStripeTwin, type StripeTwin, type StripeTwinOptions } from './stripe-twin.ts';
