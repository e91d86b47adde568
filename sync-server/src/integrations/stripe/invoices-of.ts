/** A customer's newest invoices: Stripe says what was paid on the invoice, and what was paid back on the charge. */
import type { Stripe } from 'stripe';
import type { ProviderInvoice } from '../../payments/index.ts';
import { idOf, toInvoice } from './from-stripe.ts';

const INVOICES = 24;
const CHARGES = { limit: 100, most: 10_000 };

export async function invoicesOf(stripe: Stripe, customer: string): Promise<ProviderInvoice[]> {
  const { data } = await stripe.invoices.list({ customer, limit: INVOICES, expand: ['data.payments'] });
  const refunded = data.some(({ amount_paid: paid }) => paid > 0)
    ? await refundsByIntent(stripe, customer)
    : new Map<string, number>();
  return data.map((invoice) => ({
    ...toInvoice(invoice),
    amountRefunded: intentsOf(invoice).reduce((sum, intent) => sum + (refunded.get(intent) ?? 0), 0),
  }));
}

const intentsOf = ({ payments }: Stripe.Invoice): string[] =>
  (payments?.data ?? []).flatMap(({ payment }) => idOf(payment.payment_intent ?? null) ?? []);

/** A payment that was tried again has a charge for each try. */
async function refundsByIntent(stripe: Stripe, customer: string): Promise<Map<string, number>> {
  const refunded = new Map<string, number>();
  const charges = stripe.charges.list({ customer, limit: CHARGES.limit });
  for (const charge of await charges.autoPagingToArray({ limit: CHARGES.most })) {
    const intent = idOf(charge.payment_intent);
    if (intent !== null) refunded.set(intent, (refunded.get(intent) ?? 0) + charge.amount_refunded);
  }
  return refunded;
}
