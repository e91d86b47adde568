/** The API of invoices, payments and refunds. */
import { finalizeInvoice } from '../billing/invoices.ts';
import { attemptPayment } from '../billing/attempt-payment.ts';
import { newRefund } from '../objects/payment.ts';
import { mergeMetadata } from '../params/metadata.ts';
import { chargeList, invoiceList, invoicePay, refundCreate } from '../params/payments.ts';
import type { ParamsOf } from '../params/param-schema.ts';
import { invalidRequest, cardDeclined, notFound } from '../api-error.ts';
import type { ChargeObject, InvoiceObject, RefundObject } from '../state/resources.ts';
import type { StripeStore } from '../store.ts';
import { matches, isWithin, newestPage } from './list.ts';
import { route } from './route.ts';

export const paymentRoutes = [
  route('GET /v1/invoices', invoiceList, (store, params) =>
    newestPage(
      store
        .all('invoice')
        .filter(
          (invoice) =>
            matches(invoice.customer, params.customer) &&
            matches(invoice.status, params.status) &&
            matches(invoice.parent?.subscription_details?.subscription, params.subscription) &&
            isWithin(invoice.created, params.created),
        ),
      params,
      '/v1/invoices',
    ),
  ),
  route('POST /v1/invoices/:id/pay', invoicePay, payInvoice),
  route('GET /v1/charges', chargeList, (store, params) =>
    newestPage(
      store
        .all('charge')
        .filter(
          ({ customer, payment_intent: intent, created }) =>
            matches(customer, params.customer) &&
            matches(intent, params.payment_intent) &&
            isWithin(created, params.created),
        ),
      params,
      '/v1/charges',
    ),
  ),
  route('POST /v1/refunds', refundCreate, createRefund),
];

function payInvoice(store: StripeStore, params: ParamsOf<typeof invoicePay>, id: string): InvoiceObject {
  const { status } = store.get('invoice', id);
  if (status === 'paid') throw invalidRequest('The invoice is already paid.', { code: 'invoice_already_paid' });
  if (status !== 'open' && status !== 'draft')
    throw invalidRequest(`The invoice is ${status} and can no longer be paid.`, { code: 'invoice_not_editable' });
  const card =
    params.payment_method === undefined
      ? undefined
      : store.getByParam('payment_method', params.payment_method, 'payment_method');
  if (status === 'draft' && finalizeInvoice(store, id).status === 'paid') return store.get('invoice', id);
  const { invoice, declined, isPaid } = attemptPayment(store, id, card);
  if (isPaid) return invoice;
  if (declined === null)
    throw invalidRequest('The customer has no payment method to pay with.', { code: 'resource_missing' });
  throw cardDeclined({
    charge: declined.id,
    ...(declined.payment_intent === null
      ? {}
      : { payment_intent: { id: declined.payment_intent, object: 'payment_intent' } }),
  });
}

function createRefund(store: StripeStore, params: ParamsOf<typeof refundCreate>): RefundObject {
  const charge = findRefundableCharge(store, params);
  const left = charge.amount_captured - charge.amount_refunded;
  if (left === 0)
    throw invalidRequest(`The charge ${charge.id} was already refunded.`, { code: 'charge_already_refunded' });
  const amount = params.amount ?? left;
  if (amount <= 0 || amount > left)
    throw invalidRequest(`The refund must be between 1 and ${left}.`, { code: 'amount_too_large', param: 'amount' });
  const refund = newRefund(charge, {
    amount,
    reason: params.reason ?? null,
    metadata: mergeMetadata({}, params.metadata),
    now: store.currentFields(),
  });
  store.add('refund', refund, 'refund.created');
  store.update('charge', charge.id, null, (changed) => {
    changed.amount_refunded += amount;
    changed.refunded = changed.amount_refunded === changed.amount_captured;
    changed.refunds.data.unshift(structuredClone(refund));
  });
  store.emit('charge.refunded', charge, {
    amount_refunded: charge.amount_refunded - amount,
    ...(charge.refunded ? { refunded: false } : {}),
  });
  return refund;
}

function findRefundableCharge(store: StripeStore, params: { charge?: string; payment_intent?: string }): ChargeObject {
  const { charge, payment_intent: intent } = params;
  if ((charge === undefined) === (intent === undefined))
    throw invalidRequest('One of charge and payment_intent must be given.', {
      code: 'parameter_missing',
      param: 'payment_intent',
    });
  const found =
    charge === undefined
      ? store.find('charge', store.getByParam('payment_intent', intent ?? '', 'payment_intent').latest_charge ?? '')
      : store.getByParam('charge', charge, 'charge');
  if (found === undefined || !found.paid)
    throw found === undefined
      ? notFound('successful charge', intent ?? '', { param: 'payment_intent', status: 400 })
      : invalidRequest('A failed charge cannot be refunded.', { param: 'charge' });
  return found;
}
