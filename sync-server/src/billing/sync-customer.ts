/** Makes our subscription row match the provider's current state. */
import {
  allowanceIn,
  isPaidPlan,
  isRunning,
  meteringPeriod,
  type PaidPeriod,
  type PaymentState,
  type PlanType,
  effectivePlan,
  remainingSeconds,
  selectCurrentSubscription,
  type SubscriptionState,
} from '@parley/domain';
import { and, eq, sql } from 'drizzle-orm';
import { recordAudit, lockLearner, nextVersion, writeUser } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { tables } from '../db/tables.ts';
import { readUsedSeconds } from '../metering/index.ts';
import type { Payments, ProviderSubscription } from '../ports/payments/index.ts';
import { mustCancel, applyRequiredChanges } from './cancellation.ts';
import { deletePendingPlanChange, savePendingPlanChange } from './pending-plan-change.ts';

export interface CustomerSyncParts {
  db: Database;
  now: () => Date;
  newId: () => string;
  changed: (userId: string, version: number) => void;
  /** Called for a state that an operator should look at. */
  onAlert?: (trouble: BillingAlert) => void;
}

export type BillingAlert =
  /** The customer pays for more than one subscription. Nothing is refunded automatically. */
  | { what: 'several_subscriptions'; customerId: string; count: number }
  /** A plan was ended because the provider does not know it: the key may belong to another account or mode. */
  | { what: 'unknown_to_provider'; customerId: string }
  /** The provider refused to cancel or resume a subscription whose account requested or withdrew deletion. */
  | { what: 'not_as_account'; customerId: string; subscriptionId: string }
  /** A learner bought a plan that they cannot use: they had requested deletion or lost access. Nothing is refunded automatically. */
  | { what: 'paid_without_access'; customerId: string; subscriptionId: string };

type Row = typeof tables.subscriptions.$inferSelect;

const NOTHING_PAID: PaymentState = { pastDueSince: null, paidPlan: null, paidUntil: null };

/**
 * The number of attempts before a synchronisation gives up. It repeats when a later one has overtaken it, or when it
 * has changed something at the provider itself.
 */
const MAX_ATTEMPTS = 5;

/**
 * Events arrive in any order, twice and late, so each one only triggers a fresh read. When two reads overlap, the one that began last has
 * seen everything that the other has, so only it may write. `customers.updatedAt` records the order across all servers: it only grows,
 * whatever their clocks say.
 */
