/** Texts for the kinds and states of e-mails. */
import { t } from '@parley/i18n';
import type { MailRow } from '@parley/contract';
import { joinSentences } from '@parley/domain';
import { formatDateTime } from '../foundation/screen/format.ts';

export const MAIL_KIND_NAMES: Readonly<Partial<Record<string, string>>> = {
  sign_in: t('Sign-in code'),
  access_link: t('Access link'),
  access_link_again: t('Access link (resent)'),
  not_logged_in: t('Reminder to sign in'),
  not_yet_practised: t('Reminder to practise'),
  plan_upgrade: t('Plans'),
  receipt: t('Receipt'),
  trial_ending: t('The free week ends'),
  goodbye: t('Account deletion'),
  link_lost: t('To admins: a link didn’t arrive'),
  access_waiting: t('To admins: learners are waiting'),
};

const NOT_SENT_WORDS = {
  failed: t('Not delivered.'),
  bounced: t('Came back undelivered.'),
  superseded: t('Not sent.'),
  suppressed: t('Not sent.'),
} as const;

/** Mail servers word their reasons freely, for example “no such mailbox”. */
const asSentence = (reason: string): string =>
  reason.charAt(0).toUpperCase() + reason.slice(1) + (/[.!?)]$/.test(reason) ? '' : '.');

export function mailStateSentence({ state, isWritten, sentAt, nextTryAt, tries, trouble }: MailRow): string {
  const withReason = (sentence: string): string =>
    trouble === null ? sentence : joinSentences(t, [sentence, asSentence(trouble)]);
  if (state === 'sent' && isWritten)
    return t('Written to the folder on {time}, not sent.', { time: formatDateTime(sentAt ?? nextTryAt) });
  if (state === 'sent') return t('Sent on {time}.', { time: formatDateTime(sentAt ?? nextTryAt) });
  if (state === 'queued')
    return tries === 0
      ? t('Waiting to be sent.')
      : withReason(
          t('{tries, plural, one {Tried once; next on {time}.} other {Tried # times; next on {time}.}}', {
            tries,
            time: formatDateTime(nextTryAt),
          }),
        );
  if (state === 'sending') return t('Being sent now.');
  return withReason(NOT_SENT_WORDS[state]);
}
