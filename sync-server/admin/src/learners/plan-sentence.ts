/** Says which plan a learner has, and what becomes of it. */
import { type LearnerDetail, planName } from '@parley/contract';
import { t } from '@parley/i18n';
import { formatDay } from '../foundation/screen/format.ts';
import { PAYMENT_STATES } from '../foundation/screen/plan-names.ts';

export function planSentence(plan: LearnerDetail['plan']): string {
  if (plan === null) return t('Free');
  const { inEffect, type, status, endedAt } = plan;
  if (inEffect !== 'FREE')
    return listParts([
      planName(inEffect, t),
      ...paymentOf(plan),
      ...quantityOf(plan),
      ...cancellationOf(plan),
      ...futureOf(plan),
    ]);
  const before =
    status === 'canceled' && endedAt !== null
      ? t('{plan} ended on {day}', { plan: planName(type, t), day: formatDay(endedAt) })
      : status === null
        ? null
        : t('{plan}: {state}', { plan: planName(type, t), state: PAYMENT_STATES[status] });
  return listParts([t('Free'), ...(before === null ? [] : [before]), ...cancellationOf(plan)]);
}

/** Many languages put an “and” before the last entry of a list, which would make no sense here. */
const listParts = (parts: readonly string[]): string => parts.join(' · ');

type Plan = NonNullable<LearnerDetail['plan']>;

/** A trial needs no payment state, because it is called “free week”. */
const paymentOf = ({ status }: Plan): string[] =>
  status === null || status === 'trialing' ? [] : [PAYMENT_STATES[status]];

/** Shown unless it is 1, because a learner with a quantity of two pays twice for a plan that only one person can use. */
const quantityOf = ({ quantity }: Plan): string[] =>
  quantity === null || quantity === 1 ? [] : [t('quantity {quantity}', { quantity })];

/** A plan that ended at once, as after failed payments, was not cancelled before. */
function cancellationOf({ canceledAt, endsAt, endedAt }: Plan): string[] {
  const end = endedAt ?? endsAt;
  if (canceledAt === null || end === null || formatDay(canceledAt) === formatDay(end)) return [];
  return [t('cancelled on {day}', { day: formatDay(canceledAt) })];
}

function futureOf({ graceUntil, renewsAt, endsAt, next }: Plan): string[] {
  if (graceUntil !== null) return [t('until {day}', { day: formatDay(graceUntil) })];
  if (next !== null)
    return [t('changes to {plan} on {day}', { plan: planName(next.plan, t), day: formatDay(next.at) })];
  return [
    ...(renewsAt === null ? [] : [t('renews on {day}', { day: formatDay(renewsAt) })]),
    ...(endsAt === null ? [] : [t('ends on {day}', { day: formatDay(endsAt) })]),
  ];
}
