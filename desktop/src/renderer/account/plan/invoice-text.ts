/** Describes an invoice's amount and status, including credit and refunds. */
import { formatLocale, t } from '@parley/i18n';
import type { Invoice } from '@parley/contract';
import { formatMoney } from '@parley/domain';

const STATUS_NAMES: Record<Invoice['status'], string> = {
  draft: t('In preparation'),
  open: t('To be paid'),
  paid: t('Paid'),
  uncollectible: t('Not paid'),
  void: t('Cancelled'),
};

export function describeInvoice(invoice: Invoice): { amount: string; status: string } {
  const { amount, amountDue, amountPaid, currency, status } = invoice;
  const money = (of: number): string => formatMoney(of, currency, formatLocale());
  // A negative invoice is not paid out; later invoices use it up.
  if (amount < 0) return { amount: money(-amount), status: t('Credit') };
  if (status !== 'paid') return { amount: money(amountDue), status: STATUS_NAMES[status] };
  if (amountPaid === 0) return { amount: money(0), status: t('Covered by credit') };
  return { amount: money(amountPaid), status: describePaidStatus(invoice, money) };
}

function describePaidStatus({ amountPaid, amountRefunded }: Invoice, money: (of: number) => string): string {
  if (amountRefunded === 0) return STATUS_NAMES.paid;
  return amountRefunded < amountPaid
    ? t('Partly refunded: {amountRefunded}', { amountRefunded: money(amountRefunded) })
    : t('Refunded');
}
