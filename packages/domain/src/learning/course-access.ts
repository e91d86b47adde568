/** Decides which sections of a course a learner may open. The host and the server call this one function. */
import { LIVE_ACCESS_TTL_MS } from '../account/live-access.ts';
import { COURSES_BY_PLAN } from '../billing/plans.ts';
import type { CourseStatus, PlanType } from '../enumerations.ts';

/** The learner's plan according to the server's last response. */
export interface PlanSnapshot {
  plan: PlanType;
  confirmedAt: Date;
}

export interface SectionFacts {
  courseStatus: CourseStatus;
  /** Null if no plans are sold: without a server, or on a server that does not meter usage. */
  plan: PlanSnapshot | null;
  /** Whether it is the first section of its course. */
  isFirst: boolean;
  /** Whether the learner has opened one of its practices or videos from the course. */
  isStarted: boolean;
  /** Whether the course is assigned to one of the learner's classes. */
  isAssigned: boolean;
}

/**
 * `coming_soon`: the course is not available yet. `plan`: the learner's plan covers the first section only.
 * `unconfirmed`: the plan covers the section, but the server's last confirmation of the plan is too old.
 */
export const SECTION_LOCKS = ['coming_soon', 'plan', 'unconfirmed'] as const;
export type SectionLock = (typeof SECTION_LOCKS)[number];

/** Returns why a section is locked, or null when it is open. */
export function sectionLock(section: SectionFacts, now: Date): SectionLock | null {
  const { courseStatus, plan, isFirst, isStarted, isAssigned } = section;
  if (courseStatus === 'coming_soon') return 'coming_soon';
  if (plan === null || isFirst || isStarted || isAssigned) return null;
  if (COURSES_BY_PLAN[plan.plan] === 'first_sections') return 'plan';
  return now.getTime() - plan.confirmedAt.getTime() < LIVE_ACCESS_TTL_MS ? null : 'unconfirmed';
}
