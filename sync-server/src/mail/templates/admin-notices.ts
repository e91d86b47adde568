/** Mails to the admins of this server. */
import type { Localizer } from '@parley/i18n';
import type { MailBody } from './mail-body.ts';

export interface UndeliveredLinkData {
  /** The learner's address. */
  email: string;
  accessGrantedAt: Date;
  timeZone: string;
}

export function undeliveredLink(
  { t, formatDay }: Localizer,
  { email, accessGrantedAt, timeZone }: UndeliveredLinkData,
): MailBody {
  return {
    subject: t('A sign-in link for Parley didn’t arrive'),
    preview: t('A learner with access can’t sign in yet.'),
    title: t('A sign-in link didn’t arrive'),
    blocks: [
      {
        type: 'text',
        text: t(
          'You gave a learner access, but the e-mail with their sign-in link couldn’t be delivered. We tried three times.',
        ),
      },
      {
        type: 'facts',
        rows: [
          [t('E-mail address'), email],
          [t('Access since'), formatDay(accessGrantedAt, timeZone)],
        ],
      },
      {
        type: 'text',
        text: t(
          'We won’t send it again automatically. Check the address with the learner another way. If it’s right, they can ask for a code in the app at any time. If it isn’t, they can ask for access with the right one.',
        ),
      },
    ],
    why: t('You’re getting this e-mail because you’re an admin of this Parley server.'),
  };
}

export interface WaitingLearnersData {
  /** How many learners are waiting, at least one. Their names do not belong in a mailbox. */
  count: number;
  /** When the first of them requested access. */
  firstAskedAt: Date;
  timeZone: string;
  /** The learners who are waiting, in the admin panel. */
  requestsUrl: string;
}

export function waitingLearners(
  { t, formatDay, formatNumber }: Localizer,
  { count, firstAskedAt, timeZone, requestsUrl }: WaitingLearnersData,
): MailBody {
  return {
    subject: t(
      '{count, plural, one {A learner is waiting for access to Parley} other {# learners are waiting for access to Parley}}',
      { count },
    ),
    preview: t('Review requests in the admin panel.'),
    title: t('{count, plural, one {A learner is waiting for access} other {# learners are waiting for access}}', {
      count,
    }),
    blocks: [
      {
        type: 'text',
        text: t(
          '{count, plural, one {A learner has asked for access. Once you approve the request, we’ll tell them by e-mail, and they can talk freely with a coach.} other {# learners have asked for access. Once you approve their requests, we’ll tell them by e-mail, and they can talk freely with a coach.}}',
          { count },
        ),
      },
      {
        type: 'facts',
        rows: [
          [t('Waiting for access'), formatNumber(count)],
          [t('First request'), formatDay(firstAskedAt, timeZone)],
        ],
      },
      { type: 'button', label: t('Open the admin panel'), href: requestsUrl },
      {
        type: 'text',
        text: t(
          'You can approve requests in the admin panel of this server. We’ll write again when there are new ones, at most once an hour.',
        ),
      },
    ],
    why: t('You’re getting this e-mail because you’re an admin of this Parley server.'),
  };
}
