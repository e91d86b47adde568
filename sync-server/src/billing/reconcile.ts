/** Compares all subscriptions of the provider with ours, so that a lost event is repaired within the hour. */
import {
  coversSeveralMonths,
  isRunning,
  type PlanType,
  type SubscriptionStatus,
  selectCurrentSubscription,
} from '@parley/domain';
import type { Database } from '../db/client.ts';
import { pendingPlanChanges, tables } from '../db/tables.ts';
import type { Payments, ProviderSubscription } from '../ports/payments/index.ts';
import { and, eq, isNull } from 'drizzle-orm';
import { isTrialReplaced, readPlansByPriceId } from './sync-customer.ts';
import { requiredChange, readUserIdsToCancel } from './cancellation.ts';
import { dateLatePayments, isPeriodPaid, isSamePendingPlanChange } from './pending-plan-change.ts';

export interface ReconcileReport {
  checked: number;
  repaired: number;
  /** Plans that were ended because the provider does not know them. Check to which account the key belongs. */
  ended: number;
}

/** The provider's checkouts expire by themselves after a day, and such a learner cannot open a new one. */
const CHECKOUT_MAY_BE_OPEN_MS = 2 * 24 * 3_600_000;

export async function reconcile({
  db,
  now,
  payments,
  syncCustomer,
  recalculate,
}: {
  db: Database;
  now: Date;
  payments: Payments;
  syncCustomer: (customerId: string) => Promise<void>;
  recalculate: (userId: string) => Promise<void>;
}): Promise<ReconcileReport> {
  const byCustomer = new Map<string, ProviderSubscription[]>();
  for await (const subscription of payments.listAllSubscriptions()) {
    const known = byCustomer.get(subscription.customerId) ?? [];
    byCustomer.set(subscription.customerId, [...known, subscription]);
  }
  const ourSubscriptions = await readOurSubscriptions(db);
  const plans = await readPlansByPriceId(db);
  const userIdsToCancel = await readUserIdsToCancel(db);
  let repaired = 0;
  for (const [customerId, all] of byCustomer) {
    const current = selectCurrentSubscription(all, ({ priceId }) => plans.get(priceId) ?? null);
    const row = ourSubscriptions.get(customerId);
    if (row === undefined || current === null) continue;
    // The learner requested or withdrew deletion, or their access changed, while the provider was unreachable.
    const isDue = all.some((known) => requiredChange(known, userIdsToCancel.has(row.userId)) !== null);
    if (isSame(row, current) && hasPlanOfPrice(row, current, plans) && !isTrialReplaced(all) && !isDue) continue;
    await syncCustomer(customerId);
    repaired += 1;
  }
  let ended = 0;
  for (const [customerId, { subscription }] of ourSubscriptions) {
    if (byCustomer.has(customerId) || subscription === null || !isRunning(subscription.status)) continue;
    // This requests the one customer again, so that a subscription that began during the listing is not ended.
    await syncCustomer(customerId);
    if (isRunning(await statusOf(db, subscription.subscriptionId))) continue;
    ended += 1;
    repaired += 1;
  }
  // No event announces a new month of a yearly plan or the end of a grace week.
  for (const { subscription } of ourSubscriptions.values())
    if (subscription !== null && isRunning(subscription.status) && changesWithoutEvent(subscription))
      await recalculate(subscription.userId);
  await expireCheckouts({ db, now, payments, ourSubscriptions });
  return { checked: byCustomer.size, repaired, ended };
}

/**
 * Closes the checkouts of learners who must not pay any more. They may have no subscription yet, only a checkout that could still be paid.
 * Throws the first failure after it has tried all of them.
 */
async function expireCheckouts({
  db,
  now,
  payments,
  ourSubscriptions,
}: {
  db: Database;
  now: Date;
  payments: Payments;
  ourSubscriptions: ReadonlyMap<string, OurSubscription>;
}): Promise<void> {
  const userIds = await readUserIdsToCancel(db, new Date(now.getTime() - CHECKOUT_MAY_BE_OPEN_MS));
  const failures: unknown[] = [];
  for (const [customerId, { userId }] of ourSubscriptions)
    if (userIds.has(userId)) await payments.expireCheckouts(customerId).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** Without a provider, only late payments change: their week of grace begins and ends. */
export async function reconcileWithoutPayments({
  db,
  now,
  recalculate,
}: {
  db: Database;
  now: Date;
  recalculate: (userId: string) => Promise<void>;
}): Promise<ReconcileReport> {
  const { subscriptions } = tables;
  const late = await db
    .select({ userId: subscriptions.userId })
    .from(subscriptions)
    .where(and(eq(subscriptions.status, 'past_due'), isNull(subscriptions.deletedAt)));
  const userIds = late.map(({ userId }) => userId);
  await dateLatePayments(db, userIds, now);
  for (const userId of userIds) await recalculate(userId);
  return { checked: 0, repaired: 0, ended: 0 };
}

async function statusOf(db: Database, subscriptionId: string): Promise<SubscriptionStatus | null> {
  const { subscriptions } = tables;
  const [row] = await db
    .select({ status: subscriptions.status })
    .from(subscriptions)
    .where(eq(subscriptions.subscriptionId, subscriptionId));
  return row?.status ?? null;
}

const changesWithoutEvent = (row: typeof tables.subscriptions.$inferSelect): boolean =>
  row.status === 'past_due' || coversSeveralMonths(row);

async function readOurSubscriptions(db: Database) {
  const { customers, subscriptions, prices } = tables;
  const rows = await db
    .select({
      customerId: customers.customerId,
      userId: customers.userId,
      subscription: subscriptions,
      price: prices.priceId,
      pendingChange: pendingPlanChanges,
    })
    .from(customers)
    .leftJoin(pendingPlanChanges, eq(pendingPlanChanges.userId, customers.userId))
    .leftJoin(subscriptions, eq(subscriptions.userId, customers.userId))
    .leftJoin(prices, eq(prices.id, subscriptions.priceId));
  return new Map(rows.map((row) => [row.customerId, row]));
}

type OurSubscription = Awaited<ReturnType<typeof readOurSubscriptions>> extends Map<string, infer Row> ? Row : never;

const timeOf = (date: Date | null | undefined): number | null => date?.getTime() ?? null;

function isSame({ subscription, price, pendingChange }: OurSubscription, current: ProviderSubscription): boolean {
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
    isSamePendingPlanChange(pendingChange, current) &&
    arePaymentsRecorded({ subscription, pendingChange }, current)
  );
}

/** False when the seller has corrected the plan of a product in the meantime. */
function hasPlanOfPrice(
  { subscription }: OurSubscription,
  { status, priceId }: ProviderSubscription,
  plans: ReadonlyMap<string | null, PlanType>,
): boolean {
  const plan = plans.get(priceId);
  return plan === undefined || status === 'trialing' || !isRunning(status) || subscription?.planType === plan;
}

/** An earlier server version may have stored the subscription alone. */
function arePaymentsRecorded(
  { subscription, pendingChange }: Pick<OurSubscription, 'subscription' | 'pendingChange'>,
  current: ProviderSubscription,
): boolean {
  if ((current.status === 'past_due') !== ((pendingChange?.pastDueSince ?? null) !== null)) return false;
  return (
    !isPeriodPaid(current) ||
    (pendingChange?.paidPlan === subscription?.planType &&
      timeOf(pendingChange?.paidUntil) === timeOf(current.currentPeriodEnd))
  );
}
