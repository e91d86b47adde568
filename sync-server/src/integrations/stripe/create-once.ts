/**
 * Creates an object under an idempotency key. Stripe repeats the first response to a key for a day, also when it failed inside Stripe, and
 * a learner could not buy anything until then. So a repeated failure is followed by a request with a key of its own minute, which
 * simultaneous requests share.
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
