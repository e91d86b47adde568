/** An end that is set because the account leaves: marked as ours, so that thinking again undoes it and nothing that the learner chose. */
import type { Stripe } from 'stripe';
import { phaseTerms, samePhase } from './same-phase.ts';

/** In the subscription's metadata; what was planned before stands beside the mark. */
const MARK = 'ends_with_account';
const PRICE_BEFORE = 'ends_with_account_next_price';
const CANCEL_AT_BEFORE = 'ends_with_account_cancel_at';

export const isEndedWithAccount = ({ metadata }: Pick<Stripe.Subscription, 'metadata'>): boolean =>
  metadata[MARK] !== undefined;

/** What begins when the running phase is over; null where nothing is planned, or the schedule was not asked for. */
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

/** Done halfway and done again, it ends as if it had been done once: the mark is first. Done by two servers, the slower one leaves it. */
export async function endWithAccount(stripe: Stripe, id: string): Promise<void> {
  const subscription = await stripe.subscriptions.retrieve(id, { expand: ['schedule'] });
  const { schedule, cancel_at: cancelAt } = subscription;
  // What its end is now is ours, and nothing that was planned before.
  if (isEndedWithAccount(subscription) && subscription.cancel_at_period_end) return;
  const next = plannedChange(subscription);
  const mark = {
    [MARK]: 'yes',
    ...(next === null ? {} : { [PRICE_BEFORE]: next.priceId }),
    ...(cancelAt === null ? {} : { [CANCEL_AT_BEFORE]: String(cancelAt) }),
  };
  // The end of what a schedule manages is the schedule's.
  if (schedule !== null) {
    await stripe.subscriptions.update(id, { metadata: mark });
    await stripe.subscriptionSchedules.release(typeof schedule === 'string' ? schedule : schedule.id);
  }
  await stripe.subscriptions.update(id, { metadata: mark, cancel_at_period_end: true });
}

/** The mark is taken away last, for the same reason; where there is none, another server was faster. */
export async function goOn(stripe: Stripe, id: string): Promise<void> {
  const subscription = await stripe.subscriptions.retrieve(id, { expand: ['schedule'] });
  if (!isEndedWithAccount(subscription)) return;
  const { [PRICE_BEFORE]: price, [CANCEL_AT_BEFORE]: cancelAt } = subscription.metadata;
  const end =
    subscription.schedule !== null
      ? {}
      : cancelAt === undefined
        ? { cancel_at_period_end: false }
        : { cancel_at: Number(cancelAt) };
  if (price !== undefined) {
    await stripe.subscriptions.update(id, end);
    await planAgain(stripe, subscription, price);
  }
  const metadata = { [MARK]: '', [PRICE_BEFORE]: '', [CANCEL_AT_BEFORE]: '' };
  await stripe.subscriptions.update(id, { metadata, ...(price === undefined ? end : {}) });
}

async function planAgain(stripe: Stripe, { id, schedule }: Stripe.Subscription, price: string): Promise<void> {
  const made =
    schedule === null || typeof schedule === 'string'
      ? await stripe.subscriptionSchedules.create({ from_subscription: id })
      : schedule;
  const [running, ...planned] = made.phases;
  if (running === undefined || planned.length > 0) return;
  await stripe.subscriptionSchedules.update(made.id, {
    phases: [
      samePhase(running),
      {
        ...phaseTerms(running),
        items: [{ price, quantity: running.items[0]?.quantity ?? 1 }],
        proration_behavior: 'none',
      },
    ],
  });
}
