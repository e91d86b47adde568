/** A simulated learner: their habits, and the expected state of their account. */
import type { SignedInDevice } from '../../../sync-server/src/account/index.ts';
import type { Random } from './random.ts';
import { UsageOracle } from './oracle/usage-oracle.ts';
import type { ProviderState } from './oracle/expected-plan.ts';
import { FALLBACK_ZONE } from './fixture.ts';
import { ZONES } from './wall-clock.ts';

/** Days are counted from the previous step; null means never. */
interface Habits {
  joinsDay: number;
  joinsBy: 'device' | 'browser';
  accessAfterDays: number;
  signsInAfterDays: number | null;
  signsInBy: 'link' | 'code' | 'opening';
  practisesAfterDays: number | null;
  /** Some days, the learner practises until no time is left. */
  usesUpMinutes: boolean;
  travels: boolean;
  takesTrial: boolean;
  buysAfterDays: number | null;
  buys: { plan: 'PLUS' | 'PRO'; interval: 'month' | 'year' };
  /** What happens to mails in the first days after access: accepted, refused at once, or bounced an hour later. */
  mailbox: 'good' | 'refuses' | 'returns';
}

export interface SentReminder {
  kind: string;
  step: string;
  atMs: number;
}

export interface AccountScript {
  name: string;
  email: string;
  habits: Habits;
  chance: Random;
  /** The learner's actual time zone. */
  zone: string;
  /** The time zone that the server last learned. */
  knownZone: string;
  userId: string | null;
  device: (SignedInDevice & { token: string }) | null;
  joinedMs: number | null;
  hasAccess: boolean;
  accessMs: number | null;
  /** When the learner first showed any sign of activity after access was granted. */
  signedInMs: number | null;
  /** When the server noticed that. A learner who was signed in already counts from the grant. */
  signInSeenMs: number | null;
  practisedMs: number | null;
  wantsMail: boolean;
  /**
   * When something last happened that may hold back a mail for good: a changed setting, a deletion request or its
   * withdrawal, or lost access.
   */
  lastDisruptionMs: number;
  /** The newest contents of the learner's mailbox. */
  inbox: {
    code: string | null;
    link: string | null;
    accessLink: { link: string; atMs: number } | null;
    unsubscribeUrl: string | null;
  };
  /** The newest mail with an access link. */
  accessMail: { atMs: number; state: 'under way' | 'arrived' | 'missed' } | null;
  sentReminders: SentReminder[];
  /** All reminders, including those that were lost with a dead server. */
  attemptedReminders: SentReminder[];
  /** The kind and step of mails that an event requires, and since when. Reminders are not among them. */
  requiredMails: Map<string, number>;
  /** Since when the remaining minutes have been low, and on which plan. */
  shortSinceMs: number | null;
  shortOn: string;
  /** Kind and step of every mail that was sent. */
  sentMails: Set<string>;
  /** Mails that were lost with a dead server and must not be sent again. */
  lostMails: Set<string>;
  deletionRequestedMs: number | null;
  erasedMs: number | null;
  customer: string | null;
  cardFails: boolean;
  /** The states that the server may have while events are in flight; null otherwise. */
  possibleStates: (ProviderState | null)[] | null;
  /** When the server last learned of a late payment after an outage. */
  lateSeenMs: number;
  usage: UsageOracle;
  inSessionUntilMs: number;
  /** How often each action must appear in the audit log. */
  expectedAuditCounts: Map<string, number>;
}

export function createAccountScript(index: number, chance: Random, days: number): AccountScript {
  const zone = chance.pick(ZONES);
  const comesBy = chance.isWithinPercent(85) ? 'device' : 'browser';
  const soon = Math.max(3, Math.floor(days * 0.4));
  const temper: Habits = {
    joinsDay: chance.integer(0, Math.min(soon, 120)),
    joinsBy: comesBy,
    accessAfterDays: chance.integer(0, 4),
    signsInAfterDays: chance.isWithinPercent(70) ? chance.integer(0, chance.isWithinPercent(50) ? 2 : 16) : null,
    signsInBy: chance.pick(comesBy === 'device' ? ['link', 'link', 'code', 'opening'] : ['link', 'code']),
    practisesAfterDays: chance.isWithinPercent(75) ? chance.integer(0, chance.isWithinPercent(60) ? 2 : 12) : null,
    usesUpMinutes: chance.isWithinPercent(25),
    travels: chance.isWithinPercent(15),
    takesTrial: chance.isWithinPercent(40),
    buysAfterDays: chance.isWithinPercent(55) ? chance.integer(0, soon) : null,
    buys: {
      plan: chance.isWithinPercent(65) ? 'PLUS' : 'PRO',
      interval: chance.isWithinPercent(75) ? 'month' : 'year',
    },
    mailbox: chance.isWithinPercent(80) ? 'good' : chance.pick(['refuses', 'returns']),
  };
  return {
    name: `learner ${index}`,
    email: `learner-${index}@example.org`,
    habits: temper,
    chance,
    zone,
    knownZone: FALLBACK_ZONE,
    userId: null,
    device: null,
    joinedMs: null,
    hasAccess: false,
    accessMs: null,
    signedInMs: null,
    signInSeenMs: null,
    practisedMs: null,
    wantsMail: true,
    lastDisruptionMs: 0,
    inbox: { code: null, link: null, accessLink: null, unsubscribeUrl: null },
    accessMail: null,
    sentReminders: [],
    attemptedReminders: [],
    requiredMails: new Map(),
    shortSinceMs: null,
    shortOn: '',
    sentMails: new Set(),
    lostMails: new Set(),
    deletionRequestedMs: null,
    erasedMs: null,
    customer: null,
    cardFails: false,
    possibleStates: null,
    lateSeenMs: 0,
    usage: new UsageOracle(),
    inSessionUntilMs: 0,
    expectedAuditCounts: new Map(),
  };
}

export const expectAudit = ({ expectedAuditCounts }: AccountScript, act: string): void =>
  void expectedAuditCounts.set(act, (expectedAuditCounts.get(act) ?? 0) + 1);

/** If it is required again, the first time stays. */
export const requireMail = ({ requiredMails }: AccountScript, mail: string, atMs: number): void =>
  void requiredMails.set(mail, requiredMails.get(mail) ?? atMs);

export const recordReminder = ({ sentReminders }: AccountScript, reminder: SentReminder): void =>
  void sentReminders.push(reminder);
