/** The mail that confirms a deletion request. */
import { type PlanAtDeletion, describePlanAtDeletion } from '@parley/domain';
import type { Localizer } from '@parley/i18n';
import type { MailBody } from './mail-body.ts';
import { greeting } from './format.ts';

export interface DeletionNoticeData {
  firstName: string | null;
  eraseAt: Date;
  timeZone: string;
  /** The address of the page where the learner can withdraw the deletion. */
  keepUrl: string;
  askedBy: 'learner' | 'admin';
  /** The end of the running plan; null when there is none. */
  plan: PlanAtDeletion | null;
}

export function deletionNotice(
  localizer: Localizer,
  { firstName, eraseAt, timeZone, keepUrl, askedBy, plan }: DeletionNoticeData,
): MailBody {
  const { t, formatDay } = localizer;
  const day = formatDay(eraseAt, timeZone);
  const planText = describePlanAtDeletion(plan, { t, formatDay: (at) => formatDay(at, timeZone) });
  const { text, why } = reasonFor(localizer, { askedBy, day });
  return {
    subject: t('Your Parley account will be deleted'),
    preview: t('On {day}. You can change your mind until then.', { day }),
    title: t('Your account will be deleted'),
    blocks: [
      { type: 'text', text: greeting(localizer, firstName) },
      { type: 'text', text },
      ...(planText === null ? [] : [{ type: 'text', text: planText } as const]),
      {
        type: 'text',
        text: t('Until then, you can sign in to keep your account or to download everything in it.'),
      },
      { type: 'button', label: t('Keep my account'), href: keepUrl },
      { type: 'text', text: t('Thank you for practising with us.') },
    ],
    why,
  };
}

function reasonFor(
  { t }: Localizer,
  { askedBy, day }: { askedBy: DeletionNoticeData['askedBy']; day: string },
): { text: string; why: string } {
  return askedBy === 'learner'
    ? {
        text: t(
          'You asked us to delete your account. On {day}, everything we keep for it will be erased for good: your conversations, your scores, what your coaches remember, and any copies of your recordings. Recordings on your own computers stay there.',
          { day },
        ),
        why: t(
          'You’re getting this e-mail because someone signed in to your account asked us to delete it. If that wasn’t you, sign in and keep it.',
        ),
      }
    : {
        text: t(
          'An admin asked for your account to be deleted. On {day}, everything we keep for it will be erased for good: your conversations, your scores, what your coaches remember, and any copies of your recordings. Recordings on your own computers stay there.',
          { day },
        ),
        why: t(
          'You’re getting this e-mail because an admin asked for your account to be deleted. If you want to keep it, sign in.',
        ),
      };
}
