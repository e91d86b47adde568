/** Builds the lines of a subscription's invoices. */
import { newLine } from '../objects/invoice.ts';
import { onlyItem } from '../objects/subscription.ts';
import type { InvoiceLineObject, PriceObject, SubscriptionObject } from '../state/resources.ts';
import type { StripeStore } from '../store.ts';
import { formatMoney, formatInterval } from './format-money.ts';

interface Period {
  start: number;
  end: number;
}

export const priceAmount = ({ unit_amount: unit }: PriceObject, quantity: number): number => (unit ?? 0) * quantity;

const productName = (store: StripeStore, price: PriceObject): string =>
  store.find('product', price.product)?.name ?? price.id;

export const currentPeriod = (subscription: SubscriptionObject): Period => {
  const { current_period_start: start, current_period_end: end } = onlyItem(subscription);
  return { start, end };
};

/** A whole period, or a trial, which costs nothing. */
export function periodLine(
  store: StripeStore,
  subscription: SubscriptionObject,
  { isTrial = false }: { isTrial?: boolean } = {},
): InvoiceLineObject {
  const { price, quantity } = onlyItem(subscription);
  const name = productName(store, price);
  return newLine({
    ...subscriptionReference(subscription),
    amount: isTrial ? 0 : priceAmount(price, quantity),
    description: isTrial
      ? `Trial period for ${name}`
      : `${quantity} × ${name} (at ${formatMoney(price.unit_amount ?? 0, price.currency)} ${formatInterval(price)})`,
    price,
    quantity,
    period: currentPeriod(subscription),
    isProration: false,
  });
}

/** The rest of a period at one price, as a credit or a charge. */
export function remainderLine(
  store: StripeStore,
  subscription: SubscriptionObject,
  facts: { price: PriceObject; quantity: number; at: number; sign: 1 | -1 },
): InvoiceLineObject {
  const { price, quantity, at, sign } = facts;
  const { start, end } = currentPeriod(subscription);
  const share = Math.min(1, Math.max(0, (end - at) / (end - start)));
  const since = new Date(at * 1_000).toUTCString().slice(5, 16);
  return newLine({
    ...subscriptionReference(subscription),
    amount: sign * Math.round(priceAmount(price, quantity) * share),
    description: `${sign < 0 ? 'Unused' : 'Remaining'} time on ${productName(store, price)} after ${since}`,
    price,
    quantity,
    period: { start: at, end },
    isProration: true,
  });
}

const subscriptionReference = (subscription: SubscriptionObject) => ({
  subscription: { id: subscription.id, itemId: onlyItem(subscription).id, metadata: subscription.metadata },
});
