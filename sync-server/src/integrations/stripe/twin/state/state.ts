/** All that the twin knows, in a form that can be written to a file. */
import { type InvoiceLineObject, type Kind, KINDS, type Resources, type CheckoutItemObject } from './resources.ts';

/** What a checkout's page does once it is completed, and which Stripe shows on no object. */
export interface CheckoutPlan {
  items: CheckoutItemObject[];
  trialPeriodDays: number | null;
  trialEnd: number | null;
  missingPaymentMethod: 'cancel' | 'pause' | 'create_invoice';
  subscriptionMetadata: Record<string, string>;
  subscriptionDescription: string | null;
}

/** Attempts to hand an event over. */
export interface Delivery {
  id: string;
  eventId: string;
  endpointId: string;
  attempts: { atS: number; status: number | null }[];
  /** Null once it was taken, or given up. */
  nextAttemptAtS: number | null;
  isHeld: boolean;
}

export interface State {
  tables: { [K in Kind]: Record<string, Resources[K]> };
  /** Where the twin listened when it was last kept. */
  url: string;
  /** A moved clock stays moved over a restart. */
  clockOffsetMs: number;
  checkoutPlansBySession: Record<string, CheckoutPlan>;
  /** Of prorations that wait for the next invoice. */
  pendingLinesBySubscription: Record<string, InvoiceLineObject[]>;
  /** Cards that no longer work, by payment method. */
  decliningCards: Record<string, true>;
  /** Subscriptions whose coming end of trial was announced, with the moment that was announced. */
  announcedTrialEnds: Record<string, number>;
  /** Which phase of a schedule was last put into effect, by schedule. */
  phaseBySchedule: Record<string, number>;
  deletedCustomers: Record<string, true>;
  /** By webhook endpoint, shown once. */
  webhookSecrets: Record<string, string>;
  deliveries: Delivery[];
  /** Answers by idempotency key. */
  answersByKey: Record<string, KeptAnswer>;
}

export interface KeptAnswer {
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
