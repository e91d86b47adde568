/**
 * Creates an object under an idempotency key. Stripe repeats the first response to a key for a day, even a failure
 * inside Stripe, and until then a learner could not buy anything. If the failure is repeated, the request is therefore
 * sent again under a key that contains the current minute, so that simultaneous requests share it.
 */
import { Stripe } from 'stripe';

const MINUTE_MS = 60_000;

export async function createOnce<Value>(
  idempotencyKey: string,
  { now, create }: { now: Date; create: (options: { idempotencyKey: string }) => Promise<Value> },
): Promise<Value> {
  try {
    return await create({ idempotencyKey });
  } catch (error) {
    if (!isRepeatedFailure(error)) throw error;
    return create({ idempotencyKey: `${idempotencyKey}:${Math.floor(now.getTime() / MINUTE_MS)}` });
  }
}

const isRepeatedFailure = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeAPIError && error.headers?.['idempotent-replayed'] === 'true';