export function createCustomerSync(parts: CustomerSyncParts, payments: Payments) {
  const { db, now, changed } = parts;
  const runningByCustomerId = new Map<string, Promise<void>>();

  async function syncUntilStable(customerId: string): Promise<void> {
    for (let looks = 0; looks < MAX_ATTEMPTS; looks += 1) if ((await syncOnce(customerId)) === 'done') return;
  }

  async function syncOnce(customerId: string): Promise<'overtaken' | 'changed' | 'done'> {
    const { customers } = tables;
    const [customer] = await db
      .update(customers)
      .set({
        updatedAt: sql`greatest(${customers.updatedAt} + interval '1 millisecond', ${now().toISOString()}::timestamptz)`,
      })
      .where(eq(customers.customerId, customerId))
      .returning();
    // The customer was created elsewhere, or its learner was erased here.
    if (customer === undefined) return 'done';
    const all = await payments.listSubscriptions(customerId);
    const plans = await readPlansByPriceId(db);
    const current = selectCurrentSubscription(all, ({ priceId }) => plans.get(priceId) ?? null);
    const written = await db.transaction(async (tx) => {
      // The learner is locked before any of their rows, in the order that erasing uses. Otherwise the two could deadlock.
      await lockLearner(tx, customer.userId);
      const [latest] = await tx
        .select()
        .from(customers)
        .where(and(eq(customers.customerId, customerId), eq(customers.updatedAt, customer.updatedAt)))
        .for('update');
      if (latest === undefined) return 'overtaken';
      if (current === null) return { version: await endUnknownSubscription(tx, customer), boughtId: null };
      const known = await readPaidSubscriptionId(tx, customer.userId);
      const boughtId = isPaidPlan(current.status) && current.id !== known ? current.id : null;
      return { version: await writeSubscription(tx, customer.userId, current), boughtId };
    });
    if (written === 'overtaken') return written;
    if (written.version !== null) changed(customer.userId, written.version);
    await endReplacedTrial(customerId, all);
    const mustEnd = await mustCancel(db, customer.userId);
    if (mustEnd && written.boughtId !== null)
      parts.onAlert?.({ what: 'paid_without_access', customerId, subscriptionId: written.boughtId });
    const refused = (subscriptionId: string): void =>
      parts.onAlert?.({ what: 'not_as_account', customerId, subscriptionId });
    const hasChanged = await applyRequiredChanges(payments, all, { mustEnd, refused });
    // A server may have stopped after it stored the decision, or a checkout may have been opened in the meantime.
    if (mustEnd) await payments.expireCheckouts(customerId);
    return hasChanged ? 'changed' : 'done';
  }

  /** Ends a trial that overlaps a paid plan. Two paid plans are reported to the operator. */
  async function endReplacedTrial(customerId: string, all: readonly ProviderSubscription[]): Promise<void> {
    const count = all.filter(({ status }) => isPaidPlan(status)).length;
    if (count > 1) parts.onAlert?.({ what: 'several_subscriptions', customerId, count });
    if (isTrialReplaced(all))
      for (const { id, status } of all) if (status === 'trialing') await payments.endSubscription(id);
  }

  /** Ends the learner's plan when the provider knows none of their subscriptions. */
  async function endUnknownSubscription(
    tx: Database,
    customer: typeof tables.customers.$inferSelect,
  ): Promise<number | null> {
    const { subscriptions } = tables;
    const { userId, customerId } = customer;
    const [known] = await tx.select().from(subscriptions).where(eq(subscriptions.userId, userId));
    if (known === undefined || !isRunning(known.status)) return null;
    const version = await nextVersion(tx, userId);
    if (version === null) return null;
    await deletePendingPlanChange(tx, userId);
    const at = now();
    const ended = { status: 'canceled', endedAt: at, updatedAt: at, syncVersion: version } as const;
    const minutes = await readPlanMinutes(tx, { userId, now: at, row: { ...known, ...NOTHING_PAID, ...ended } });
    await tx
      .update(subscriptions)
      .set({ ...ended, ...minutes })
      .where(eq(subscriptions.userId, userId));
    await recordAudit(tx, {
      at,
      actorId: null,
      subjectId: userId,
      act: 'plan_changed',
      details: { plan: known.planType, status: ended.status, before: known.status, why: 'unknown_to_provider' },
      before: audited(known),
      after: audited({ ...known, ...ended }),
    });
    parts.onAlert?.({ what: 'unknown_to_provider', customerId });
    return version;
  }

  /** Null when the row is already up to date. */
  async function writeSubscription(
    tx: Database,
    userId: string,
    current: ProviderSubscription,
  ): Promise<number | null> {
    const { subscriptions, prices } = tables;
    const version = await nextVersion(tx, userId);
    if (version === null) return null;
    const [known] = await tx.select().from(subscriptions).where(eq(subscriptions.userId, userId));
    const [price] =
      current.priceId === null ? [] : await tx.select().from(prices).where(eq(prices.priceId, current.priceId));
    const isEndedTrial =
      known?.planType === 'TRIALING' && known.providerSubscriptionId === current.id && !isRunning(current.status);
    // The price of a trial belongs to a plan that the learner never had.
    const isTrial = current.status === 'trialing' || isEndedTrial;
    const planType = isTrial ? 'TRIALING' : (price?.type ?? known?.planType ?? 'FREE');
    const payments = await savePendingPlanChange(tx, userId, { current, planType, now: now() });
    const fields = {
      planType,
      status: current.status,
      priceId: price?.id ?? null,
      quantity: current.quantity,
      cancelAt: current.cancelAt,
      cancelAtPeriodEnd: current.cancelAtPeriodEnd,
      canceledAt: current.canceledAt,
      currentPeriodStart: current.currentPeriodStart,
      currentPeriodEnd: current.currentPeriodEnd,
      endedAt: current.endedAt,
      providerSubscriptionId: current.id,
      ...(await readPlanMinutes(tx, { userId, now: now(), row: { ...current, planType, ...payments } })),
    };
    if (known !== undefined && isSame(known, fields)) return null;
    const stamp = { updatedAt: now(), syncVersion: version, deletedAt: null };
    const subscriptionId = known?.subscriptionId ?? parts.newId();
    if (known === undefined)
      await tx.insert(subscriptions).values({ subscriptionId, userId, ...fields, createdAt: now(), ...stamp });
    else
      await tx
        .update(subscriptions)
        .set({ ...fields, ...stamp })
        .where(eq(subscriptions.userId, userId));
    await writeUser(tx, userId, { subscriptionId, version, at: now() });
    if (known?.planType !== planType || known.status !== current.status)
      await recordAudit(tx, {
        at: now(),
        actorId: null,
        subjectId: userId,
        act: 'plan_changed',
        details: { plan: planType, status: current.status, before: known?.status ?? null },
        before: known === undefined ? null : audited(known),
        after: audited({ planType, status: current.status }),
      });
    return version;
  }

  return {
    /** Runs one synchronisation at a time for each customer. */
    syncCustomer(customerId: string): Promise<void> {
      const before = runningByCustomerId.get(customerId) ?? Promise.resolve();
      const running = before.catch(() => undefined).then(() => syncUntilStable(customerId));
      runningByCustomerId.set(customerId, running);
      void running
        .finally(() => {
          if (runningByCustomerId.get(customerId) === running) runningByCustomerId.delete(customerId);
        })
        .catch(() => undefined);
      return running;
    },
  };
}

