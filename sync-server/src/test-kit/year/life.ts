/** A learner of the year: what they are like, and what an observer who forgets nothing has written down of them. */
import type { SignedInDevice } from '../../account/index.ts';
import type { Chance } from './chance.ts';
import { MinuteBook } from './minute-book.ts';
import type { Told } from './plan-table.ts';
import { FALLBACK_ZONE } from './stage.ts';
import { ZONES } from './wall-clock.ts';

/** Days are counted from the step before; null: never. */
interface Temper {
  joinsDay: number;
  comesBy: 'device' | 'browser';
  letInAfterDays: number;
  entersAfterDays: number | null;
  entersBy: 'link' | 'code' | 'opening';
  practisesAfterDays: number | null;
  /** Talks until nothing is left, some days. */
  isEager: boolean;
  travels: boolean;
  tries: boolean;
  paysAfterDays: number | null;
  pays: { plan: 'PLUS' | 'PRO'; interval: 'month' | 'year' };
  /** What becomes of mail to them in their first days: refused at the door, or sent back an hour later. */
  mailbox: 'good' | 'refuses' | 'returns';
}

export interface Reminded {
  kind: string;
  step: string;
  atMs: number;
}

export interface Life {
  name: string;
  email: string;
  temper: Temper;
  chance: Chance;
  /** Where the learner is. */
  zone: string;
  /** Where the server was last told that they are. */
  knownZone: string;
  userId: string | null;
  device: (SignedInDevice & { token: string }) | null;
  joinedMs: number | null;
  hasAccess: boolean;
  accessMs: number | null;
  /** First sign of them since they have access. */
  enteredMs: number | null;
  /** When that was seen: who was signed in already has entered before anybody knows. */
  enteringSeenMs: number | null;
  practisedMs: number | null;
  wantsMail: boolean;
  /** When last something happened that may have held back a mail for good: the switch, leaving and staying, access taken away. */
  unsettledMs: number;
  /** What the learner last found in their mailbox. */
  inbox: {
    code: string | null;
    link: string | null;
    accessLink: { link: string; atMs: number } | null;
    unsubscribeUrl: string | null;
  };
  /** The newest mail that lets them in. */
  accessMail: { atMs: number; state: 'under way' | 'arrived' | 'missed' } | null;
  reminded: Reminded[];
  /** The same, and those that went down with a server. */
  tried: Reminded[];
  /** Kind and step of what something that happened asks for, since when: no reminders. */
  owed: Map<string, number>;
  /** Since when minutes have been short, and on what plan. */
  shortSinceMs: number | null;
  shortOn: string;
  /** Kind and step of all that was ever handed over. */
  handed: Set<string>;
  /** What went down with a server that had taken it, and must not come any more. */
  lost: Set<string>;
  leavesAskedMs: number | null;
  erasedMs: number | null;
  customer: string | null;
  cardFails: boolean;
  /** While word from the provider may be under way: whatever the server may believe. */
  believed: (Told | null)[] | null;
  minutes: MinuteBook;
  talkingUntilMs: number;
  /** How often each act must stand in the log. */
  logged: Map<string, number>;
}

export function createLife(index: number, chance: Chance, days: number): Life {
  const zone = chance.pick(ZONES);
  const comesBy = chance.inPercent(85) ? 'device' : 'browser';
  const soon = Math.max(3, Math.floor(days * 0.4));
  const temper: Temper = {
    joinsDay: chance.whole(0, Math.min(soon, 120)),
    comesBy,
    letInAfterDays: chance.whole(0, 4),
    entersAfterDays: chance.inPercent(70) ? chance.whole(0, chance.inPercent(50) ? 2 : 16) : null,
    entersBy: chance.pick(comesBy === 'device' ? ['link', 'link', 'code', 'opening'] : ['link', 'code']),
    practisesAfterDays: chance.inPercent(75) ? chance.whole(0, chance.inPercent(60) ? 2 : 12) : null,
    isEager: chance.inPercent(25),
    travels: chance.inPercent(15),
    tries: chance.inPercent(40),
    paysAfterDays: chance.inPercent(55) ? chance.whole(0, soon) : null,
    pays: { plan: chance.inPercent(65) ? 'PLUS' : 'PRO', interval: chance.inPercent(75) ? 'month' : 'year' },
    mailbox: chance.inPercent(80) ? 'good' : chance.pick(['refuses', 'returns']),
  };
  return {
    name: `learner ${index}`,
    email: `learner-${index}@example.org`,
    temper,
    chance,
    zone,
    knownZone: FALLBACK_ZONE,
    userId: null,
    device: null,
    joinedMs: null,
    hasAccess: false,
    accessMs: null,
    enteredMs: null,
    enteringSeenMs: null,
    practisedMs: null,
    wantsMail: true,
    unsettledMs: 0,
    inbox: { code: null, link: null, accessLink: null, unsubscribeUrl: null },
    accessMail: null,
    reminded: [],
    tried: [],
    owed: new Map(),
    shortSinceMs: null,
    shortOn: '',
    handed: new Set(),
    lost: new Set(),
    leavesAskedMs: null,
    erasedMs: null,
    customer: null,
    cardFails: false,
    believed: null,
    minutes: new MinuteBook(),
    talkingUntilMs: 0,
    logged: new Map(),
  };
}

export const noteAct = ({ logged }: Life, act: string): void => void logged.set(act, (logged.get(act) ?? 0) + 1);

/** Told again, it is still asked for since the first time. */
export const noteOwed = ({ owed }: Life, mail: string, atMs: number): void =>
  void owed.set(mail, owed.get(mail) ?? atMs);

export const noteReminded = ({ reminded }: Life, reminder: Reminded): void => void reminded.push(reminder);
