/**
 * Limits what one learner may cost per day for usage that takes no live minutes: replies, hints, reviews, translations and synthesised
 * speech.
 */
import { PLAN_TYPES, type PlanType } from '../enumerations.ts';

/** An anonymous account is free to create, so its budget is close to zero. */
export const BUDGET_GROUPS = ['ANONYMOUS', ...PLAN_TYPES] as const;
export type BudgetGroup = (typeof BUDGET_GROUPS)[number];

/** US dollars per UTC day. */
export type CoachBudgets = Readonly<Record<BudgetGroup, number>>;

export const COACH_BUDGETS_USD: CoachBudgets = { ANONYMOUS: 0.25, FREE: 1, TRIALING: 3, PLUS: 3, PRO: 5 };

/** One learner may use at most this share of the global budget, however small that budget is. */
const MAX_LEARNER_SHARE = 0.5;
/** The share of the global budget for all anonymous accounts together, because a script could create a thousand of them in an hour. */
export const ANONYMOUS_SHARE = 0.25;

export const budgetGroupOf = ({ email, plan }: { email: string | null; plan: PlanType }): BudgetGroup =>
  email === null ? 'ANONYMOUS' : plan;

/** `globalBudgetUsd` is the budget of all learners together; null means unlimited. */
export const learnerBudgetUsd = (group: BudgetGroup, budgets: CoachBudgets, globalBudgetUsd: number | null): number =>
  globalBudgetUsd === null ? budgets[group] : Math.min(budgets[group], globalBudgetUsd * MAX_LEARNER_SHARE);
