/** Billing: sells plans through the payment provider and keeps our copy of its state. */
import type { Invoice, PlanOffer } from '@parley/contract';
import { isPaidPlan, type LearnerId } from '@parley/domain';
import { and, eq, isNull } from 'drizzle-orm';
import { isDeletionRequested } from '../account/index.ts';
import { tables } from '../db/tables.ts';
import { DomainError } from '../domain-error.ts';
import { PaymentFailure, type Payments } from '../ports/payments/index.ts';
import { type CustomerSyncParts, createCustomerSync } from './sync-customer.ts';
import { type BillingMail, createWebhookHandler, type WebhookHandler } from './webhooks.ts';
import { mustCancel } from './cancellation.ts';
import { mirrorCatalogue } from './mirror-catalogue.ts';
import { readCurrency, readPricesOnSale } from './plans-on-sale.ts';
import { reconcile, type ReconcileReport, reconcileWithoutPayments } from './reconcile.ts';
import { createRemainingTimeUpdater } from './update-remaining-time.ts';

export interface BillingParts extends CustomerSyncParts {
  /** Null when this server sells nothing. */
  payments: Payments | null;
  /** The public origin of this server. */
  origin: string;
  mail: BillingMail;
  onCatalogueChanged: (version: number) => void;
}

export interface Billing {
  plans: () => Promise<{ offers: PlanOffer[]; isTest: boolean }>;
  invoices: (userId: LearnerId) => Promise<Invoice[]>;
  startTrial: (userId: LearnerId) => Promise<void>;
  checkout: (userId: LearnerId, priceId: string) => Promise<{ url: string }>;
  portal: (userId: LearnerId) => Promise<{ url: string }>;
  /** Handles a webhook event. Events are signed, unordered and may repeat. Throws `request.invalid` when the signature is wrong. */
  handleEvent: WebhookHandler['handleEvent'];
  /** Copies the provider's current products and prices. Without a provider, nothing is on sale. */
  refreshCatalogue: () => Promise<void>;
  /** Repairs what is out of date because of a lost event. */
  reconcile: () => Promise<ReconcileReport>;
  /** Cancels or resumes the learner's plan after they requested or withdrew deletion, or after their access was revoked or granted. */
  syncSubscriptionWithAccount: (userId: string) => Promise<void>;
  /** Deletes the customer before the learner is erased, so that an erased account is never charged. Fails when a paid plan cannot be ended. */
  removeCustomer: (userId: string) => Promise<void>;
}

const TRIAL_DAYS = 7;

