/** Mails about plans and payments: an upgrade, a receipt, and a trial that ends. */
import { ALLOWANCES, formatMoney } from '@parley/domain';
import type { Localizer } from '@parley/i18n';
import type { MailBody } from './mail-body.ts';
import { greeting } from './format.ts';

const HOUR_S = 3_600;

export interface PlanUpgradeData {
  firstName: string | null;
  reason: 'free_limit' | 'paid_share';
  plansUrl: string;
  /** The link that stops reminders about plans. */
  dismissUrl: string;
}

function upgradeText({ t }: Localizer, reason: PlanUpgradeData['reason']): { title: string; text: string } {
  const plus = ALLOWANCES.PLUS.liveS / HOUR_S;
  const pro = ALLOWANCES.PRO.liveS / HOUR_S;
  return reason === 'free_limit'
    ? {
        title: t('Your free minutes often run out'),
        text: t(
          'On several days in the last week, you used all your free minutes. A paid plan gives you {plus} hours a month or more.',
          { plus },
        ),
      }
    : {
        title: t('You’ve used most of your plan’s minutes'),
        text: t(
          'You’ve used most of the minutes in your plan. The larger plan has {pro} hours a month instead of {plus}, and the extra time is available right away.',
          { pro, plus },
        ),
      };
}

export function planUpgrade(
  localizer: Localizer,
  { firstName, reason, plansUrl, dismissUrl }: PlanUpgradeData,
): MailBody {
  const { t } = localizer;
  const { title, text } = upgradeText(localizer, reason);
  return {
    subject: title,
    preview: t('You can always keep practising for free.'),
    title,
    blocks: [
      { type: 'text', text: greeting(localizer, firstName) },
      { type: 'text', text },
      { type: 'button', label: t('See the plans'), href: plansUrl },
      {
        type: 'quiet',
        text: t(
          'You don’t have to do anything. Written practice, the coach on your own computer, review and your history stay free.',
        ),
      },
      { type: 'link', label: t('Don’t remind me about plans again'), href: dismissUrl },
    ],
    why: t('You get this e-mail at most once every 30 days, when your minutes run short.'),
  };
}

export interface ReceiptData {
  firstName: string | null;
  /** The amount in the smallest unit of the currency. */
  amountMinor: number;
  /** An ISO 4217 code. */
  currency: string;
  what: string;
  paidAt: Date;
  timeZone: string;
  /** The invoice's page at the payment provider. */
  invoiceUrl: string;
}

export function receipt(
  localizer: Localizer,
  { firstName, amountMinor, currency, what, paidAt, timeZone, invoiceUrl }: ReceiptData,
): MailBody {
  const { t, locale, formatDay } = localizer;
  const amount = formatMoney(amountMinor, currency, locale);
  return {
    subject: t('Your Parley payment: {amount}', { amount }),
    preview: t('Thank you. Your invoice is ready.'),
    title: t('Thank you for your payment'),
    blocks: [
      { type: 'text', text: greeting(localizer, firstName) },
      { type: 'text', text: t('We’ve received your payment.') },
      {
        type: 'facts',
        rows: [
          [t('Plan'), what],
          [t('Paid on'), formatDay(paidAt, timeZone)],
          [t('Amount'), amount],
        ],
      },
      { type: 'button', label: t('See the invoice'), href: invoiceUrl },
      {
        type: 'quiet',
        text: t(
          'Our payment provider keeps the invoice. You can change your plan and how you pay at any time in Parley.',
        ),
      },
    ],
    why: t('You’re getting this e-mail because a payment was made for your Parley account.'),
  };
}

export interface TrialEndingData {
  firstName: string | null;
  endsAt: Date;
  /** Whether a paid plan follows, because the trial was set to continue. */
  continues: boolean;
  timeZone: string;
  plansUrl: string;
}

export function trialEnding(
  localizer: Localizer,
  { firstName, endsAt, continues, timeZone, plansUrl }: TrialEndingData,
): MailBody {
  const { t, formatDay } = localizer;
  const day = formatDay(endsAt, timeZone);
  return {
    subject: t('Your free week ends on {day}', { day }),
    preview: continues
      ? t('If you’ve added a card, your plan starts then.')
      : t('You won’t be charged unless you choose a plan.'),
    title: t('Your free week is ending soon'),
    blocks: [
      { type: 'text', text: greeting(localizer, firstName) },
      {
        type: 'text',
        text: continues
          ? t(
              'Your free week of Parley ends on {day}, and your plan is set to continue. If you’ve added a card, it’s charged that day. If you don’t want that, cancel under “Manage my plan” before then. You keep everything you’ve practised either way.',
              { day },
            )
          : t(
              'Your free week of Parley ends on {day}. You won’t be charged unless you choose a plan. Without one, you continue on the free plan, and you keep everything you’ve practised.',
              { day },
            ),
      },
      { type: 'button', label: t('See the plans'), href: plansUrl },
    ],
    why: t('You’re getting this e-mail because you started a free week of Parley.'),
  };
}
