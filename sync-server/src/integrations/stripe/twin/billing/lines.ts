/** What an invoice of a subscription asks money for. */
import { newLine } from '../objects/invoice.ts';
import { onlyItem } from '../objects/subscription.ts';
import type { InvoiceLineObject, PriceObject, SubscriptionObject } from '../state/resources.ts';
import type { World } from '../world.ts';
import { sayMoney, sayRhythm } from './money.ts';

interface Period {
  start: number;
  end: number;
}

export const amountOf = ({ unit_amount: unit }: PriceObject, quantity: number): number => (unit ?? 0) * quantity;

const nameOf = (world: World, price: PriceObject): string => world.find('product', price.product)?.name ?? price.id;

export const periodOf = (subscription: SubscriptionObject): Period => {
  const { current_period_start: start, current_period_end: end } = onlyItem(subscription);
  return { start, end };
};

/** A whole period, or a trial, which costs nothing. */
export function periodLine(
  world: World,
  subscription: SubscriptionObject,
  { isTrial = false }: { isTrial?: boolean } = {},
): InvoiceLineObject {
  const { price, quantity } = onlyItem(subscription);
  const name = nameOf(world, price);
  return newLine({
    ...tie(subscription),
    amount: isTrial ? 0 : amountOf(price, quantity),
    description: isTrial
      ? `Trial period for ${name}`
      : `${quantity} × ${name} (at ${sayMoney(price.unit_amount ?? 0, price.currency)} ${sayRhythm(price)})`,
    price,
    quantity,
    period: periodOf(subscription),
    isProration: false,
  });
}

/** What is left of a period at one price, to be given back or asked for. */
export function remainderLine(
  world: World,
  subscription: SubscriptionObject,
  facts: { price: PriceObject; quantity: number; at: number; sign: 1 | -1 },
): InvoiceLineObject {
  const { price, quantity, at, sign } = facts;
  const { start, end } = periodOf(subscription);
  const share = Math.min(1, Math.max(0, (end - at) / (end - start)));
  const since = new Date(at * 1_000).toUTCString().slice(5, 16);
  return newLine({
    ...tie(subscription),
    amount: sign * Math.round(amountOf(price, quantity) * share),
    description: `${sign < 0 ? 'Unused' : 'Remaining'} time on ${nameOf(world, price)} after ${since}`,
    price,
    quantity,
    period: { start: at, end },
    isProration: true,
  });
}

const tie = (subscription: SubscriptionObject) => ({
  subscription: { id: subscription.id, itemId: onlyItem(subscription).id, metadata: subscription.metadata },
});
