/** Asks a card for what an invoice is owed. */
import { subscriptionIdOf } from '../objects/invoice.ts';
import { newCharge } from '../objects/payment.ts';
import { CARD_DECLINED } from '../refused.ts';
import type { ChargeObject, InvoiceObject, PaymentIntentObject, PaymentMethodObject } from '../state/resources.ts';
import type { World } from '../world.ts';
import { cardOf, isDeclining } from './cards.ts';
import { finalizeInvoice, intentIdOf, markPaid } from './invoices.ts';
import { nextAttemptAt, sufferFailure } from './standing.ts';

/** Finalizes a draft and asks for the money at once. */
export function settleInvoice(world: World, id: string): InvoiceObject {
  const { status } = finalizeInvoice(world, id);
  return status === 'paid' ? world.get('invoice', id) : attemptPayment(world, id).invoice;
}

export interface Attempt {
  invoice: InvoiceObject;
  /** What was tried, where there was a card to try. */
  declined: ChargeObject | null;
  isPaid: boolean;
}

export function attemptPayment(world: World, id: string, given?: PaymentMethodObject): Attempt {
  const invoice = world.get('invoice', id);
  const intentId = intentIdOf(world, id);
  if (intentId === null) throw new Error(`${id} has nothing to pay`);
  const card = given ?? cardOf(world, world.get('subscription', subscriptionIdOf(invoice)));
  if (card === undefined) return { invoice: failInvoice(world, id), declined: null, isPaid: false };
  const { charge, isPaid } = chargeCard(world, world.get('payment_intent', intentId), card);
  if (!isPaid) return { invoice: failInvoice(world, id), declined: charge, isPaid };
  const payment = world.all('invoice_payment').find((known) => known.invoice === id);
  if (payment !== undefined) {
    const paid = world.change('invoice_payment', payment.id, null, (open) => {
      open.status = 'paid';
      open.amount_paid = open.amount_requested;
      open.status_transitions.paid_at = world.now();
    });
    world.emit('invoice_payment.paid', paid);
  }
  world.change('invoice', id, null, (tried) => {
    tried.attempt_count += 1;
  });
  keepCard(world, subscriptionIdOf(invoice), card);
  return { invoice: markPaid(world, id), declined: null, isPaid };
}

/** Where it was asked for, the card that paid pays the next time as well. */
function keepCard(world: World, id: string, card: PaymentMethodObject): void {
  const { payment_settings: settings, default_payment_method: known, customer } = world.get('subscription', id);
  if (known !== null || settings?.save_default_payment_method !== 'on_subscription' || card.customer !== customer)
    return;
  world.change('subscription', id, 'customer.subscription.updated', (subscription) => {
    subscription.default_payment_method = card.id;
  });
}

function chargeCard(world: World, intent: PaymentIntentObject, card: PaymentMethodObject) {
  const isPaid = !isDeclining(world, card);
  const charge = newCharge(intent, { card, isPaid, now: world.now() });
  world.add('charge', charge, isPaid ? 'charge.succeeded' : 'charge.failed');
  const tried = world.change('payment_intent', intent.id, null, (paying) => {
    paying.latest_charge = charge.id;
    paying.status = isPaid ? 'succeeded' : 'requires_payment_method';
    paying.amount_received = isPaid ? paying.amount : 0;
    paying.payment_method = isPaid ? card.id : null;
    paying.last_payment_error = isPaid
      ? null
      : { type: 'card_error', ...CARD_DECLINED, charge: charge.id, payment_method: structuredClone(card) };
  });
  world.emit(isPaid ? 'payment_intent.succeeded' : 'payment_intent.payment_failed', tried);
  return { charge, isPaid };
}

function failInvoice(world: World, id: string): InvoiceObject {
  const invoice = world.change('invoice', id, null, (failed) => {
    failed.attempted = true;
    failed.attempt_count += 1;
    failed.next_payment_attempt = nextAttemptAt(world, failed);
  });
  world.emit('invoice.payment_failed', invoice);
  sufferFailure(world, subscriptionIdOf(invoice), { isLast: invoice.next_payment_attempt === null });
  return invoice;
}
