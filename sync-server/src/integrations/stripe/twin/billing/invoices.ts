/** An invoice's way: draft, open, then paid, or void, or uncollectible. */
import { amountsDue, type InvoiceFacts, newInvoice, subscriptionIdOf } from '../objects/invoice.ts';
import { newInvoicePayment, newPaymentIntent } from '../objects/payment.ts';
import { refuse } from '../refused.ts';
import type { InvoiceLineObject, InvoiceObject, SubscriptionObject } from '../state/resources.ts';
import type { World } from '../world.ts';
import { restoreSubscription } from './standing.ts';

export function draftInvoice(
  world: World,
  subscription: SubscriptionObject,
  facts: Pick<InvoiceFacts, 'reason' | 'period' | 'finalizesAt'> & { lines: InvoiceLineObject[] },
): InvoiceObject {
  const pending = world.state.pendingLinesBySubscription[subscription.id] ?? [];
  delete world.state.pendingLinesBySubscription[subscription.id];
  const invoice = newInvoice({
    ...facts,
    lines: [...pending, ...facts.lines],
    customer: world.get('customer', subscription.customer),
    subscription: { id: subscription.id, metadata: subscription.metadata },
    currency: subscription.currency,
    now: world.now(),
  });
  return world.add('invoice', invoice, 'invoice.created');
}

export function finalizeInvoice(world: World, id: string): InvoiceObject {
  const now = world.now();
  const draft = world.get('invoice', id);
  if (draft.status !== 'draft') throw refuse('Only a draft can be finalized.', { code: 'invoice_not_editable' });
  const number = numberOf(world, draft);
  const due = useBalance(world, draft);
  const invoice = world.change('invoice', id, 'invoice.finalized', (open) => {
    Object.assign(open, amountsDue(due.amount));
    open.starting_balance = due.startingBalance;
    open.ending_balance = due.endingBalance;
    open.status = 'open';
    open.number = number;
    open.effective_at = now;
    open.automatically_finalizes_at = null;
    open.next_payment_attempt = null;
    open.status_transitions.finalized_at = now;
    open.hosted_invoice_url = `${world.url}/invoices/${id}`;
    open.invoice_pdf = `${world.url}/invoices/${id}`;
  });
  if (due.amount === 0) return markPaid(world, invoice.id);
  const intent = world.add('payment_intent', newPaymentIntent(invoice, now), 'payment_intent.created');
  world.add('invoice_payment', newInvoicePayment(invoice, { intent, now }));
  return invoice;
}

function numberOf(world: World, { customer: id }: InvoiceObject): string {
  const customer = world.get('customer', id);
  const number = `${customer.invoice_prefix}-${String(customer.next_invoice_sequence).padStart(4, '0')}`;
  customer.next_invoice_sequence += 1;
  return number;
}

/** What a downgrade gave back is used up first; what this invoice gives back is kept for the next. */
function useBalance(world: World, { customer: id, total }: InvoiceObject) {
  const startingBalance = world.get('customer', id).balance;
  const owed = total + startingBalance;
  const endingBalance = Math.min(owed, 0);
  world.change('customer', id, 'customer.updated', (customer) => {
    customer.balance = endingBalance;
  });
  return { amount: Math.max(owed, 0), startingBalance, endingBalance };
}

export function markPaid(world: World, id: string): InvoiceObject {
  const now = world.now();
  const invoice = world.change('invoice', id, null, (paid) => {
    paid.status = 'paid';
    paid.amount_paid = paid.amount_due;
    paid.amount_remaining = 0;
    paid.attempted = true;
    paid.auto_advance = false;
    paid.next_payment_attempt = null;
    paid.status_transitions.paid_at = now;
  });
  world.emit('invoice.paid', invoice);
  world.emit('invoice.payment_succeeded', invoice);
  restoreSubscription(world, subscriptionIdOf(invoice));
  return invoice;
}

/** A draft too, where a subscription's payments rest. */
export function closeInvoice(world: World, id: string, status: 'void' | 'uncollectible'): InvoiceObject {
  const now = world.now();
  const event = status === 'void' ? 'invoice.voided' : 'invoice.marked_uncollectible';
  return world.change('invoice', id, event, (invoice) => {
    invoice.status = status;
    invoice.auto_advance = false;
    invoice.next_payment_attempt = null;
    invoice.automatically_finalizes_at = null;
    if (status === 'void') invoice.amount_remaining = 0;
    invoice.status_transitions[status === 'void' ? 'voided_at' : 'marked_uncollectible_at'] = now;
  });
}

export const intentIdOf = (world: World, invoiceId: string): string | null => {
  const payment = world.all('invoice_payment').find(({ invoice }) => invoice === invoiceId);
  const intent = payment?.payment.payment_intent;
  return typeof intent === 'string' ? intent : null;
};
