/** The life of an invoice: draft, open, then paid, void or uncollectible. */
import { amountsDue, type InvoiceFacts, newInvoice, subscriptionIdOf } from '../objects/invoice.ts';
import { newInvoicePayment, newPaymentIntent } from '../objects/payment.ts';
import { invalidRequest } from '../api-error.ts';
import type { InvoiceLineObject, InvoiceObject, SubscriptionObject } from '../state/resources.ts';
import type { StripeStore } from '../store.ts';
import { restoreSubscription } from './subscription-status.ts';

export function draftInvoice(
  store: StripeStore,
  subscription: SubscriptionObject,
  facts: Pick<InvoiceFacts, 'reason' | 'period' | 'finalizesAt'> & { lines: InvoiceLineObject[] },
): InvoiceObject {
  const pending = store.state.pendingLinesBySubscription[subscription.id] ?? [];
  delete store.state.pendingLinesBySubscription[subscription.id];
  const invoice = newInvoice({
    ...facts,
    lines: [...pending, ...facts.lines],
    customer: store.get('customer', subscription.customer),
    subscription: { id: subscription.id, metadata: subscription.metadata },
    currency: subscription.currency,
    now: store.currentFields(),
  });
  return store.add('invoice', invoice, 'invoice.created');
}

export function finalizeInvoice(store: StripeStore, id: string): InvoiceObject {
  const now = store.currentFields();
  const draft = store.get('invoice', id);
  if (draft.status !== 'draft')
    throw invalidRequest('Only a draft can be finalized.', { code: 'invoice_not_editable' });
  const number = nextInvoiceNumber(store, draft);
  const due = applyCustomerBalance(store, draft);
  const invoice = store.update('invoice', id, 'invoice.finalized', (open) => {
    Object.assign(open, amountsDue(due.amount));
    open.starting_balance = due.startingBalance;
    open.ending_balance = due.endingBalance;
    open.status = 'open';
    open.number = number;
    open.effective_at = now;
    open.automatically_finalizes_at = null;
    open.next_payment_attempt = null;
    open.status_transitions.finalized_at = now;
    open.hosted_invoice_url = `${store.url}/invoices/${id}`;
    open.invoice_pdf = `${store.url}/invoices/${id}`;
  });
  if (due.amount === 0) return markPaid(store, invoice.id);
  const intent = store.add('payment_intent', newPaymentIntent(invoice, now), 'payment_intent.created');
  store.add('invoice_payment', newInvoicePayment(invoice, { intent, now }));
  return invoice;
}

function nextInvoiceNumber(store: StripeStore, { customer: id }: InvoiceObject): string {
  const customer = store.get('customer', id);
  const number = `${customer.invoice_prefix}-${String(customer.next_invoice_sequence).padStart(4, '0')}`;
  customer.next_invoice_sequence += 1;
  return number;
}

/** Credit from a downgrade is used first; credit from this invoice is kept for the next. */
function applyCustomerBalance(store: StripeStore, { customer: id, total }: InvoiceObject) {
  const startingBalance = store.get('customer', id).balance;
  const amountOwed = total + startingBalance;
  const endingBalance = Math.min(amountOwed, 0);
  store.update('customer', id, 'customer.updated', (customer) => {
    customer.balance = endingBalance;
  });
  return { amount: Math.max(amountOwed, 0), startingBalance, endingBalance };
}

export function markPaid(store: StripeStore, id: string): InvoiceObject {
  const now = store.currentFields();
  const invoice = store.update('invoice', id, null, (paid) => {
    paid.status = 'paid';
    paid.amount_paid = paid.amount_due;
    paid.amount_remaining = 0;
    paid.attempted = true;
    paid.auto_advance = false;
    paid.next_payment_attempt = null;
    paid.status_transitions.paid_at = now;
  });
  store.emit('invoice.paid', invoice);
  store.emit('invoice.payment_succeeded', invoice);
  restoreSubscription(store, subscriptionIdOf(invoice));
  return invoice;
}

/** Also closes a draft of a subscription whose collection is paused. */
export function closeInvoice(store: StripeStore, id: string, status: 'void' | 'uncollectible'): InvoiceObject {
  const now = store.currentFields();
  const event = status === 'void' ? 'invoice.voided' : 'invoice.marked_uncollectible';
  return store.update('invoice', id, event, (invoice) => {
    invoice.status = status;
    invoice.auto_advance = false;
    invoice.next_payment_attempt = null;
    invoice.automatically_finalizes_at = null;
    if (status === 'void') invoice.amount_remaining = 0;
    invoice.status_transitions[status === 'void' ? 'voided_at' : 'marked_uncollectible_at'] = now;
  });
}

export const findPaymentIntentId = (store: StripeStore, invoiceId: string): string | null => {
  const payment = store.all('invoice_payment').find(({ invoice }) => invoice === invoiceId);
  const intent = payment?.payment.payment_intent;
  return typeof intent === 'string' ? intent : null;
};
