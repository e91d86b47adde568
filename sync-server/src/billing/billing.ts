/** Plans and paying: what is sold, where it is paid for, and what of it the provider has told us. */
import type { Invoice, PlanOffer } from '@parley/contract';
import { isPaidPlan, type LearnerId } from '@parley/domain';
import { and, asc, eq, isNull } from 'drizzle-orm';
import { isLeaving } from '../account/index.ts';
import { tables } from '../db/tables.ts';
import { failure } from '../failure.ts';
import { PaymentFailure, type Payments } from '../payments/index.ts';
import { type ApplyParts, createApplier } from './apply-customer.ts';
import { type BillingMail, createEventDesk, type EventDesk } from './events.ts';
import { isToEnd } from './leaving.ts';
import { mirrorCatalogue } from './mirror-catalogue.ts';
import { reconcile, type Reconciled } from './reconcile.ts';
import { createRecount } from './recount.ts';

export interface BillingParts extends ApplyParts {
  /** Null: nothing is sold here. */
  payments: Payments | null;
  /** Where browsers find this server. */
  origin: string;
  mail: BillingMail;
  catalogueMoved: (version: number) => void;
}

export interface Billing {
  plans: () => Promise<{ offers: PlanOffer[]; isTest: boolean }>;
  invoices: (userId: LearnerId) => Promise<Invoice[]>;
  startTrial: (userId: LearnerId) => Promise<void>;
  checkout: (userId: LearnerId, priceId: string) => Promise<{ url: string }>;
  portal: (userId: LearnerId) => Promise<{ url: string }>;
  /** From the provider: signed, in any order, more than once. Throws `request.invalid` for what is not from it. */
  take: EventDesk['take'];
  /** What is sold, as the provider says it now. */
  mirror: () => Promise<void>;
  /** Repairs what a lost event has left wrong. */
  reconcile: () => Promise<Reconciled>;
  /** After a learner has asked to be erased, or lost access, or neither any more: their plan ends, or goes on. */
  heedLeaving: (userId: string) => Promise<void>;
  /** Before a learner is erased: nobody pays for an account that is gone. */
  forget: (userId: string) => Promise<void>;
}

const TRIAL_DAYS = 7;

