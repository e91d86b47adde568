/** What one learner may cost a day with what takes no live minutes: a coach's words, hints, reviews, translations and spoken lines. */
import { PLAN_TYPES, type PlanType } from './enumerations.ts';

/** An account of devices alone costs nothing to open, so that it may cost next to nothing. */
export const BUDGET_GROUPS = ['ANONYMOUS', ...PLAN_TYPES] as const;
export type BudgetGroup = (typeof BUDGET_GROUPS)[number];

/** US dollars in a day of UTC. */
export type CoachBudgets = Readonly<Record<BudgetGroup, number>>;

export const COACH_BUDGETS_USD: CoachBudgets = { ANONYMOUS: 0.25, FREE: 1, TRIALING: 3, PLUS: 3, PRO: 5 };

/** However small the budget of all is, no learner may use up more of it than this. */
const MOST_OF_ALL = 0.5;
/** What all anonymous accounts together may use up of the budget of all: a thousand of them are opened in an hour. */
export const ANONYMOUS_SHARE = 0.25;

export const budgetGroupOf = ({ email, plan }: { email: string | null; plan: PlanType }): BudgetGroup =>
  email === null ? 'ANONYMOUS' : plan;

/** `ofAllUsd`: the budget of all learners together; null: without end. */
export const learnerBudgetUsd = (group: BudgetGroup, budgets: CoachBudgets, ofAllUsd: number | null): number =>
  ofAllUsd === null ? budgets[group] : Math.min(budgets[group], ofAllUsd * MOST_OF_ALL);
