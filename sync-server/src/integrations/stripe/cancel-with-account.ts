/**
 * Cancels a subscription because its account is being deleted. The cancellation is marked, so that keeping the account undoes it without
 * undoing the learner's own choices.
 */
import type { Stripe } from 'stripe';
import { phaseTerms, copyPhase } from './copy-phase.ts';

/** Metadata keys of the subscription; what was planned before is stored beside the mark. */
const CANCELLATION_MARK = 'ends_with_account';
const PLANNED_PRICE_KEY = 'ends_with_account_next_price';
const CANCEL_AT_KEY = 'ends_with_account_cancel_at';

export const isCancelledWithAccount = ({ metadata }: Pick<Stripe.Subscription, 'metadata'>): boolean =>
  metadata[CANCELLATION_MARK] !== undefined;

/** Returns what begins after the current phase; null when nothing is planned or the schedule was not expanded. */
export function plannedChange({
  schedule,
}: Pick<Stripe.Subscription, 'schedule'>): { priceId: string; atS: number } | null {
  if (schedule === null || typeof schedule === 'string' || schedule.status !== 'active') return null;
  const endS = schedule.current_phase?.end_date;
  const next = schedule.phases.find(({ start_date: startS }) => startS === endS);
  const price = next?.items[0]?.price;
  if (next === undefined || price === undefined) return null;
  return { priceId: typeof price === 'string' ? price : price.id, atS: next.start_date };
}

/**
 * Sets the mark first, so that a repeated call after a crash has the same result. If two servers do this concurrently,
 * the slower one changes nothing.
 */
export async function cancelWithAccount(stripe: Stripe, id: string): Promise<void> {
  const subscription = await stripe.subscriptions.retrieve(id, { expand: ['schedule'] });
  const { schedule, cancel_at: cancelAt } = subscription;
  // We have already cancelled it, so its state is not what the learner planned.
  if (isCancelledWithAccount(subscription) && subscription.cancel_at_period_end) return;
  const next = plannedChange(subscription);
  const markMetadata = {
    [CANCELLATION_MARK]: 'yes',
    ...(next === null ? {} : { [PLANNED_PRICE_KEY]: next.priceId }),
    ...(cancelAt === null ? {} : { [CANCEL_AT_KEY]: String(cancelAt) }),
  };
  // A subscription that is managed by a schedule can only be cancelled there.
  if (schedule !== null) {
    await stripe.subscriptions.update(id, { metadata: markMetadata });
    await stripe.subscriptionSchedules.release(typeof schedule === 'string' ? schedule : schedule.id);
  }
  await stripe.subscriptions.update(id, { metadata: markMetadata, cancel_at_period_end: true });
}

/**
 * Removes the mark last, so that a repeated call after a crash has the same result. If there is no mark, another server
 * was faster.
 */
export async function undoCancelWithAccount(stripe: Stripe, id: string): Promise<void> {
  const subscription = await stripe.subscriptions.retrieve(id, { expand: ['schedule'] });
  if (!isCancelledWithAccount(subscription)) return;
  const { [PLANNED_PRICE_KEY]: price, [CANCEL_AT_KEY]: cancelAt } = subscription.metadata;
  const end =
    subscription.schedule !== null
      ? {}
      : cancelAt === undefined
        ? { cancel_at_period_end: false }
        : { cancel_at: Number(cancelAt) };
  if (price !== undefined) {
    await stripe.subscriptions.update(id, end);
    await restorePlannedChange(stripe, subscription, price);
  }
  const metadata = { [CANCELLATION_MARK]: '', [PLANNED_PRICE_KEY]: '', [CANCEL_AT_KEY]: '' };
  await stripe.subscriptions.update(id, { metadata, ...(price === undefined ? end : {}) });
}

async function restorePlannedChange(
  stripe: Stripe,
  { id, schedule }: Stripe.Subscription,
  price: string,
): Promise<void> {
  const activeSchedule =
    schedule === null || typeof schedule === 'string'
      ? await stripe.subscriptionSchedules.create({ from_subscription: id })
      : schedule;
  const [running, ...planned] = activeSchedule.phases;
  if (running === undefined || planned.length > 0) return;
  await stripe.subscriptionSchedules.update(activeSchedule.id, {
    phases: [
      copyPhase(running),
      {
        ...phaseTerms(running),
        items: [{ price, quantity: running.items[0]?.quantity ?? 1 }],
        proration_behavior: 'none',
      },
    ],
  });
}
