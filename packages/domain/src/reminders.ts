/** Which reminder by e-mail a learner is due, and when: the rules alone. Who looks, writes and sends is the server's business. */
import { isDaytime, nextDaytime } from './daytime.ts';
import { type LocalDay, localDays } from './local-day.ts';

/** Whichever of these is due first in this order goes first. */
export const REMINDER_KINDS = ['access_link_again', 'not_logged_in', 'not_yet_practised', 'plan_upgrade'] as const;
export type ReminderKind = (typeof REMINDER_KINDS)[number];

export interface Reminder {
  kind: ReminderKind;
  /** `1`, `2`, ...: each goes to a learner once. */
  step: string;
}

export interface ReminderFacts {
  /** Null: they have none. */
  accessGrantedAt: Date | null;
  /** Since when we know that the newest mail with their link did not arrive; null while there is no reason to think so. */
  accessMailMissedAt: Date | null;
  /** For the first time since they have access. */
  signedInAt: Date | null;
  /** Whether they ever began a session. */
  hasPractised: boolean;
  /** The learner's days on which they used up what FREE allows, while on FREE. */
  limitDays: readonly LocalDay[];
  /** Of a paid plan above which there is another, 0 to 1; null on any other. */
  paidShareUsed: number | null;
  emailNotifications: boolean;
  /** IANA name. */
  timeZone: string;
  /** Of all kinds, in any order. */
  written: readonly WrittenReminder[];
}