/** Plans by the provider's price id, including prices that are no longer sold. */
export async function readPlansByPriceId(db: Database): Promise<ReadonlyMap<string | null, PlanType>> {
  const { prices } = tables;
  const rows = await db.select({ priceId: prices.priceId, plan: prices.type }).from(prices);
  return new Map(rows.map(({ priceId, plan }) => [priceId, plan]));
}

/** The provider's id of the subscription that our row says is paid. */
async function readPaidSubscriptionId(tx: Database, userId: string): Promise<string | null> {
  const { subscriptions } = tables;
  const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.userId, userId));
  return row !== undefined && isPaidPlan(row.status) ? row.providerSubscriptionId : null;
}

/** A trial ends once a plan is paid for, so that the learner is never charged for both. */
export const isTrialReplaced = (all: readonly ProviderSubscription[]): boolean =>
  all.some(({ status }) => status === 'active') && all.some(({ status }) => status === 'trialing');

/** The plan change in the form in which the audit log shows it. */
const audited = ({ planType, status }: Pick<Row, 'planType' | 'status'>) => ({ plan: planType, payment: status });

type PlanPeriod = SubscriptionState & PaidPeriod;

/** The allowance of the current plan in seconds, and how much of it remains according to the usage ledger. */
export async function readPlanMinutes(
  tx: Database,
  { userId, now, row }: { userId: string; now: Date; row: PlanPeriod },
): Promise<Pick<Row, 'quota' | 'remainingTime'>> {
  const plan = effectivePlan(row, now);
  const period = meteringPeriod(row, now);
  const allowance = allowanceIn(plan, period);
  const quota = allowance.liveS;
  // A free allowance is counted by the learner's local day, which only their devices know.
  if (allowance.resetsEvery === 'local_day' || period.startsAt === null) return { quota, remainingTime: quota };
  const used = await readUsedSeconds(tx, userId, { since: period.startsAt });
  return { quota, remainingTime: remainingSeconds(allowance, 'turn_based', used) };
}

const isSame = (row: Row, fields: Partial<Row>): boolean =>
  (Object.keys(fields) as (keyof Row)[]).every((name) => {
    const [a, b] = [row[name], fields[name]];
    return a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b;
  });
