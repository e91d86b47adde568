/** Words for the kinds and states of e-mails. */
import type { MailRow } from '@parley/contract';
import { formatDateTime } from '../foundation/screen/format.ts';

export const MAIL_KIND_NAMES: Readonly<Partial<Record<string, string>>> = {
  sign_in: 'Sign-in code',
  access_link: 'Access link',
  access_link_again: 'Access link, once more',
  not_logged_in: 'Reminder to sign in',
  not_yet_practised: 'Reminder to practise',
  plan_upgrade: 'Plans',
  receipt: 'Receipt',
  trial_ending: 'The trial ends',
  goodbye: 'Account deletion',
  link_lost: 'To admins: a link did not arrive',
  access_waiting: 'To admins: learners are waiting',
};

const NOT_SENT_WORDS = {
  failed: 'Not delivered.',
  bounced: 'Returned.',
  superseded: 'Not sent.',
  suppressed: 'Not sent.',
} as const;

export function mailStateSentence({ state, sentAt, nextTryAt, tries, trouble }: MailRow): string {
  const because = trouble === null ? '' : ` ${trouble}`;
  if (state === 'sent') return `Sent on ${formatDateTime(sentAt ?? nextTryAt)}.`;
  if (state === 'queued')
    return tries === 0
      ? 'Waiting to be sent.'
      : `Tried ${tries} times; next on ${formatDateTime(nextTryAt)}.${because}`;
  if (state === 'sending') return 'Being sent now.';
  return `${NOT_SENT_WORDS[state]}${because}`;
}
