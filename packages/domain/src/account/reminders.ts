/** Decides which reminder e-mail a learner is due and when. Scheduling, writing and sending are the server's job. */
import { isDaytime, nextDaytime } from '../time/daytime.ts';
import { type LocalDay, localDayFormatter } from '../time/local-day.ts';

/** When several reminders are due, the first in this order is sent. */
export const REMINDER_KINDS = ['access_link_again', 'not_logged_in', 'not_yet_practised', 'plan_upgrade'] as const;
export type ReminderKind = (typeof REMINDER_KINDS)[number];

export interface Reminder {
  kind: ReminderKind;
  /** `1`, `2`, ...: each step is sent to a learner once. */
  step: string;
}

export interface ReminderFacts {
  /** Null when the learner has no access. */
  accessGrantedAt: Date | null;
  /** When we learned that the latest e-mail with the access link was not delivered; null if there is no such sign. */
  accessMailMissedAt: Date | null;
  /** The learner's first sign-in after access was granted. */
  signedInAt: Date | null;
  /** Whether the learner has ever said something in a session. */
  hasPractised: boolean;
  /**
   * The local days on which the learner used up the FREE allowance while on the FREE plan; none if no plan is sold, or
   * a payment is late.
   */
  limitDays: readonly LocalDay[];
  /** The used share of a paid plan, 0 to 1; null if no larger plan is sold, or a payment is late. */
  paidShareUsed: number | null;
  /** Whether the learner has asked, by the link in a reminder, for no more reminders about plans. */
  isUpgradeDismissed: boolean;
  emailNotifications: boolean;
  /** IANA name. */
  timeZone: string;
  /** Reminders of all kinds, in any order. */
  pastReminders: readonly PastReminder[];
}

