/** Plans a learner's actions of one day from their habits, their state and chance. */
import {
  signInAfterAccess,
  signUp,
  grantAccess,
  openApp,
  practise,
  toggleReminders,
  changeTimeZone,
} from './actions/account-actions.ts';
import { requestDeletion, loseAccess, withdrawDeletion } from './actions/deletion-actions.ts';
import type { AccountScript } from './account-script.ts';
import {
  actInPortal,
  buyPlan,
  blockCard,
  refundPayment,
  setCollectionPaused,
  startTrial,
} from './actions/payment-actions.ts';
import { startSession, type PracticeSession } from './actions/session-actions.ts';
import { providerStateOf, type SimulatedYear } from './simulated-year.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS, wallClock } from './wall-clock.ts';

/** The seconds of a day over which actions are spread. */
const DAY_S = DAY_MS / SECOND_MS;

export function planAccountDay(
  year: SimulatedYear,
  life: AccountScript,
  { day, dayMs }: { day: number; dayMs: number },
): void {
  if (life.erasedMs !== null) return;
  // Actions that were planned earlier in the day are skipped once the learner is erased.
  const unlessErased = (act: () => Promise<void>) => async (): Promise<void> =>
    life.erasedMs === null ? act() : undefined;
  const at = (act: () => Promise<void>): void =>
    year.schedule.add(dayMs + life.chance.integer(0, DAY_S - 1) * SECOND_MS, unlessErased(act));
  if (life.joinedMs === null) {
    if (day >= life.habits.joinsDay) at(() => signUp(year, life));
    return;
  }
  planAccount(year, life, { at, dayMs });
  if (life.hasAccess && life.signedInMs !== null) {
    planSessions(year, life, { at, dayMs });
    planPayments(year, life, { at, dayMs });
  }
}

interface Plan {
  at: (act: () => Promise<void>) => void;
  dayMs: number;
}

const isDue = (dayMs: number, sinceMs: number | null, days: number | null): boolean =>
  sinceMs !== null && days !== null && dayMs + DAY_MS > sinceMs + days * DAY_MS;

function planAccount(year: SimulatedYear, life: AccountScript, { at, dayMs }: Plan): void {
  const { habits, chance } = life;
  if (!life.hasAccess) {
    if (life.accessMs === null ? isDue(dayMs, life.joinedMs, habits.accessAfterDays) : chance.isWithinPercent(10))
      at(() => grantAccess(year, life));
  } else if (life.signedInMs === null) {
    if (isDue(dayMs, life.accessMs, habits.signsInAfterDays)) at(() => signInAfterAccess(year, life));
  } else {
    if (chance.isWithinPercent(10)) at(() => openApp(year, life));
    if (life.practisedMs === null && isDue(dayMs, life.signedInMs, habits.practisesAfterDays))
      at(() => practise(year, life));
    if (chance.isWithinPercent(0.05)) at(() => loseAccess(year, life));
    if (habits.travels && chance.isWithinPercent(3))
      at(async () => {
        changeTimeZone(life);
        await openApp(year, life);
      });
  }
  if (chance.isWithinPercent(life.wantsMail ? 0.4 : 4)) at(() => toggleReminders(year, life));
  if (life.deletionRequestedMs === null && chance.isWithinPercent(0.08)) at(() => requestDeletion(year, life));
  else if (life.deletionRequestedMs !== null && chance.isWithinPercent(2)) at(() => withdrawDeletion(year, life));
}

function planSessions(year: SimulatedYear, life: AccountScript, { at, dayMs }: Plan): void {
  const { chance, habits } = life;
  if (life.practisedMs === null || life.device === null) return;
  const talks = (count: number, minutes: number): void => {
    for (let talk = 0; talk < count; talk += 1) at(() => startSession(year, life, createSession(life, minutes)));
  };
  if (habits.usesUpMinutes && chance.isWithinPercent(6)) talks(chance.integer(2, 4), 12);
  else if (chance.isWithinPercent(10)) talks(chance.isWithinPercent(70) ? 1 : chance.integer(2, 3), 6);
  // A session across the learner's own midnight, or close to it.
  else if (chance.isWithinPercent(1)) {
    const talk: PracticeSession = { style: 'turn_based', durationMs: chance.integer(10, 30) * MINUTE_MS, ends: 'well' };
    for (let quarter = 0; quarter < 96; quarter += 1) {
      const startMs = dayMs + quarter * 15 * MINUTE_MS;
      const fromMs = Math.max(dayMs, startMs - chance.integer(1, 500) * SECOND_MS);
      if (minutesAt(life, startMs) === 0) year.schedule.add(fromMs, () => startSession(year, life, talk));
    }
  }
  const told = providerStateOf(year, life);
  const isPaid = told?.status === 'active' || told?.status === 'trialing';
  // Some learners use up the whole allowance of a paid plan.
  if (isPaid && habits.usesUpMinutes && chance.isWithinPercent(0.8))
    at(() =>
      startSession(year, life, {
        ...createSession(life, 1),
        durationMs: chance.integer(60, 640) * MINUTE_MS,
        ends: 'well',
      }),
    );
}

function createSession({ chance }: AccountScript, minutes: number): PracticeSession {
  return {
    style: chance.isWithinPercent(25) ? 'ultra_realistic' : 'turn_based',
    durationMs: chance.integer(10, minutes * 60) * SECOND_MS,
    ends: chance.isWithinPercent(85) ? 'well' : chance.pick(['unheard', 'vanishes']),
  };
}

function planPayments(year: SimulatedYear, life: AccountScript, { at, dayMs }: Plan): void {
  const { habits, chance } = life;
  const told = providerStateOf(year, life);
  if (told === null || told.endedAtMs !== null || told.status === 'trialing') {
    const wants = isDue(dayMs, life.signedInMs, habits.buysAfterDays);
    if (told === null && habits.takesTrial && chance.isWithinPercent(8)) at(() => startTrial(year, life));
    else if (wants && chance.isWithinPercent(told === null ? 30 : 6)) at(() => buyPlan(year, life, habits.buys));
    return;
  }
  const other = (): typeof habits.buys => ({
    plan: chance.pick(['PLUS', 'PRO']),
    interval: chance.isWithinPercent(80) ? 'month' : 'year',
  });
  const isLeaving = told.cancelAtMs !== null;
  if (chance.isWithinPercent(isLeaving ? 4 : 0.7)) at(() => actInPortal(year, life, isLeaving ? 'keep' : 'cancel'));
  else if (!isLeaving && chance.isWithinPercent(0.8)) at(() => actInPortal(year, life, 'switch', other()));
  if (!life.cardFails && chance.isWithinPercent(0.5)) at(async () => blockCard(year, life));
  else if (life.cardFails && chance.isWithinPercent(7)) at(() => actInPortal(year, life, 'add_card'));
  if (chance.isWithinPercent(0.2)) at(() => refundPayment(year, life));
  if (told.status === 'paused' ? chance.isWithinPercent(15) : chance.isWithinPercent(0.15))
    at(() => setCollectionPaused(year, life, told.status !== 'paused'));
}

const minutesAt = ({ zone }: AccountScript, ms: number): number => wallClock(zone).minutesOf(ms);
