/** Charges a card for an invoice. */
import { subscriptionIdOf } from '../objects/invoice.ts';
import { newCharge } from '../objects/payment.ts';
import { CARD_DECLINED } from '../api-error.ts';
import type { ChargeObject, InvoiceObject, PaymentIntentObject, PaymentMethodObject } from '../state/resources.ts';
import type { StripeStore } from '../store.ts';
import { findCard, isDeclining } from './cards.ts';
import { finalizeInvoice, findPaymentIntentId, markPaid } from './invoices.ts';
import { nextAttemptAt, handlePaymentFailure } from './subscription-status.ts';

/** Finalizes a draft and collects the payment at once. */
export function settleInvoice(store: StripeStore, id: string): InvoiceObject {
  const { status } = finalizeInvoice(store, id);
  return status === 'paid' ? store.get('invoice', id) : attemptPayment(store, id).invoice;
}

export interface Attempt {
  invoice: InvoiceObject;
  /** The failed charge; null when there was no card to charge. */
  declined: ChargeObject | null;
  isPaid: boolean;
}

export function attemptPayment(store: StripeStore, id: string, given?: PaymentMethodObject): Attempt {
  const invoice = store.get('invoice', id);
  const intentId = findPaymentIntentId(store, id);
  if (intentId === null) throw new Error(`${id} has nothing to pay`);
  const card = given ?? findCard(store, store.get('subscription', subscriptionIdOf(invoice)));
  if (card === undefined) return { invoice: recordFailedAttempt(store, id), declined: null, isPaid: false };
  const { charge, isPaid } = chargeCard(store, store.get('payment_intent', intentId), card);
  if (!isPaid) return { invoice: recordFailedAttempt(store, id), declined: charge, isPaid };
  const payment = store.all('invoice_payment').find((known) => known.invoice === id);
  if (payment !== undefined) {
    const paid = store.update('invoice_payment', payment.id, null, (open) => {
      open.status = 'paid';
      open.amount_paid = open.amount_requested;
      open.status_transitions.paid_at = store.currentFields();
    });
    store.emit('invoice_payment.paid', paid);
  }
  store.update('invoice', id, null, (tried) => {
    tried.attempt_count += 1;
  });
  saveCardIfRequested(store, subscriptionIdOf(invoice), card);
  return { invoice: markPaid(store, id), declined: null, isPaid };
}

/** Saves the card that paid as the default when the subscription asks for it. */
function saveCardIfRequested(store: StripeStore, id: string, card: PaymentMethodObject): void {
  const { payment_settings: settings, default_payment_method: known, customer } = store.get('subscription', id);
  if (known !== null || settings?.save_default_payment_method !== 'on_subscription' || card.customer !== customer)
    return;
  store.update('subscription', id, 'customer.subscription.updated', (subscription) => {
    subscription.default_payment_method = card.id;
  });
}

function chargeCard(store: StripeStore, intent: PaymentIntentObject, card: PaymentMethodObject) {
  const isPaid = !isDeclining(store, card);
  const charge = newCharge(intent, { card, isPaid, now: store.currentFields() });
  store.add('charge', charge, isPaid ? 'charge.succeeded' : 'charge.failed');
  const tried = store.update('payment_intent', intent.id, null, (paying) => {
    paying.latest_charge = charge.id;
    paying.status = isPaid ? 'succeeded' : 'requires_payment_method';
    paying.amount_received = isPaid ? paying.amount : 0;
    paying.payment_method = isPaid ? card.id : null;
    paying.last_payment_error = isPaid
      ? null
      : { type: 'card_error', ...CARD_DECLINED, charge: charge.id, payment_method: structuredClone(card) };
  });
  store.emit(isPaid ? 'payment_intent.succeeded' : 'payment_intent.payment_failed', tried);
  return { charge, isPaid };
}

function recordFailedAttempt(store: StripeStore, id: string): InvoiceObject {
  const invoice = store.update('invoice', id, null, (failed) => {
    failed.attempted = true;
    failed.attempt_count += 1;
    failed.next_payment_attempt = nextAttemptAt(store, failed);
  });
  store.emit('invoice.payment_failed', invoice);
  handlePaymentFailure(store, subscriptionIdOf(invoice), { isFinalAttempt: invoice.next_payment_attempt === null });
  return invoice;
}
