/** Sample data for every mail, for the preview and for tests. */
import type { MailDataByKind, MailKind } from './index.ts';

const firstName = 'Anna';
const timeZone = 'Europe/Berlin';

export const sampleData = (origin: string): MailDataByKind => ({
  sign_in: { code: '482913', withoutCode: null, link: `${origin}/sign-in/link?token=sample` },
  access_link: { firstName, link: `${origin}/sign-in/link?token=sample` },
  access_link_again: { firstName, link: `${origin}/sign-in/link?token=sample` },
  not_logged_in: { firstName, link: `${origin}/sign-in/link?token=sample` },
  not_yet_practised: { firstName },
  plan_upgrade: {
    firstName,
    reason: 'free_limit',
    plansUrl: `${origin}/plans`,
    dismissUrl: `${origin}/dismiss-plan-reminders?token=sample`,
  },
  receipt: {
    firstName,
    amountMinor: 1_290,
    currency: 'eur',
    what: 'Parley Plus',
    paidAt: new Date('2026-11-21T10:00:00Z'),
    timeZone,
    invoiceUrl: `${origin}/sample-invoice`,
  },
  trial_ending: {
    firstName,
    endsAt: new Date('2026-11-24T10:00:00Z'),
    continues: false,
    timeZone,
    plansUrl: `${origin}/plans`,
  },
  goodbye: {
    firstName,
    eraseAt: new Date('2026-12-21T10:00:00Z'),
    timeZone,
    keepUrl: `${origin}/account`,
    askedBy: 'learner',
    plan: {
      endsAt: new Date('2026-12-02T10:00:00Z'),
      continuesIfKept: true,
      isPaymentLate: false,
      isPeriodUnpaid: false,
      paidUntil: null,
    },
  },
  access_waiting: {
    count: 3,
    firstAskedAt: new Date('2026-11-20T15:00:00Z'),
    timeZone,
    requestsUrl: `${origin}/admin/learners?only=waiting`,
  },
  link_lost: { email: 'anna@exmaple.org', accessGrantedAt: new Date('2026-11-18T10:00:00Z'), timeZone },
});

const STEPS_BY_KIND: Record<MailKind, readonly string[]> = {
  sign_in: ['1'],
  access_link: ['1'],
  access_link_again: ['1'],
  not_logged_in: ['1', '2', '3'],
  not_yet_practised: ['1', '2', '3'],
  plan_upgrade: ['1'],
  receipt: ['1'],
  trial_ending: ['1'],
  goodbye: ['1'],
  link_lost: ['1'],
  access_waiting: ['1'],
};

export const SAMPLE_MAILS: readonly { kind: MailKind; step: string }[] = (
  Object.entries(STEPS_BY_KIND) as [MailKind, readonly string[]][]
).flatMap(([kind, steps]) => steps.map((step) => ({ kind, step })));