export function createBilling(parts: BillingParts): Billing {
  const { db, now, payments, origin } = parts;
  const { customers, prices, products, subscriptions, users } = tables;

  if (payments === null) return NOTHING_IS_SOLD;
  const shop: Payments = payments;
  const applier = createApplier(parts, payments);
  const recount = createRecount(parts);
  const recountAlone = async (userId: string): Promise<void> => (await db.transaction((tx) => recount(tx, userId)))();
  const mirror = async (): Promise<void> => {
    const version = await mirrorCatalogue(parts, payments);
    if (version !== null) parts.catalogueMoved(version);
  };
  const events = createEventDesk({
    db,
    now,
    payments,
    mail: parts.mail,
    plansUrl: `${origin}/plans`,
    apply: applier.apply,
    mirror,
  });

  /** One that the provider knows: a key of another account of ours, or of no test any more, knows none of those before. */
  async function customerOf(userId: LearnerId): Promise<string> {
    const [known] = await db.select().from(customers).where(eq(customers.userId, userId));
    if (known !== undefined && (await shop.knowsCustomer(known.customerId))) return known.customerId;
    const [user] = await db.select({ email: users.email }).from(users).where(eq(users.userId, userId));
    const email = user?.email ?? null;
    if (email === null) throw failure('account.no_email');
    const insteadOf = known?.customerId ?? null;
    const customerId = await shop.createCustomer({ userId, email, insteadOf });
    const at = now();
    // Of two that are asked at once, whoever is late finds the other's.
    if (known === undefined)
      await db
        .insert(customers)
        .values({
          id: parts.newId(),
          customerId,
          userId,
          createdAt: at,
          updatedAt: new Date(0),
          syncVersion: 0,
          deletedAt: null,
        })
        .onConflictDoNothing();
    else
      await db
        .update(customers)
        .set({ customerId })
        .where(and(eq(customers.id, known.id), eq(customers.customerId, known.customerId)));
    const [kept] = await db.select().from(customers).where(eq(customers.userId, userId));
    return kept?.customerId ?? customerId;
  }

  const subscriptionOf = async (userId: LearnerId) =>
    (
      await db
        .select()
        .from(subscriptions)
        .where(and(eq(subscriptions.userId, userId), isNull(subscriptions.deletedAt)))
    )[0] ?? null;

  /** Prices that are sold now, of products that are. */
  const onSale = () =>
    db
      .select({ price: prices, product: products })
      .from(prices)
      .innerJoin(products, eq(prices.productId, products.id))
      .where(
        and(
          isNull(prices.deletedAt),
          isNull(products.deletedAt),
          eq(products.active, true),
          eq(prices.pricingType, 'recurring'),
        ),
      )
      .orderBy(asc(prices.unitAmount));

  return {
    async plans() {
      const offers = (await onSale()).flatMap(({ price, product }): PlanOffer[] =>
        price.pricingPlanInterval === null || price.isTest !== payments.isTest
          ? []
          : [
              {
                priceId: price.id,
                plan: price.type,
                name: product.name,
                description: product.description,
                unitAmount: price.unitAmount,
                currency: price.currency,
                interval: price.pricingPlanInterval,
                intervalCount: price.intervalCount ?? 1,
              },
            ],
      );
      return { offers, isTest: payments.isTest };
    },

    async invoices(userId) {
      const [customer] = await db.select().from(customers).where(eq(customers.userId, userId));
      if (customer === undefined) return [];
      const invoices = await told(payments.invoicesOf(customer.customerId));
      return invoices.map(({ id: _id, at, ...invoice }) => ({ ...invoice, at: at.toISOString() }));
    },

    async startTrial(userId) {
      if (await isLeaving(db, userId)) throw failure('account.leaving');
      if ((await subscriptionOf(userId)) !== null) throw failure('billing.trial_used');
      const trialPrice = (await onSale()).find(({ price }) => price.type === 'PRO' && price.isTest === payments.isTest);
      if (trialPrice === undefined) throw failure('billing.not_offered');
      const customerId = await told(customerOf(userId));
      // A provider may know of an earlier trial that our row was lost of.
      if ((await told(payments.subscriptionsOf(customerId))).length > 0) throw failure('billing.trial_used');
      await told(payments.startTrial({ customerId, userId, priceId: trialPrice.price.priceId, days: TRIAL_DAYS }));
      await told(applier.apply(customerId));
    },

    async checkout(userId, priceId) {
      if (await isLeaving(db, userId)) throw failure('account.leaving');
      const sold = (await onSale()).find(({ price }) => price.id === priceId && price.isTest === payments.isTest);
      if (sold === undefined) throw failure('billing.not_offered');
      const customerId = await told(customerOf(userId));
      // First, so that nobody pays there after we have looked.
      await told(payments.closeCheckouts(customerId));
      // Our row may not know yet what was just paid. A free week is not in the way: it ends by itself.
      if ((await told(payments.subscriptionsOf(customerId))).some(({ status }) => isPaidPlan(status))) {
        await told(applier.apply(customerId));
        throw failure('billing.already_subscribed');
      }
      return told(
        payments.checkout({
          customerId,
          userId,
          priceId: sold.price.priceId,
          doneUrl: `${origin}/billing/done`,
          backUrl: `${origin}/billing/back`,
        }),
      );
    },

    async portal(userId) {
      const [customer] = await db.select().from(customers).where(eq(customers.userId, userId));
      if (customer === undefined || !(await told(payments.knowsCustomer(customer.customerId))))
        throw failure('billing.not_offered');
      return told(payments.portal({ customerId: customer.customerId, returnUrl: `${origin}/billing/back` }));
    },

    take: events.take,
    mirror,
    reconcile: () => reconcile({ db, payments, apply: applier.apply, recount: recountAlone }),
    async heedLeaving(userId) {
      const [customer] = await db.select().from(customers).where(eq(customers.userId, userId));
      if (customer === undefined) return;
      if (await isToEnd(db, userId)) await payments.closeCheckouts(customer.customerId);
      await applier.apply(customer.customerId);
    },
    async forget(userId) {
      const [customer] = await db.select().from(customers).where(eq(customers.userId, userId));
      if (customer !== undefined) await payments.deleteCustomer(customer.customerId);
    },
  };
}

const unavailable = (): Promise<never> => Promise.reject(failure('billing.unavailable'));

const NOTHING_IS_SOLD: Billing = {
  plans: async () => ({ offers: [], isTest: false }),
  invoices: async () => [],
  startTrial: unavailable,
  checkout: unavailable,
  portal: unavailable,
  take: unavailable,
  mirror: async () => undefined,
  reconcile: async () => ({ looked: 0, repaired: 0, ended: 0 }),
  heedLeaving: async () => undefined,
  forget: async () => undefined,
};

/** A provider's failure in the contract's codes. */
async function told<Value>(call: Promise<Value>): Promise<Value> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof PaymentFailure) throw failure('billing.unavailable', { detail: error.reason });
    throw error;
  }
}
