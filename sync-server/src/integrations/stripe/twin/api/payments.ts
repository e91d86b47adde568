/** Invoices, what was paid for them, and what was paid back. */
import { finalizeInvoice } from '../billing/invoices.ts';
import { attemptPayment } from '../billing/pay.ts';
import { newRefund } from '../objects/payment.ts';
import { mergeMetadata } from '../params/metadata.ts';
import { chargeList, invoiceList, invoicePay, refundCreate } from '../params/payments.ts';
import type { Read } from '../params/shape.ts';
import { refuse, refuseCard, refuseMissing } from '../refused.ts';
import type { ChargeObject, InvoiceObject, RefundObject } from '../state/resources.ts';
import type { World } from '../world.ts';
import { fits, isWithin, newestPage } from './list.ts';
import { route } from './route.ts';

export const paymentRoutes = [
  route('GET /v1/invoices', invoiceList, (world, params) =>
    newestPage(
      world
        .all('invoice')
        .filter(
          (invoice) =>
            fits(invoice.customer, params.customer) &&
            fits(invoice.status, params.status) &&
            fits(invoice.parent?.subscription_details?.subscription, params.subscription) &&
            isWithin(invoice.created, params.created),
        ),
      params,
      '/v1/invoices',
    ),
  ),
  route('POST /v1/invoices/:id/pay', invoicePay, payInvoice),
  route('GET /v1/charges', chargeList, (world, params) =>
    newestPage(
      world
        .all('charge')
        .filter(
          ({ customer, payment_intent: intent, created }) =>
            fits(customer, params.customer) && fits(intent, params.payment_intent) && isWithin(created, params.created),
        ),
      params,
      '/v1/charges',
    ),
  ),
  route('POST /v1/refunds', refundCreate, createRefund),
];

function payInvoice(world: World, params: Read<typeof invoicePay>, id: string): InvoiceObject {
  const { status } = world.get('invoice', id);
  if (status === 'paid') throw refuse('The invoice is already paid.', { code: 'invoice_already_paid' });
  if (status !== 'open' && status !== 'draft')
    throw refuse(`The invoice is ${status} and can no longer be paid.`, { code: 'invoice_not_editable' });
  const card =
    params.payment_method === undefined
      ? undefined
      : world.named('payment_method', params.payment_method, 'payment_method');
  if (status === 'draft' && finalizeInvoice(world, id).status === 'paid') return world.get('invoice', id);
  const { invoice, declined, isPaid } = attemptPayment(world, id, card);
  if (isPaid) return invoice;
  if (declined === null) throw refuse('The customer has no payment method to pay with.', { code: 'resource_missing' });
  throw refuseCard({
    charge: declined.id,
    ...(declined.payment_intent === null
      ? {}
      : { payment_intent: { id: declined.payment_intent, object: 'payment_intent' } }),
  });
}

function createRefund(world: World, params: Read<typeof refundCreate>): RefundObject {
  const charge = chargeToRefund(world, params);
  const left = charge.amount_captured - charge.amount_refunded;
  if (left === 0) throw refuse(`The charge ${charge.id} was already refunded.`, { code: 'charge_already_refunded' });
  const amount = params.amount ?? left;
  if (amount <= 0 || amount > left)
    throw refuse(`The refund must be between 1 and ${left}.`, { code: 'amount_too_large', param: 'amount' });
  const refund = newRefund(charge, {
    amount,
    reason: params.reason ?? null,
    metadata: mergeMetadata({}, params.metadata),
    now: world.now(),
  });
  world.add('refund', refund, 'refund.created');
  world.change('charge', charge.id, null, (changed) => {
    changed.amount_refunded += amount;
    changed.refunded = changed.amount_refunded === changed.amount_captured;
    changed.refunds.data.unshift(structuredClone(refund));
  });
  world.emit('charge.refunded', charge, {
    amount_refunded: charge.amount_refunded - amount,
    ...(charge.refunded ? { refunded: false } : {}),
  });
  return refund;
}

function chargeToRefund(world: World, params: { charge?: string; payment_intent?: string }): ChargeObject {
  const { charge, payment_intent: intent } = params;
  if ((charge === undefined) === (intent === undefined))
    throw refuse('One of charge and payment_intent must be given.', {
      code: 'parameter_missing',
      param: 'payment_intent',
    });
  const found =
    charge === undefined
      ? world.find('charge', world.named('payment_intent', intent ?? '', 'payment_intent').latest_charge ?? '')
      : world.named('charge', charge, 'charge');
  if (found === undefined || !found.paid)
    throw found === undefined
      ? refuseMissing('successful charge', intent ?? '', { param: 'payment_intent', status: 400 })
      : refuse('A failed charge cannot be refunded.', { param: 'charge' });
  return found;
}
