/** Plans and payments: more time, a receipt, a free week that ends. */
import { ALLOWANCES, moneyOf } from '@parley/domain';
import type { MailBody } from './mail-body.ts';
import { formatDay, greeting } from './wording.ts';

const HOUR_S = 3_600;

export interface PlanUpgradeData {
  firstName: string | null;
  reason: 'free_limit' | 'paid_share';
  plansUrl: string;
}

const REASONS: Record<PlanUpgradeData['reason'], { title: string; text: string }> = {
  free_limit: {
    title: 'Your free minutes run out early',
    text: `On several days of the last week you talked until the free minutes were used up. A paid plan has ${ALLOWANCES.PLUS.liveS / HOUR_S} hours a month or more.`,
  },
  paid_share: {
    title: 'Most of this month’s minutes are used',
    text: `Most of the minutes of your plan are used. The larger plan has ${ALLOWANCES.PRO.liveS / HOUR_S} hours a month instead of ${ALLOWANCES.PLUS.liveS / HOUR_S}, and what it adds is there at once.`,
  },
};

export function planUpgrade({ firstName, reason, plansUrl }: PlanUpgradeData): MailBody {
  const { title, text } = REASONS[reason];
  return {
    subject: title,
    preview: 'You can go on by typing, and with the coach on your own computer, at any time.',
    title,
    blocks: [
      { type: 'text', text: greeting(firstName) },
      { type: 'text', text },
      { type: 'button', label: 'See the plans', href: plansUrl },
      {
        type: 'quiet',
        text: 'Nothing changes if you do nothing. Written practice, the coach on your own computer, review and your history are free and stay so.',
      },
    ],
    why: 'You get this at most once in 30 days, when your minutes run short.',
  };
}

export interface ReceiptData {
  firstName: string | null;
  /** In the smallest unit of the currency. */
  amountMinor: number;
  /** ISO 4217. */
  currency: string;
  what: string;
  paidAt: Date;
  timeZone: string;
  /** At the payment provider. */
  invoiceUrl: string;
}

export const receipt = ({
  firstName,
  amountMinor,
  currency,
  what,
  paidAt,
  timeZone,
  invoiceUrl,
}: ReceiptData): MailBody => ({
  subject: `Your payment to Parley: ${moneyOf(amountMinor, currency)}`,
  preview: 'Thank you. The invoice is one click away.',
  title: 'Thank you for your payment',
  blocks: [
    { type: 'text', text: greeting(firstName) },
    { type: 'text', text: 'We have received your payment.' },
    {
      type: 'facts',
      rows: [
        ['For', what],
        ['Paid on', formatDay(paidAt, timeZone)],
        ['Amount', moneyOf(amountMinor, currency)],
      ],
    },
    { type: 'button', label: 'See the invoice', href: invoiceUrl },
    {
      type: 'quiet',
      text: 'The invoice lies with our payment provider. Plan and payment method can be changed in Parley.',
    },
  ],
  why: 'You get this because a payment was made for your account at Parley.',
});

export interface TrialEndingData {
  firstName: string | null;
  endsAt: Date;
  timeZone: string;
  plansUrl: string;
}

export const trialEnding = ({ firstName, endsAt, timeZone, plansUrl }: TrialEndingData): MailBody => ({
  subject: `Your free week ends on ${formatDay(endsAt, timeZone)}`,
  preview: 'Nothing is charged unless you choose a plan.',
  title: 'Your free week is about to end',
  blocks: [
    { type: 'text', text: greeting(firstName) },
    {
      type: 'text',
      text: `Your free week of Parley ends on ${formatDay(endsAt, timeZone)}. Nothing is charged unless you choose a plan: without one you go on with the free plan, and all that you have practised stays.`,
    },
    { type: 'button', label: 'See the plans', href: plansUrl },
  ],
  why: 'You get this because you began a free week of Parley.',
});
