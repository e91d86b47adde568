/** The complete state of the fake in a form that can be written to a file. */
import { type InvoiceLineObject, type Kind, KINDS, type Resources, type CheckoutItemObject } from './resources.ts';

/** The settings that take effect when a checkout is completed; Stripe shows them on no object. */
export interface CheckoutPlan {
  items: CheckoutItemObject[];
  trialPeriodDays: number | null;
  trialEnd: number | null;
  missingPaymentMethod: 'cancel' | 'pause' | 'create_invoice';
  subscriptionMetadata: Record<string, string>;
  subscriptionDescription: string | null;
}

/** The attempts to deliver an event. */
export interface Delivery {
  id: string;
  eventId: string;
  endpointId: string;
  attempts: { atS: number; status: number | null }[];
  /** Null once the delivery was accepted or given up. */
  nextAttemptAtS: number | null;
  isHeld: boolean;
}

export interface State {
  tables: { [K in Kind]: Record<string, Resources[K]> };
  /** The fake's URL when the state was saved. */
  url: string;
  /** Offset of an advanced clock, which survives a restart. */
  clockOffsetMs: number;
  checkoutPlansBySession: Record<string, CheckoutPlan>;
  /** Prorations that wait for the next invoice. */
  pendingLinesBySubscription: Record<string, InvoiceLineObject[]>;
  /** Cards that decline, keyed by payment method. */
  decliningCards: Record<string, true>;
  /** The announced trial end by subscription. */
  announcedTrialEnds: Record<string, number>;
  /** Index of the current phase by schedule. */
  phaseBySchedule: Record<string, number>;
  deletedCustomers: Record<string, true>;
  /** Keyed by webhook endpoint. */
  webhookSecrets: Record<string, string>;
  deliveries: Delivery[];
  /** Responses by idempotency key. */
  answersByKey: Record<string, StoredAnswer>;
}

export interface StoredAnswer {
  requestId: string;
  question: string;
  status: number;
  body: string;
  atS: number;
}

const emptyTables = (): State['tables'] =>
  Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, {}])) as State['tables'];

export const emptyState = (): State => ({
  tables: emptyTables(),
  url: '',
  clockOffsetMs: 0,
  checkoutPlansBySession: {},
  pendingLinesBySubscription: {},
  decliningCards: {},
  announcedTrialEnds: {},
  phaseBySchedule: {},
  deletedCustomers: {},
  webhookSecrets: {},
  deliveries: [],
  answersByKey: {},
});
