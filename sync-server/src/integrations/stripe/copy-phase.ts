/**
 * Copies a schedule phase for an update. Stripe replaces all phases and drops discounts, trial ends and everything else that the update
 * omits.
 */
import type { Stripe } from 'stripe';

type Phase = Stripe.SubscriptionSchedule.Phase;
type PhaseParams = Stripe.SubscriptionScheduleUpdateParams.Phase;
type Discount = Phase['discounts'][number];

const toId = (reference: string | { id: string }): string => (typeof reference === 'string' ? reference : reference.id);

function toDiscountParam({
  coupon,
  discount,
  promotion_code: code,
}: Discount): { discount: string } | { coupon: string } | { promotion_code: string } | null {
  // The discount itself remembers how much of it has been used; its coupon would start over.
  if (discount !== null) return { discount: toId(discount) };
  if (code !== null) return { promotion_code: toId(code) };
  return coupon === null ? null : { coupon: toId(coupon) };
}

const toDiscountParams = (discounts: readonly Discount[]) =>
  discounts.length === 0 ? {} : { discounts: discounts.flatMap((discount) => toDiscountParam(discount) ?? []) };

const taxRateIds = (rates: readonly (string | { id: string })[] | null | undefined): string[] =>
  (rates ?? []).map(toId);

const toItemParams = (item: Phase['items'][number]): PhaseParams['items'][number] => {
  const rates = taxRateIds(item.tax_rates);
  return {
    price: toId(item.price),
    quantity: item.quantity ?? 1,
    ...toDiscountParams(item.discounts),
    ...(rates.length > 0 && { tax_rates: rates }),
    ...(Object.keys(item.metadata ?? {}).length > 0 && { metadata: item.metadata ?? {} }),
  };
};

/** Returns the terms that continue from one phase to the next. */
export function phaseTerms(phase: Phase): Omit<PhaseParams, 'items'> {
  const rates = taxRateIds(phase.default_tax_rates);
  return {
    ...toDiscountParams(phase.discounts),
    ...(rates.length > 0 && { default_tax_rates: rates }),
    ...(phase.automatic_tax?.enabled === true && { automatic_tax: { enabled: true } }),
    ...(phase.collection_method !== null && { collection_method: phase.collection_method }),
    ...(phase.default_payment_method !== null && { default_payment_method: toId(phase.default_payment_method) }),
    ...(phase.description !== null && { description: phase.description }),
    ...(Object.keys(phase.metadata ?? {}).length > 0 && { metadata: phase.metadata ?? {} }),
  };
}

export const copyPhase = (phase: Phase): PhaseParams => ({
  ...phaseTerms(phase),
  items: phase.items.map(toItemParams),
  start_date: phase.start_date,
  end_date: phase.end_date,
  ...(phase.trial_end !== null && { trial_end: phase.trial_end }),
});
