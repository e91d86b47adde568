/** Reads from an account what its plan is and how the plan ends. */
import { planAtDeletion, type PlanAtDeletion, type RunningPlan } from '@parley/domain';
import type { AccountView } from './account.ts';

export function runningPlanOf({ subscription }: AccountView): RunningPlan | null {
  if (subscription === null) return null;
  const { status, currentPeriodEnd, endsAt, endsWithAccount, isPeriodUnpaid } = subscription;
  return {
    status,
    currentPeriodEnd: toDate(currentPeriodEnd),
    endsAt: toDate(endsAt),
    endsWithAccount,
    isPeriodUnpaid,
  };
}

export const planAtDeletionOf = (account: AccountView, eraseAt: Date): PlanAtDeletion | null =>
  planAtDeletion(runningPlanOf(account), { eraseAt, hasAccess: account.hasAccess });

const toDate = (iso: string | null): Date | null => (iso === null ? null : new Date(iso));
