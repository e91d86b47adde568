/** Compares what the provider knows of all subscriptions with what we do: an event that never came is repaired within the hour. */
import { hasSeveralMonths, isRunning, type SubscriptionStatus, subscriptionThatCounts } from '@parley/domain';
import type { Database } from '../db/client.ts';
import { planOutlooks, tables } from '../db/tables.ts';
import type { Payments, ProviderSubscription } from '../payments/index.ts';
import { eq } from 'drizzle-orm';
import { isFreeWeekOver, plansByPrice } from './apply-customer.ts';
import { dueChange, readToEnd } from './leaving.ts';
import { isSameOutlook } from './outlook.ts';

export interface Reconciled {
  looked: number;
  repaired: number;
  /** Of those, plans that have ended because the provider does not know of them: a reason to look at whose key it is. */
  ended: number;
}

export async function reconcile({
  db,
  payments,
  apply,
  recount,
}: {
  db: Database;
  payments: Payments;
  apply: (customerId: string) => Promise<void>;
  recount: (userId: string) => Promise<void>;
}): Promise<Reconciled> {
  const byCustomer = new Map<string, ProviderSubscription[]>();
  for await (const subscription of payments.subscriptions()) {
    const known = byCustomer.get(subscription.customerId) ?? [];
    byCustomer.set(subscription.customerId, [...known, subscription]);
  }
  const ours = await readOurs(db);
  const plans = await plansByPrice(db);
  const toEnd = await readToEnd(db);
  let repaired = 0;
  for (const [customerId, all] of byCustomer) {
    const current = subscriptionThatCounts(all, ({ priceId }) => plans.get(priceId) ?? null);
    const row = ours.get(customerId);
    if (row === undefined || current === null) continue;
    // Of one that asked to be erased, or lost access, or neither any more, while the provider could not be reached.
    const isDue = all.some((known) => dueChange(known, toEnd.has(row.userId)) !== null);
    if (isSame(row, current) && !isFreeWeekOver(all) && !isDue) continue;
    await apply(customerId);
    repaired += 1;
  }
  let ended = 0;
  for (const [customerId, { subscription }] of ours) {
    if (byCustomer.has(customerId) || subscription === null || !isRunning(subscription.status)) continue;
    // It asks for this customer alone: what began while all were listed is not ended.
    await apply(customerId);
    if (isRunning(await statusOf(db, subscription.subscriptionId))) continue;
    ended += 1;
    repaired += 1;
  }
  // Of a new month in a year that was paid for, and of the end of a week of grace, no provider tells.
  for (const { subscription } of ours.values())
    if (subscription !== null && isRunning(subscription.status) && movesByItself(subscription))
      await recount(subscription.userId);
  return { looked: byCustomer.size, repaired, ended };
}

async function statusOf(db: Database, subscriptionId: string): Promise<SubscriptionStatus | null> {
  const { subscriptions } = tables;
  const [row] = await db
    .select({ status: subscriptions.status })
    .from(subscriptions)
    .where(eq(subscriptions.subscriptionId, subscriptionId));
  return row?.status ?? null;
}

const movesByItself = (row: typeof tables.subscriptions.$inferSelect): boolean =>
  row.status === 'past_due' || hasSeveralMonths(row);

async function readOurs(db: Database) {
  const { customers, subscriptions, prices } = tables;
  const rows = await db
    .select({
      customerId: customers.customerId,
      userId: customers.userId,
      subscription: subscriptions,
      price: prices.priceId,
      outlook: planOutlooks,
    })
    .from(customers)
    .leftJoin(planOutlooks, eq(planOutlooks.userId, customers.userId))
    .leftJoin(subscriptions, eq(subscriptions.userId, customers.userId))
    .leftJoin(prices, eq(prices.id, subscriptions.priceId));
  return new Map(rows.map((row) => [row.customerId, row]));
}

type Ours = Awaited<ReturnType<typeof readOurs>> extends Map<string, infer Row> ? Row : never;

const timeOf = (date: Date | null | undefined): number | null => date?.getTime() ?? null;

function isSame({ subscription, price, outlook }: Ours, current: ProviderSubscription): boolean {
  return (
    subscription !== null &&
    subscription.providerSubscriptionId === current.id &&
    subscription.status === current.status &&
    price === current.priceId &&
    subscription.cancelAtPeriodEnd === current.cancelAtPeriodEnd &&
    timeOf(subscription.cancelAt) === timeOf(current.cancelAt) &&
    timeOf(subscription.currentPeriodStart) === timeOf(current.currentPeriodStart) &&
    timeOf(subscription.currentPeriodEnd) === timeOf(current.currentPeriodEnd) &&
    timeOf(subscription.endedAt) === timeOf(current.endedAt) &&
    isSameOutlook(outlook, current)
  );
}
