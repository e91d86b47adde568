/** Makes our row of a learner's subscription say what the provider says now. */
import {
  ALLOWANCES,
  isPaidPlan,
  isRunning,
  minutesPeriodOf,
  type PlanType,
  planOf,
  remainingSeconds,
  subscriptionThatCounts,
} from '@parley/domain';
import { and, eq, sql } from 'drizzle-orm';
import { audit, lockLearner, nextVersion, writeUser } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { tables } from '../db/tables.ts';
import { usedSeconds } from '../metering/index.ts';
import type { Payments, ProviderSubscription } from '../payments/index.ts';
import { isToEnd, makeChanges } from './leaving.ts';
import { forgetOutlook, noteOutlook } from './outlook.ts';

export interface ApplyParts {
  db: Database;
  now: () => Date;
  newId: () => string;
  changed: (userId: string, version: number) => void;
  /** What somebody should look at by hand. */
  onTrouble?: (trouble: BillingTrouble) => void;
}

export type BillingTrouble =
  /** Pays more than once: nothing is paid back by itself. */
  | { what: 'several_subscriptions'; customerId: string; count: number }
  /** A plan has ended because the provider does not know of it: another key, another account, or the other mode. */
  | { what: 'unknown_to_provider'; customerId: string }
  /** The provider does not let us end, or go on with, what belongs to an account that leaves, or stays. */
  | { what: 'not_as_account'; customerId: string; subscriptionId: string };

type Row = typeof tables.subscriptions.$inferSelect;

/** After others that began in the meantime, the last of which writes, and after changes of our own, of which an event tells as well. */
const MOST_LOOKS = 5;

/**
 * Events come in any order, twice, and late; each one only makes us look. Two looks at once are told apart by the order in which they began: the
 * look that began last has seen all that the other has. `customers.updatedAt` is that order, of all servers: it only ever grows, whatever
 * their clocks say.
 */
