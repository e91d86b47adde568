/** What the server asks of a payment provider, whoever it is. Money is in the currency's smallest unit. */
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
  /** Which plan it pays for. */
  plan: PlanType;
  isTest: boolean;
}

/** As it is now, not as an event once said. */
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
  /** What takes its place: a cheaper plan waits for the period’s end. */
  next: { priceId: string; at: Date } | null;
  /** Its end was set by `endWithAccount`. */
  endsWithAccount: boolean;
  /** Its newest invoice is still to be paid. */
  isPeriodUnpaid: boolean;
}

export const INVOICE_STATES = ['draft', 'open', 'paid', 'uncollectible', 'void'] as const;

/** An invoice as it was when a card was asked. */
export interface InvoiceCharge {
  id: string;
  number: string | null;
  at: Date;
  /** What it is made out for; below zero it is a credit. */
  amount: number;
  /** What a card is asked for: credit is used up first. */
  amountDue: number;
  /** What a card gave. */
  amountPaid: number;
  currency: string;
  status: (typeof INVOICE_STATES)[number];
  url: string | null;
}

export interface ProviderInvoice extends InvoiceCharge {
  /** Of what a card gave, what was paid back since. */
  amountRefunded: number;
}

/** Something has happened to what it names; what, the provider is asked. */
export interface ProviderEvent {
  id: string;
  type: string;
  about:
    | { what: 'customer'; customerId: string }
    | { what: 'catalogue' }
    /** Nothing of ours. */
    | { what: 'nothing' };
  /** An invoice that was paid just now. */
  paid: InvoiceCharge | null;
  /** A trial that ends in a few days. */
  trialEnds: Date | null;
}

export interface Payments {
  /** No real money moves. */
  readonly isTest: boolean;
  catalogue: () => Promise<{ products: ProviderProduct[]; prices: ProviderPrice[] }>;
  /** The same learner is the same customer, however often it is asked; `insteadOf`: of one whom the provider does not know any more. */
  createCustomer: (learner: { userId: string; email: string; insteadOf: string | null }) => Promise<string>;
  /** False for one who was deleted there, or belongs to another account of ours. */
  knowsCustomer: (customerId: string) => Promise<boolean>;
  /** Ends what they pay for, and forgets them. */
  deleteCustomer: (customerId: string) => Promise<void>;
  checkout: (wish: CheckoutWish) => Promise<{ url: string }>;
  /** Pages at which nobody has paid yet: from now on nobody can. */
  closeCheckouts: (customerId: string) => Promise<void>;
  /** It ends by itself, whether or not there is a card by then: nothing is ever paid for it. */
  startTrial: (wish: { customerId: string; userId: string; priceId: string; days: number }) => Promise<void>;
  /** At once; nothing is paid back. */
  endSubscription: (subscriptionId: string) => Promise<void>;
  /** With what is paid for: it is not renewed. Remembers what was planned before. */
  endWithAccount: (subscriptionId: string) => Promise<void>;
  /** Undoes `endWithAccount`. */
  goOn: (subscriptionId: string) => Promise<void>;
  portal: (wish: { customerId: string; returnUrl: string }) => Promise<{ url: string }>;
  /** Of a customer that the provider does not know: none. */
  subscriptionsOf: (customerId: string) => Promise<ProviderSubscription[]>;
  /** All that there are, of everybody. */
  subscriptions: () => AsyncIterable<ProviderSubscription>;
  /** Of a customer that the provider does not know: none. */
  invoicesOf: (customerId: string) => Promise<ProviderInvoice[]>;
  /** Throws a `PaymentFailure` with `forged`. */
  readEvent: (body: Uint8Array, signature: string) => ProviderEvent;
}

export interface CheckoutWish {
  customerId: string;
  userId: string;
  priceId: string;
  doneUrl: string;
  backUrl: string;
}

export const PAYMENT_FAILURES = ['key_refused', 'busy', 'unreachable', 'refused', 'forged'] as const;

/** Transient ones have been tried again before they are thrown. */
export class PaymentFailure extends Error {
  readonly reason: (typeof PAYMENT_FAILURES)[number];

  constructor(reason: PaymentFailure['reason'], options?: ErrorOptions) {
    super(reason, options);
    this.reason = reason;
  }
}
