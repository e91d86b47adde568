/** The enumerations of section 4 of the specification, each declared once; union types and database enums are derived from them. */

export const ENGLISH_LEVELS = ['beginner', 'intermediate', 'advanced'] as const;
export type EnglishLevel = (typeof ENGLISH_LEVELS)[number];

export const PRACTICE_DIFFICULTIES = ['easy', 'intermediate', 'hard'] as const;
export type PracticeDifficulty = (typeof PRACTICE_DIFFICULTIES)[number];

export const PRACTICE_STYLES = ['turn_based', 'ultra_realistic'] as const;
export type PracticeStyle = (typeof PRACTICE_STYLES)[number];

export const COURSE_STATUSES = ['available', 'coming_soon'] as const;
export type CourseStatus = (typeof COURSE_STATUSES)[number];

/** `ready` can be opened, `not_ready` is listed as coming soon, `not_visible` is never sent to learners. */
export const ROW_STATES = ['ready', 'not_ready', 'not_visible'] as const;
export type RowState = (typeof ROW_STATES)[number];

export const COMMUNICATION_STYLES = ['text', 'audio'] as const;
export type CommunicationStyle = (typeof COMMUNICATION_STYLES)[number];

export const PRACTICE_STATUSES = ['in_progress', 'completed', 'failed_to_generate_score'] as const;
export type PracticeStatus = (typeof PRACTICE_STATUSES)[number];

export const PRICING_TYPES = ['one_time', 'recurring'] as const;
export type PricingType = (typeof PRICING_TYPES)[number];

export const PRICING_INTERVALS = ['day', 'week', 'month', 'year'] as const;
export type PricingInterval = (typeof PRICING_INTERVALS)[number];

export const PLAN_TYPES = ['PRO', 'FREE', 'PLUS', 'TRIALING'] as const;
export type PlanType = (typeof PLAN_TYPES)[number];

/** The plans that can be bought. */
export const SOLD_PLANS = ['PLUS', 'PRO'] as const satisfies readonly PlanType[];

export const SUBSCRIPTION_STATUSES = [
  'trialing',
  'active',
  'canceled',
  'incomplete',
  'incomplete_expired',
  'past_due',
  'unpaid',
  'paused',
] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

export const CONVERSATION_ROLES = ['coach', 'learner'] as const;
export type ConversationRole = (typeof CONVERSATION_ROLES)[number];

/** The role of a coach's turn in the conversation. */
export const TURN_KINDS = ['line', 'rephrase', 'goodbye'] as const;
export type TurnKind = (typeof TURN_KINDS)[number];

export const TURN_MODES = ['voice', 'typed'] as const;
export type TurnMode = (typeof TURN_MODES)[number];

/** The difficulty that fits a learner of a level. */
export const DIFFICULTY_BY_LEVEL = {
  beginner: 'easy',
  intermediate: 'intermediate',
  advanced: 'hard',
} as const satisfies Record<EnglishLevel, PracticeDifficulty>;
