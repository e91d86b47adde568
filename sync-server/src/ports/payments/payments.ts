/** The port for payment providers. Amounts are in the currency's smallest unit. */
import type { PlanType, PricingInterval, PricingType, SubscriptionStatus } from '@parley/domain';

export interface ProviderProduct {
  id: string;
  active: boolean;
  name: string;
  description: string | null;
  isTest: boolean;
}

export interface ProviderPrice {
  id: string;
  productId: string;
  active: boolean;
  description: string | null;
  unitAmount: number;
  currency: string;
  pricingType: PricingType;
  interval: PricingInterval | null;
  intervalCount: number | null;
  /** The plan that this price pays for. */
  plan: PlanType;
  isTest: boolean;
}

/** The current state, as opposed to what an event reported. */
export interface ProviderSubscription {
  id: string;
  customerId: string;
  status: SubscriptionStatus;
  priceId: string | null;
  quantity: number | null;
  cancelAt: Date | null;
  cancelAtPeriodEnd: boolean;
  canceledAt: Date | null;
  currentPeriodStart: Date | null;
  currentPeriodEnd: Date | null;
  endedAt: Date | null;
  createdAt: Date;
  /** The price that follows. A downgrade waits for the end of the period. */
  next: { priceId: string; at: Date } | null;
  /** Whether the server cancelled it because of its account. */
  endsWithAccount: boolean;
  /** Whether the newest invoice is still unpaid. */
  isPeriodUnpaid: boolean;
}

export const INVOICE_STATES = ['draft', 'open', 'paid', 'uncollectible', 'void'] as const;

/** An invoice at the time of its payment. */
export interface InvoiceCharge {
  id: string;
  number: string | null;
  at: Date;
  /** The invoice total. A negative total is a credit. */
  amount: number;
  /** The amount charged to the card after credit is used. */
  amountDue: number;
  /** The amount paid by card. */
  amountPaid: number;
  currency: string;
  status: (typeof INVOICE_STATES)[number];
  url: string | null;
}

export interface PaidInvoice extends InvoiceCharge {
  /** The price to which most of it relates; null when the provider does not report it. */
  priceId: string | null;
}

export interface ProviderInvoice extends InvoiceCharge {
  /** The part of `amountPaid` that was refunded later. */
  amountRefunded: number;
}

/** A notification that something has changed. The current state must be requested from the provider. */
export interface ProviderEvent {
  id: string;
  type: string;
  about:
    | { what: 'customer'; customerId: string }
    | { what: 'catalogue' }
    /** The event does not concern us. */
    | { what: 'nothing' };
  /** An invoice that was just paid, with the time of its payment. */
  paid: PaidInvoice | null;
  /** The end of a trial that ends in a few days. */
  trialEnds: Date | null;
}

export interface Payments {
  /** True when no real money moves. */
  readonly isTest: boolean;
  readCatalogue: () => Promise<{ products: ProviderProduct[]; prices: ProviderPrice[] }>;
  /** Idempotent for a learner. `insteadOf` is a former customer that the provider no longer knows. */
  createCustomer: (learner: { userId: string; email: string; insteadOf: string | null }) => Promise<string>;
  /** False for a customer that was deleted, or that belongs to another provider account of ours. */
  hasCustomer: (customerId: string) => Promise<boolean>;
  /** Ends all subscriptions of the customer and deletes it. */
  deleteCustomer: (customerId: string) => Promise<void>;
  createCheckout: (request: CheckoutRequest) => Promise<{ url: string }>;
  /** Closes all open checkouts, so that they can no longer be paid. A customer that the provider does not know has none. */
  expireCheckouts: (customerId: string) => Promise<void>;
  /** Starts a trial that ends automatically without a charge, even with a card on file. */
  startTrial: (request: { customerId: string; userId: string; priceId: string; days: number }) => Promise<void>;
  /** Ends the subscription at once without a refund. */
  endSubscription: (subscriptionId: string) => Promise<void>;
  /** Cancels at the end of the paid period and remembers a pending plan change. */
  cancelWithAccount: (subscriptionId: string) => Promise<void>;
  /** Undoes the cancellation that the account caused and restores the pending plan change. */
  resumeWithAccount: (subscriptionId: string) => Promise<void>;
  createPortalSession: (request: { customerId: string; returnUrl: string }) => Promise<{ url: string }>;
  /** Empty for a customer that the provider does not know. */
  listSubscriptions: (customerId: string) => Promise<ProviderSubscription[]>;
  /** All subscriptions of all customers. */
  listAllSubscriptions: () => AsyncIterable<ProviderSubscription>;
  /** Empty for a customer that the provider does not know. */
  listInvoices: (customerId: string) => Promise<ProviderInvoice[]>;
  /** Throws a `PaymentFailure` with the reason `forged`. */
  readEvent: (body: Uint8Array, signature: string) => ProviderEvent;
}

export interface CheckoutRequest {
  customerId: string;
  userId: string;
  priceId: string;
  successUrl: string;
  cancelUrl: string;
}

export const PAYMENT_FAILURES = ['key_refused', 'busy', 'unreachable', 'refused', 'forged'] as const;

/** Thrown after the adapter has retried transient failures. */
export class PaymentFailure extends Error {
  readonly reason: (typeof PAYMENT_FAILURES)[number];

  constructor(reason: PaymentFailure['reason'], options?: ErrorOptions) {
    super(reason, options);
    this.reason = reason;
  }
}