export function createApplier(parts: ApplyParts, payments: Payments) {
  const { db, now, changed } = parts;
  const underWay = new Map<string, Promise<void>>();

  async function look(customerId: string): Promise<void> {
    for (let looks = 0; looks < MOST_LOOKS; looks += 1) if ((await lookOnce(customerId)) === 'done') return;
  }

  async function lookOnce(customerId: string): Promise<'overtaken' | 'changed' | 'done'> {
    const { customers } = tables;
    const [customer] = await db
      .update(customers)
      .set({
        updatedAt: sql`greatest(${customers.updatedAt} + interval '1 millisecond', ${now().toISOString()}::timestamptz)`,
      })
      .where(eq(customers.customerId, customerId))
      .returning();
    // Somebody who became a customer without us, or was erased here.
    if (customer === undefined) return 'done';
    const all = await payments.subscriptionsOf(customerId);
    const plans = await plansByPrice(db);
    const current = subscriptionThatCounts(all, ({ priceId }) => plans.get(priceId) ?? null);
    const version = await db.transaction(async (tx) => {
      // Before any row of the learner's, as whoever erases them does: else the two may wait for each other.
      await lockLearner(tx, customer.userId);
      const [latest] = await tx
        .select()
        .from(customers)
        .where(and(eq(customers.customerId, customerId), eq(customers.updatedAt, customer.updatedAt)))
        .for('update');
      if (latest === undefined) return 'overtaken';
      return current === null ? endUnknown(tx, customer) : write(tx, customer.userId, current);
    });
    if (version === 'overtaken') return version;
    if (version !== null) changed(customer.userId, version);
    await settle(customerId, all);
    const refused = (subscriptionId: string): void =>
      parts.onTrouble?.({ what: 'not_as_account', customerId, subscriptionId });
    const hasChanged = await makeChanges(payments, all, { mustEnd: await isToEnd(db, customer.userId), refused });
    return hasChanged ? 'changed' : 'done';
  }

  /** A free week beside a plan that is paid for is over; two plans are for somebody to look at. */
  async function settle(customerId: string, all: readonly ProviderSubscription[]): Promise<void> {
    const count = all.filter(({ status }) => isPaidPlan(status)).length;
    if (count > 1) parts.onTrouble?.({ what: 'several_subscriptions', customerId, count });
    if (isFreeWeekOver(all))
      for (const { id, status } of all) if (status === 'trialing') await payments.endSubscription(id);
  }

  /** The provider knows of nothing that this learner ever had. */
  async function endUnknown(tx: Database, customer: typeof tables.customers.$inferSelect): Promise<number | null> {
    const { subscriptions } = tables;
    const { userId, customerId } = customer;
    const [known] = await tx.select().from(subscriptions).where(eq(subscriptions.userId, userId));
    if (known === undefined || !isRunning(known.status)) return null;
    const version = await nextVersion(tx, userId);
    if (version === null) return null;
    await forgetOutlook(tx, userId);
    const at = now();
    const ended = { status: 'canceled', endedAt: at, updatedAt: at, syncVersion: version } as const;
    const minutes = await minutesOf(tx, { userId, now: at, row: { ...known, ...ended } });
    await tx
      .update(subscriptions)
      .set({ ...ended, ...minutes })
      .where(eq(subscriptions.userId, userId));
    await audit(tx, {
      at,
      actorId: null,
      subjectId: userId,
      act: 'plan_changed',
      details: { plan: known.planType, status: ended.status, before: known.status, why: 'unknown_to_provider' },
    });
    parts.onTrouble?.({ what: 'unknown_to_provider', customerId });
    return version;
  }

  /** Null where the row says so already. */
  async function write(tx: Database, userId: string, current: ProviderSubscription): Promise<number | null> {
    const { subscriptions, prices } = tables;
    const version = await nextVersion(tx, userId);
    if (version === null) return null;
    await noteOutlook(tx, userId, current);
    const [known] = await tx.select().from(subscriptions).where(eq(subscriptions.userId, userId));
    const [price] =
      current.priceId === null ? [] : await tx.select().from(prices).where(eq(prices.priceId, current.priceId));
    const planType = current.status === 'trialing' ? 'TRIALING' : (price?.type ?? known?.planType ?? 'FREE');
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
      ...(await minutesOf(tx, { userId, now: now(), row: { ...current, planType } })),
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
      await audit(tx, {
        at: now(),
        actorId: null,
        subjectId: userId,
        act: 'plan_changed',
        details: { plan: planType, status: current.status, before: known?.status ?? null },
      });
    return version;
  }

  return {
    /** One at a time for each customer. */
    apply(customerId: string): Promise<void> {
      const before = underWay.get(customerId) ?? Promise.resolve();
      const looking = before.catch(() => undefined).then(() => look(customerId));
      underWay.set(customerId, looking);
      void looking
        .finally(() => {
          if (underWay.get(customerId) === looking) underWay.delete(customerId);
        })
        .catch(() => undefined);
      return looking;
    },
  };
}

/** What each price pays for, by the provider's id of it; also of those that are not sold any more. */
export async function plansByPrice(db: Database): Promise<ReadonlyMap<string | null, PlanType>> {
  const { prices } = tables;
  const rows = await db.select({ priceId: prices.priceId, plan: prices.type }).from(prices);
  return new Map(rows.map(({ priceId, plan }) => [priceId, plan]));
}

/** Whoever pays has no use for it, and is not to pay for it. */
export const isFreeWeekOver = (all: readonly ProviderSubscription[]): boolean =>
  all.some(({ status }) => status === 'active') && all.some(({ status }) => status === 'trialing');

type Minuted = Pick<Row, 'planType' | 'status' | 'currentPeriodStart' | 'currentPeriodEnd'>;

/** Seconds of the plan that holds now, and what is left of them: the allowance less the ledger's sum. */
export async function minutesOf(
  tx: Database,
  { userId, now, row }: { userId: string; now: Date; row: Minuted },
): Promise<Pick<Row, 'quota' | 'remainingTime'>> {
  const plan = planOf(row, now);
  const quota = ALLOWANCES[plan].liveS;
  // A free plan's minutes are counted by the learner's day, which their devices know better.
  const { startsAt } = minutesPeriodOf(row, now);
  if (ALLOWANCES[plan].every === 'local_day' || startsAt === null) return { quota, remainingTime: quota };
  const used = await usedSeconds(tx, userId, { since: startsAt });
  return { quota, remainingTime: remainingSeconds(plan, 'turn_based', used) };
}

const isSame = (row: Row, fields: Partial<Row>): boolean =>
  (Object.keys(fields) as (keyof Row)[]).every((name) => {
    const [a, b] = [row[name], fields[name]];
    return a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b;
  });
