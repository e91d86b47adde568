import type { LearnerDetail } from '@parley/contract';
import { expect, it } from 'vitest';
import { planSentence } from './plan-sentence.ts';

type Plan = NonNullable<LearnerDetail['plan']>;

const SOON = '2027-02-06T12:00:00.000Z';
const LATER = '2027-02-28T12:00:00.000Z';
const PLUS: Plan = {
  inEffect: 'PLUS',
  type: 'PLUS',
  status: 'active',
  renewsAt: LATER,
  endsAt: null,
  canceledAt: null,
  quantity: 1,
  endedAt: null,
  graceUntil: null,
  next: null,
};

it.each<[string, Plan | null]>([
  ['Free', null],
  ['Plus · paid · renews on 28 Feb 2027', PLUS],
  ['Plus · paid · ends on 28 Feb 2027', { ...PLUS, renewsAt: null, endsAt: LATER }],
  [
    'Plus · paid · cancelled on 6 Feb 2027 · ends on 28 Feb 2027',
    { ...PLUS, renewsAt: null, canceledAt: SOON, endsAt: LATER },
  ],
  ['Plus · paid · quantity 2 · renews on 28 Feb 2027', { ...PLUS, quantity: 2 }],
  ['Plus · paid · renews on 6 Feb 2027 · ends on 28 Feb 2027', { ...PLUS, renewsAt: SOON, endsAt: LATER }],
  ['Plus · paid · changes to Pro on 28 Feb 2027', { ...PLUS, next: { plan: 'PRO', at: LATER } }],
  ['Plus · payment failed · until 6 Feb 2027', { ...PLUS, status: 'past_due', graceUntil: SOON }],
  ['Free · Plus: payment failed', { ...PLUS, inEffect: 'FREE', status: 'past_due' }],
  ['Free · Plus: unpaid', { ...PLUS, inEffect: 'FREE', status: 'unpaid' }],
  ['Free · Plus ended on 6 Feb 2027', { ...PLUS, inEffect: 'FREE', status: 'canceled', renewsAt: null, endedAt: SOON }],
  [
    'Free · Plus ended on 28 Feb 2027 · cancelled on 6 Feb 2027',
    { ...PLUS, inEffect: 'FREE', status: 'canceled', renewsAt: null, canceledAt: SOON, endedAt: LATER },
  ],
  [
    'Free · Plus ended on 6 Feb 2027',
    { ...PLUS, inEffect: 'FREE', status: 'canceled', renewsAt: null, canceledAt: SOON, endedAt: SOON },
  ],
  [
    'Free · Free week ended on 6 Feb 2027',
    { ...PLUS, inEffect: 'FREE', type: 'TRIALING', status: 'canceled', endedAt: SOON },
  ],
  [
    'Free week · ends on 6 Feb 2027',
    { ...PLUS, inEffect: 'TRIALING', type: 'TRIALING', status: 'trialing', renewsAt: null, endsAt: SOON },
  ],
])('says “%s”', (sentence, plan) => {
  expect(planSentence(plan)).toBe(sentence);
});
