import type { Invoice } from '@parley/contract';
import { describe, expect, it } from 'vitest';
import { inWords } from './invoice-words.ts';

const words = (change: Partial<Invoice>): string[] =>
  Object.values(
    inWords({
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

describe('an invoice', () => {
  it.each<[string, Partial<Invoice>, string[]]>([
    ['that is paid says what was paid', { status: 'paid', amountPaid: 2_400 }, ['US$24.00', 'Paid']],
    [
      'that credit covers in part says what was paid beside it',
      { status: 'paid', amountDue: 1_000, amountPaid: 1_000 },
      ['US$10.00', 'Paid'],
    ],
    [
      'that was paid back says so',
      { status: 'paid', amountPaid: 2_400, amountRefunded: 2_400 },
      ['US$24.00', 'Refunded'],
    ],
    [
      'that was paid back in part says how much',
      { status: 'paid', amountPaid: 2_400, amountRefunded: 500 },
      ['US$24.00', 'Partly refunded: US$5.00'],
    ],
    ['that credit covers took nothing', { status: 'paid', amountDue: 0 }, ['US$0.00', 'Covered by credit']],
    ['that gives something back is a credit', { status: 'paid', amount: -9_600, amountDue: 0 }, ['US$96.00', 'Credit']],
    ['that is not paid yet says what is asked for', { amountDue: 1_000 }, ['US$10.00', 'To be paid']],
  ])('%s', (_what, invoice, said) => {
    expect(words(invoice)).toEqual(said);
  });
});
