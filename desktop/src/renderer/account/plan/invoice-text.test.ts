import type { Invoice } from '@parley/contract';
import { describe, expect, it } from 'vitest';
import { describeInvoice } from './invoice-text.ts';

const describedAs = (change: Partial<Invoice>): string[] =>
  Object.values(
    describeInvoice({
      number: 'A-0001',
      at: '2026-11-05T12:00:00.000Z',
      amount: 2_400,
      amountDue: 2_400,
      amountPaid: 0,
      amountRefunded: 0,
      currency: 'usd',
      status: 'open',
      url: null,
      ...change,
    }),
  );

describe('the description of an invoice', () => {
  it.each<[string, Partial<Invoice>, string[]]>([
    ['shows the amount paid', { status: 'paid', amountPaid: 2_400 }, ['US$24.00', 'Paid']],
    [
      'shows the amount paid beside partial credit',
      { status: 'paid', amountDue: 1_000, amountPaid: 1_000 },
      ['US$10.00', 'Paid'],
    ],
    ['shows a full refund', { status: 'paid', amountPaid: 2_400, amountRefunded: 2_400 }, ['US$24.00', 'Refunded']],
    [
      'shows the amount of a partial refund',
      { status: 'paid', amountPaid: 2_400, amountRefunded: 500 },
      ['US$24.00', 'Partly refunded: US$5.00'],
    ],
    ['shows zero when credit covers it', { status: 'paid', amountDue: 0 }, ['US$0.00', 'Covered by credit']],
    ['shows a negative invoice as credit', { status: 'paid', amount: -9_600, amountDue: 0 }, ['US$96.00', 'Credit']],
    ['shows the amount due of an unpaid invoice', { amountDue: 1_000 }, ['US$10.00', 'To be paid']],
  ])('%s', (_what, invoice, said) => {
    expect(describedAs(invoice)).toEqual(said);
  });
});