export interface PastReminder extends Reminder {
  at: Date;
  /**
   * True when the reason disappeared before the reminder was sent. The step is used up, but it does not count towards the sending limits.
   */
  wasDropped: boolean;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The minimum interval between reminders of any kind. */
const MIN_SPACING_MS = 48 * HOUR_MS;
const FREQUENCY_LIMIT = { count: 3, withinMs: 14 * DAY_MS };
/** A reminder that is overdue by more than this, for example after server downtime, is skipped. */
const STALE_MS = 14 * DAY_MS;

const NOT_LOGGED_IN_AFTER_MS = [2 * DAY_MS, 5 * DAY_MS, 12 * DAY_MS];
const NOT_YET_PRACTISED_AFTER_MS = [DAY_MS, 3 * DAY_MS, 7 * DAY_MS];
const LINK_RESEND = { times: 2, apartMs: DAY_MS };
const UPGRADE_RULE = { limitDays: 3, ofDays: 7, share: 0.8, apartMs: 30 * DAY_MS };

interface Candidate extends Reminder {
  fromMs: number;
  /** After this time, the reminder is replaced by the next step or dropped. */
  untilMs: number;
}

/** Returns the reminder that may be sent now, or the time of the next check; null when only a new event can make one due. */
export function nextReminder(facts: ReminderFacts, now: Date): { due: Reminder | null; checkAgainAt: Date | null } {
  let checkAgainMs = Infinity;
  for (const candidate of candidatesOf(facts, now)) {
    const at = earliestSendTime(candidate, facts, now);
    if (at?.getTime() === now.getTime())
      return { due: { kind: candidate.kind, step: candidate.step }, checkAgainAt: null };
    checkAgainMs = Math.min(checkAgainMs, at?.getTime() ?? Infinity);
  }
  return { due: null, checkAgainAt: checkAgainMs === Infinity ? null : new Date(checkAgainMs) };
}

/**
 * Re-evaluates a reminder that was found due earlier; `facts.pastReminders` must not contain it. Returns null when its reason has disappeared.
 */
export function whenToSend(reminder: Reminder, facts: ReminderFacts, now: Date): Date | null {
  const candidate = candidatesOf(facts, now).find(({ kind, step }) => kind === reminder.kind && step === reminder.step);
  return candidate === undefined ? null : earliestSendTime(candidate, facts, now);
}

/** Returns `now` when the reminder may be sent immediately. */
function earliestSendTime(
  { fromMs, untilMs }: Candidate,
  { pastReminders, timeZone }: ReminderFacts,
  now: Date,
): Date | null {
  const soonestMs = Math.max(now.getTime(), fromMs, allowedFromMs(pastReminders));
  const at = isDaytime(new Date(soonestMs), timeZone)
    ? new Date(soonestMs)
    : nextDaytime(new Date(soonestMs), timeZone);
  return at.getTime() < untilMs ? at : null;
}

/** The earliest time at which the sending limits allow another reminder. */
function allowedFromMs(written: ReminderFacts['pastReminders']): number {
  const times = written.flatMap(({ at, wasDropped }) => (wasDropped ? [] : [at.getTime()])).toSorted((a, b) => b - a);
  const [last = -Infinity] = times;
  const oldestInWindow = times[FREQUENCY_LIMIT.count - 1] ?? -Infinity;
  return Math.max(last + MIN_SPACING_MS, oldestInWindow + FREQUENCY_LIMIT.withinMs);
}

function candidatesOf(facts: ReminderFacts, now: Date): Candidate[] {
  const { accessGrantedAt, signedInAt, hasPractised, emailNotifications } = facts;
  // One setting covers all four kinds, because a learner who has never signed in can only have opted out through a link in one of these
  // e-mails.
  if (accessGrantedAt === null || !emailNotifications) return [];
  if (signedInAt === null)
    return [...linkResends(facts), ...scheduledSteps(facts, 'not_logged_in', accessGrantedAt, NOT_LOGGED_IN_AFTER_MS)];
  return [
    ...(hasPractised ? [] : scheduledSteps(facts, 'not_yet_practised', signedInAt, NOT_YET_PRACTISED_AFTER_MS)),
    ...upgradeReminders(facts, now),
  ];
}

/**
 * Creates reminders at fixed times after an event. A step that missed its time is not sent together with the next one.
 */
function scheduledSteps(
  { pastReminders }: ReminderFacts,
  kind: ReminderKind,
  since: Date,
  afterMs: readonly number[],
): Candidate[] {
  const lastStep = Math.max(0, ...pastReminders.flatMap((each) => (each.kind === kind ? [Number(each.step)] : [])));
  return afterMs.flatMap((ms, index): Candidate[] => {
    if (index + 1 <= lastStep) return [];
    const untilMs = since.getTime() + (afterMs[index + 1] ?? ms + STALE_MS);
    return [{ kind, step: String(index + 1), fromMs: since.getTime() + ms, untilMs }];
  });
}

/** True when the link was resent as often as allowed but still not delivered, so a person has to check the address. */
export const isLinkUndeliverable = ({ signedInAt, accessMailMissedAt, pastReminders }: ReminderFacts): boolean =>
  signedInAt === null &&
  accessMailMissedAt !== null &&
  sentTimes(pastReminders, 'access_link_again').length >= LINK_RESEND.times;

function linkResends({ accessMailMissedAt, pastReminders }: ReminderFacts): Candidate[] {
  const before = sentTimes(pastReminders, 'access_link_again');
  if (accessMailMissedAt === null || before.length >= LINK_RESEND.times) return [];
  const fromMs = Math.max(accessMailMissedAt.getTime(), ...before.map((ms) => ms + LINK_RESEND.apartMs));
  return [{ kind: 'access_link_again', step: String(before.length + 1), fromMs, untilMs: fromMs + STALE_MS }];
}

function upgradeReminders(
  { limitDays, paidShareUsed, isUpgradeDismissed, timeZone, pastReminders }: ReminderFacts,
  now: Date,
): Candidate[] {
  if (isUpgradeDismissed) return [];
  const oldest = daysBefore(localDayFormatter(timeZone)(now), UPGRADE_RULE.ofDays - 1);
  const hitsLimitOften = new Set(limitDays.filter((day) => day >= oldest)).size >= UPGRADE_RULE.limitDays;
  if (!hitsLimitOften && (paidShareUsed ?? 0) < UPGRADE_RULE.share) return [];
  const before = sentTimes(pastReminders, 'plan_upgrade');
  const fromMs = Math.max(-Infinity, ...before.map((ms) => ms + UPGRADE_RULE.apartMs));
  return [{ kind: 'plan_upgrade', step: String(before.length + 1), fromMs, untilMs: Infinity }];
}

const sentTimes = (written: ReminderFacts['pastReminders'], kind: ReminderKind): number[] =>
  written.flatMap((each) => (each.kind === kind ? [each.at.getTime()] : []));

/** Calculates in UTC calendar days, so that a clock change cannot skip a day. */
const daysBefore = (day: LocalDay, days: number): LocalDay =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10);
