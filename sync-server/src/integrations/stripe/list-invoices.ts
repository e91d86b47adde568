/** Lists a customer's newest invoices. Stripe records payments on the invoice and refunds on the charge. */
import type { Stripe } from 'stripe';
import type { ProviderInvoice } from '../../ports/payments/index.ts';
import { toId, toInvoice } from './from-stripe.ts';

const MAX_INVOICES = 24;
const CHARGE_LIMITS = { limit: 100, most: 10_000 };

export async function listInvoices(stripe: Stripe, customer: string): Promise<ProviderInvoice[]> {
  const { data } = await stripe.invoices.list({ customer, limit: MAX_INVOICES, expand: ['data.payments'] });
  const refunded = data.some(({ amount_paid: paid }) => paid > 0)
    ? await refundedByIntent(stripe, customer)
    : new Map<string, number>();
  return data.map((invoice) => ({
    ...toInvoice(invoice),
    amountRefunded: paymentIntentIds(invoice).reduce((sum, intent) => sum + (refunded.get(intent) ?? 0), 0),
  }));
}

const paymentIntentIds = ({ payments }: Stripe.Invoice): string[] =>
  (payments?.data ?? []).flatMap(({ payment }) => toId(payment.payment_intent ?? null) ?? []);

/** A payment that was retried has one charge per attempt. */
async function refundedByIntent(stripe: Stripe, customer: string): Promise<Map<string, number>> {
  const refunded = new Map<string, number>();
  const charges = stripe.charges.list({ customer, limit: CHARGE_LIMITS.limit });
  for (const charge of await charges.autoPagingToArray({ limit: CHARGE_LIMITS.most })) {
    const intent = toId(charge.payment_intent);
    if (intent !== null) refunded.set(intent, (refunded.get(intent) ?? 0) + charge.amount_refunded);
  }
  return refunded;
}
