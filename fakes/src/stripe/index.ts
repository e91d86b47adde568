/** A local server that speaks Stripe's protocol, for tests and for development without a key. */
export type { WebhookDeliveries, WebhookDelivery } from './webhook-dispatcher.ts';
export type { RecordedCall, ScriptStep } from './script.ts';
export { startStripeFake, type StripeFake, type StripeFakeOptions } from './stripe-fake.ts';
export { connectClient } from './connect-client.ts';
export { seedPlans } from './seed-plans.ts';