export interface WrittenReminder extends Reminder {
  at: Date;
  /** It lost its reason before it was sent: its step is used up, and whoever was to get it had one reminder less. */
  wasDropped: boolean;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Over all kinds. */
const APART_MS = 48 * HOUR_MS;
const MOST = { count: 3, withinMs: 14 * DAY_MS };
/** What should have gone out longer ago than this, while a server stood still or an account slept, is not made up for. */
const STALE_MS = 14 * DAY_MS;

const NOT_LOGGED_IN_AFTER_MS = [2 * DAY_MS, 5 * DAY_MS, 12 * DAY_MS];
const NOT_YET_PRACTISED_AFTER_MS = [DAY_MS, 3 * DAY_MS, 7 * DAY_MS];
const LINK_AGAIN = { times: 2, apartMs: DAY_MS };
const UPGRADE = { limitDays: 3, ofDays: 7, share: 0.8, apartMs: 30 * DAY_MS };

interface Candidate extends Reminder {
  fromMs: number;
  /** From then on the next step stands in its place, or nothing does. */
  untilMs: number;
}

/** What may be sent now, or else when it is worth to look again; null: not before something happens. */
export function nextReminder(facts: ReminderFacts, now: Date): { due: Reminder | null; lookAgainAt: Date | null } {
  let lookAgainMs = Infinity;
  for (const candidate of candidatesOf(facts, now)) {
    const at = earliest(candidate, facts, now);
    if (at?.getTime() === now.getTime())
      return { due: { kind: candidate.kind, step: candidate.step }, lookAgainAt: null };
    lookAgainMs = Math.min(lookAgainMs, at?.getTime() ?? Infinity);
  }
  return { due: null, lookAgainAt: lookAgainMs === Infinity ? null : new Date(lookAgainMs) };
}

/** The same question about one that was found due a while ago; `facts.written` must not hold it. Null: it has lost its reason. */
export function whenToSend(reminder: Reminder, facts: ReminderFacts, now: Date): Date | null {
  const candidate = candidatesOf(facts, now).find(({ kind, step }) => kind === reminder.kind && step === reminder.step);
  return candidate === undefined ? null : earliest(candidate, facts, now);
}

/** `now`, if it may go now. */
function earliest({ fromMs, untilMs }: Candidate, { written, timeZone }: ReminderFacts, now: Date): Date | null {
  const soonestMs = Math.max(now.getTime(), fromMs, roomFromMs(written));
  const at = isDaytime(new Date(soonestMs), timeZone)
    ? new Date(soonestMs)
    : nextDaytime(new Date(soonestMs), timeZone);
  return at.getTime() < untilMs ? at : null;
}

/** When what was sent leaves room for another. */
function roomFromMs(written: ReminderFacts['written']): number {
  const times = written.flatMap(({ at, wasDropped }) => (wasDropped ? [] : [at.getTime()])).toSorted((a, b) => b - a);
  const [last = -Infinity] = times;
  const firstOfMost = times[MOST.count - 1] ?? -Infinity;
  return Math.max(last + APART_MS, firstOfMost + MOST.withinMs);
}

function candidatesOf(facts: ReminderFacts, now: Date): Candidate[] {
  const { accessGrantedAt, signedInAt, hasPractised, emailNotifications } = facts;
  // One switch for all four: whoever never signed in can only have turned it off in one of these mails.
  if (accessGrantedAt === null || !emailNotifications) return [];
  if (signedInAt === null)
    return [...linkAgain(facts), ...staged(facts, 'not_logged_in', accessGrantedAt, NOT_LOGGED_IN_AFTER_MS)];
  return [
    ...(hasPractised ? [] : staged(facts, 'not_yet_practised', signedInAt, NOT_YET_PRACTISED_AFTER_MS)),
    ...planUpgrade(facts, now),
  ];
}

/** Steps at fixed times after something happened. A step that missed its time is not sent beside the next. */
function staged({ written }: ReminderFacts, kind: ReminderKind, since: Date, afterMs: readonly number[]): Candidate[] {
  const furthest = Math.max(0, ...written.flatMap((each) => (each.kind === kind ? [Number(each.step)] : [])));
  return afterMs.flatMap((ms, index): Candidate[] => {
    if (index + 1 <= furthest) return [];
    const untilMs = since.getTime() + (afterMs[index + 1] ?? ms + STALE_MS);
    return [{ kind, step: String(index + 1), fromMs: since.getTime() + ms, untilMs }];
  });
}

/** Sent again as often as it may be, and still not there: somebody has to look at the address. */
export const isLinkLost = ({ signedInAt, accessMailMissedAt, written }: ReminderFacts): boolean =>
  signedInAt === null &&
  accessMailMissedAt !== null &&
  timesOf(written, 'access_link_again').length >= LINK_AGAIN.times;

function linkAgain({ accessMailMissedAt, written }: ReminderFacts): Candidate[] {
  const before = timesOf(written, 'access_link_again');
  if (accessMailMissedAt === null || before.length >= LINK_AGAIN.times) return [];
  const fromMs = Math.max(accessMailMissedAt.getTime(), ...before.map((ms) => ms + LINK_AGAIN.apartMs));
  return [{ kind: 'access_link_again', step: String(before.length + 1), fromMs, untilMs: fromMs + STALE_MS }];
}

function planUpgrade({ limitDays, paidShareUsed, timeZone, written }: ReminderFacts, now: Date): Candidate[] {
  const oldest = daysBefore(localDays(timeZone)(now), UPGRADE.ofDays - 1);
  const isOften = new Set(limitDays.filter((day) => day >= oldest)).size >= UPGRADE.limitDays;
  if (!isOften && (paidShareUsed ?? 0) < UPGRADE.share) return [];
  const before = timesOf(written, 'plan_upgrade');
  const fromMs = Math.max(-Infinity, ...before.map((ms) => ms + UPGRADE.apartMs));
  return [{ kind: 'plan_upgrade', step: String(before.length + 1), fromMs, untilMs: Infinity }];
}

const timesOf = (written: ReminderFacts['written'], kind: ReminderKind): number[] =>
  written.flatMap((each) => (each.kind === kind ? [each.at.getTime()] : []));

/** Calendar days have no hours, so that no clock change can lose one. */
const daysBefore = (day: LocalDay, days: number): LocalDay =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10);
