/** What an invoice took from a card, or is to take, and what was paid back: credit that covers it, or that it gives, is named as such. */
import type { Invoice } from '@parley/contract';
import { moneyOf } from '@parley/domain';

const STATUS_NAMES: Record<Invoice['status'], string> = {
  draft: 'In preparation',
  open: 'To be paid',
  paid: 'Paid',
  uncollectible: 'Not paid',
  void: 'Cancelled',
};

export function inWords(invoice: Invoice): { amount: string; status: string } {
  const { amount, amountDue, amountPaid, currency, status } = invoice;
  const money = (of: number): string => moneyOf(of, currency);
  // Nothing is paid out: it is used up by the invoices that follow.
  if (amount < 0) return { amount: money(-amount), status: 'Credit' };
  if (status !== 'paid') return { amount: money(amountDue), status: STATUS_NAMES[status] };
  if (amountPaid === 0) return { amount: money(0), status: 'Covered by credit' };
  return { amount: money(amountPaid), status: paidInWords(invoice, money) };
}

function paidInWords({ amountPaid, amountRefunded }: Invoice, money: (of: number) => string): string {
  if (amountRefunded === 0) return STATUS_NAMES.paid;
  return amountRefunded < amountPaid ? `Partly refunded: ${money(amountRefunded)}` : 'Refunded';
}
