/**
 * A phase of a schedule, as it must be sent again when the schedule's phases are replaced: Stripe drops discounts, the end of a trial and
 * everything else that is left out.
 */
import type { Stripe } from 'stripe';

type Phase = Stripe.SubscriptionSchedule.Phase;
type PhaseParams = Stripe.SubscriptionScheduleUpdateParams.Phase;
type Discount = Phase['discounts'][number];

const idOf = (held: string | { id: string }): string => (typeof held === 'string' ? held : held.id);

function discountOf({
  coupon,
  discount,
  promotion_code: code,
}: Discount): { discount: string } | { coupon: string } | { promotion_code: string } | null {
  // The discount itself keeps how much of it was used; a coupon would begin anew.
  if (discount !== null) return { discount: idOf(discount) };
  if (code !== null) return { promotion_code: idOf(code) };
  return coupon === null ? null : { coupon: idOf(coupon) };
}

const discountsOf = (discounts: readonly Discount[]) =>
  discounts.length === 0 ? {} : { discounts: discounts.flatMap((discount) => discountOf(discount) ?? []) };

const ratesOf = (rates: readonly (string | { id: string })[] | null | undefined): string[] => (rates ?? []).map(idOf);

const itemOf = (item: Phase['items'][number]): PhaseParams['items'][number] => {
  const rates = ratesOf(item.tax_rates);
  return {
    price: idOf(item.price),
    quantity: item.quantity ?? 1,
    ...discountsOf(item.discounts),
    ...(rates.length > 0 && { tax_rates: rates }),
    ...(Object.keys(item.metadata ?? {}).length > 0 && { metadata: item.metadata ?? {} }),
  };
};

/** What stays the same from one phase to the next. */
export function phaseTerms(phase: Phase): Omit<PhaseParams, 'items'> {
  const rates = ratesOf(phase.default_tax_rates);
  return {
    ...discountsOf(phase.discounts),
    ...(rates.length > 0 && { default_tax_rates: rates }),
    ...(phase.automatic_tax?.enabled === true && { automatic_tax: { enabled: true } }),
    ...(phase.collection_method !== null && { collection_method: phase.collection_method }),
    ...(phase.default_payment_method !== null && { default_payment_method: idOf(phase.default_payment_method) }),
    ...(phase.description !== null && { description: phase.description }),
    ...(Object.keys(phase.metadata ?? {}).length > 0 && { metadata: phase.metadata ?? {} }),
  };
}

export const samePhase = (phase: Phase): PhaseParams => ({
  ...phaseTerms(phase),
  items: phase.items.map(itemOf),
  start_date: phase.start_date,
  end_date: phase.end_date,
  ...(phase.trial_end !== null && { trial_end: phase.trial_end }),
});