export function createBilling(parts: BillingParts): Billing {
  const { db, now, payments, origin } = parts;
  const { customers, subscriptions, users } = tables;

  const mirror = async (): Promise<void> => {
    const version = await mirrorCatalogue(parts, payments);
    if (version !== null) parts.onCatalogueChanged(version);
  };
  const recalculate = createRemainingTimeUpdater(parts);
  const recalculateInTransaction = async (userId: string): Promise<void> =>
    (await db.transaction((tx) => recalculate(tx, userId)))();
  if (payments === null)
    return {
      ...BILLING_DISABLED,
      refreshCatalogue: mirror,
      reconcile: () => reconcileWithoutPayments({ db, now: now(), recalculate: recalculateInTransaction }),
      async removeCustomer(userId) {
        const [row] = await db
          .select({ status: subscriptions.status })
          .from(subscriptions)
          .where(and(eq(subscriptions.userId, userId), isNull(subscriptions.deletedAt)));
        // Once the account is erased, nothing refers to the customer any more, and the plan would be charged forever.
        if (isPaidPlan(row?.status ?? null)) throw new DomainError('billing.unavailable');
      },
    };
  const shop: Payments = payments;
  const customerSync = createCustomerSync(parts, payments);
  const webhooks = createWebhookHandler({
    db,
    now,
    payments,
    mail: parts.mail,
    plansUrl: `${origin}/plans`,
    syncCustomer: customerSync.syncCustomer,
    refreshCatalogue: mirror,
  });

  /**
   * The provider's customer for this learner. After a change of the provider account or mode, the old customer is
   * unknown there, and a new one is created.
   */
  async function ensureCustomer(userId: LearnerId): Promise<string> {
    const [known] = await db.select().from(customers).where(eq(customers.userId, userId));
    if (known !== undefined && (await shop.hasCustomer(known.customerId))) return known.customerId;
    const [user] = await db.select({ email: users.email }).from(users).where(eq(users.userId, userId));
    const email = user?.email ?? null;
    if (email === null) throw new DomainError('account.no_email');
    const insteadOf = known?.customerId ?? null;
    const customerId = await shop.createCustomer({ userId, email, insteadOf });
    const at = now();
    // When two calls race, the later one uses the customer created by the first.
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

  const readSubscription = async (userId: LearnerId) =>
    (
      await db
        .select()
        .from(subscriptions)
        .where(and(eq(subscriptions.userId, userId), isNull(subscriptions.deletedAt)))
    )[0] ?? null;

  return {
    async plans() {
      const offers = (await readPricesOnSale(db)).flatMap(({ price, product }): PlanOffer[] =>
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
      const invoices = await withDomainErrors(payments.listInvoices(customer.customerId));
      return invoices.map(({ id: _id, at, ...invoice }) => ({ ...invoice, at: at.toISOString() }));
    },

    async startTrial(userId) {
      if (await isDeletionRequested(db, userId)) throw new DomainError('account.leaving');
      if ((await readSubscription(userId)) !== null) throw new DomainError('billing.trial_used');
      const sold = (await readPricesOnSale(db)).filter(({ price }) => price.isTest === payments.isTest);
      // Nothing is charged, and a trial has its own allowance, so if PRO is not sold, any price will do.
      const trialPrice =
        sold.find(({ price }) => price.type === 'PRO') ?? sold.find(({ price }) => price.type === 'PLUS');
      if (trialPrice === undefined) throw new DomainError('billing.not_offered');
      const customerId = await withDomainErrors(ensureCustomer(userId));
      // The provider may know an earlier trial that our tables have lost.
      if ((await withDomainErrors(payments.listSubscriptions(customerId))).length > 0)
        throw new DomainError('billing.trial_used');
      await withDomainErrors(
        payments.startTrial({ customerId, userId, priceId: trialPrice.price.priceId, days: TRIAL_DAYS }),
      );
      await withDomainErrors(customerSync.syncCustomer(customerId));
    },

    async checkout(userId, priceId) {
      if (await isDeletionRequested(db, userId)) throw new DomainError('account.leaving');
      const sold = (await readPricesOnSale(db)).find(
        ({ price }) => price.id === priceId && price.isTest === payments.isTest,
      );
      if (sold === undefined) throw new DomainError('billing.not_offered');
      const customerId = await withDomainErrors(ensureCustomer(userId));
      // Open checkouts are closed before the check below, so that no payment can follow it.
      await withDomainErrors(payments.expireCheckouts(customerId));
      // Our row may lag behind a payment that was just made. A trial does not block buying, because it ends
      // automatically.
      const held = await withDomainErrors(payments.listSubscriptions(customerId));
      if (held.some(({ status }) => isPaidPlan(status))) {
        await withDomainErrors(customerSync.syncCustomer(customerId));
        throw new DomainError('billing.already_subscribed');
      }
      // The provider does not combine currencies, and ending the trial for a payment that may never follow would take
      // it away.
      const trial = held.find(({ status }) => status === 'trialing');
      const trialCurrency = await readCurrency(db, trial?.priceId ?? null);
      if (trialCurrency !== null && trialCurrency !== sold.price.currency)
        throw new DomainError('billing.other_currency');
      return withDomainErrors(
        payments.createCheckout({
          customerId,
          userId,
          priceId: sold.price.priceId,
          successUrl: `${origin}/billing/done`,
          cancelUrl: `${origin}/billing/back`,
        }),
      );
    },

    async portal(userId) {
      const [customer] = await db.select().from(customers).where(eq(customers.userId, userId));
      if (customer === undefined || !(await withDomainErrors(payments.hasCustomer(customer.customerId))))
        throw new DomainError('billing.not_offered');
      return withDomainErrors(
        payments.createPortalSession({ customerId: customer.customerId, returnUrl: `${origin}/billing/back` }),
      );
    },

    handleEvent: webhooks.handleEvent,
    refreshCatalogue: mirror,
    reconcile: () =>
      reconcile({
        db,
        now: now(),
        payments,
        syncCustomer: customerSync.syncCustomer,
        recalculate: recalculateInTransaction,
      }),
    async syncSubscriptionWithAccount(userId) {
      const [customer] = await db.select().from(customers).where(eq(customers.userId, userId));
      if (customer === undefined) return;
      // A checkout must not be paid while the subscriptions are read.
      if (await mustCancel(db, userId)) await payments.expireCheckouts(customer.customerId);
      await customerSync.syncCustomer(customer.customerId);
    },
    async removeCustomer(userId) {
      const [customer] = await db.select().from(customers).where(eq(customers.userId, userId));
      if (customer !== undefined) await payments.deleteCustomer(customer.customerId);
    },
  };
}

const unavailable = (): Promise<never> => Promise.reject(new DomainError('billing.unavailable'));

const BILLING_DISABLED: Omit<Billing, 'refreshCatalogue' | 'reconcile' | 'removeCustomer'> = {
  plans: async () => ({ offers: [], isTest: false }),
  invoices: async () => [],
  startTrial: unavailable,
  checkout: unavailable,
  portal: unavailable,
  handleEvent: unavailable,
  syncSubscriptionWithAccount: async () => undefined,
};

/** Translates a provider's failure into the contract's codes. */
async function withDomainErrors<Value>(call: Promise<Value>): Promise<Value> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof PaymentFailure) throw new DomainError('billing.unavailable', { detail: error.reason });
    throw error;
  }
}
