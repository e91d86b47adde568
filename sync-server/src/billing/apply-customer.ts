/** Makes our row of a learner's subscription say what the provider says now. */
import { ALLOWANCES, minutesPeriodOf, planOf, remainingSeconds, subscriptionThatCounts } from '@parley/domain';
import { and, eq, lte } from 'drizzle-orm';
import { audit, nextVersion, writeUser } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { tables } from '../db/tables.ts';
import { usedSeconds } from '../metering/index.ts';
import type { Payments, ProviderSubscription } from '../payments/index.ts';

export interface ApplyParts {
  db: Database;
  now: () => Date;
  newId: () => string;
  changed: (userId: string, version: number) => void;
}

type Row = typeof tables.subscriptions.$inferSelect;

/**
 * Events come in any order, twice, and late; each one only makes us look. Two looks at once are told apart by when they began: the look that
 * began last has seen all that the other has.
 */
export function createApplier(parts: ApplyParts, payments: Payments) {
  const { db, now, changed } = parts;
  const underWay = new Map<string, Promise<void>>();

  async function look(customerId: string): Promise<void> {
    const { customers } = tables;
    const [customer] = await db.select().from(customers).where(eq(customers.customerId, customerId));
    // Somebody who became a customer without us, or was erased here.
    if (customer === undefined) return;
    const beganAt = now();
    const current = subscriptionThatCounts(await payments.subscriptionsOf(customerId));
    const version = await db.transaction(async (tx) => {
      const [isLatest] = await tx
        .update(customers)
        .set({ updatedAt: beganAt })
        .where(and(eq(customers.customerId, customerId), lte(customers.updatedAt, beganAt)))
        .returning();
      return isLatest === undefined || current === null ? null : write(tx, customer.userId, current);
    });
    if (version !== null) changed(customer.userId, version);
  }

  /** Null where the row says so already. */
  async function write(tx: Database, userId: string, current: ProviderSubscription): Promise<number | null> {
    const { subscriptions, prices } = tables;
    const version = await nextVersion(tx, userId);
    if (version === null) return null;
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
