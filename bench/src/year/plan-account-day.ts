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
  script: AccountScript,
  { day, dayMs }: { day: number; dayMs: number },
): void {
  if (script.erasedMs !== null) return;
  // Actions that were planned earlier in the day are skipped once the learner is erased.
  const unlessErased = (act: () => Promise<void>) => async (): Promise<void> =>
    script.erasedMs === null ? act() : undefined;
  const at = (act: () => Promise<void>): void =>
    year.schedule.add(dayMs + script.chance.integer(0, DAY_S - 1) * SECOND_MS, unlessErased(act));
  if (script.joinedMs === null) {
    if (day >= script.habits.joinsDay) at(() => signUp(year, script));
    return;
  }
  planAccount(year, script, { at, dayMs });
  if (script.hasAccess && script.signedInMs !== null) {
    planSessions(year, script, { at, dayMs });
    planPayments(year, script, { at, dayMs });
  }
}

interface Plan {
  at: (act: () => Promise<void>) => void;
  dayMs: number;
}

const isDue = (dayMs: number, sinceMs: number | null, days: number | null): boolean =>
  sinceMs !== null && days !== null && dayMs + DAY_MS > sinceMs + days * DAY_MS;

function planAccount(year: SimulatedYear, script: AccountScript, { at, dayMs }: Plan): void {
  const { habits, chance } = script;
  if (!script.hasAccess) {
    if (script.accessMs === null ? isDue(dayMs, script.joinedMs, habits.accessAfterDays) : chance.isWithinPercent(10))
      at(() => grantAccess(year, script));
  } else if (script.signedInMs === null) {
    if (isDue(dayMs, script.accessMs, habits.signsInAfterDays)) at(() => signInAfterAccess(year, script));
  } else {
    if (chance.isWithinPercent(10)) at(() => openApp(year, script));
    if (script.practisedMs === null && isDue(dayMs, script.signedInMs, habits.practisesAfterDays))
      at(() => practise(year, script));
    if (chance.isWithinPercent(0.05)) at(() => loseAccess(year, script));
    if (habits.travels && chance.isWithinPercent(3))
      at(async () => {
        changeTimeZone(script);
        await openApp(year, script);
      });
  }
  if (chance.isWithinPercent(script.wantsMail ? 0.4 : 4)) at(() => toggleReminders(year, script));
  if (script.deletionRequestedMs === null && chance.isWithinPercent(0.08)) at(() => requestDeletion(year, script));
  else if (script.deletionRequestedMs !== null && chance.isWithinPercent(2)) at(() => withdrawDeletion(year, script));
}

function planSessions(year: SimulatedYear, script: AccountScript, { at, dayMs }: Plan): void {
  const { chance, habits } = script;
  if (script.practisedMs === null || script.device === null) return;
  const addSessions = (count: number, minutes: number): void => {
    for (let index = 0; index < count; index += 1) at(() => startSession(year, script, createSession(script, minutes)));
  };
  if (habits.usesUpMinutes && chance.isWithinPercent(6)) addSessions(chance.integer(2, 4), 12);
  else if (chance.isWithinPercent(10)) addSessions(chance.isWithinPercent(70) ? 1 : chance.integer(2, 3), 6);
  // A session across the learner's own midnight, or close to it.
  else if (chance.isWithinPercent(1)) {
    const session: PracticeSession = {
      style: 'turn_based',
      durationMs: chance.integer(10, 30) * MINUTE_MS,
      ends: 'well',
    };
    for (let quarter = 0; quarter < 96; quarter += 1) {
      const startMs = dayMs + quarter * 15 * MINUTE_MS;
      const fromMs = Math.max(dayMs, startMs - chance.integer(1, 500) * SECOND_MS);
      if (minutesAt(script, startMs) === 0) year.schedule.add(fromMs, () => startSession(year, script, session));
    }
  }
  const told = providerStateOf(year, script);
  const isPaid = told?.status === 'active' || told?.status === 'trialing';
  // Some learners use up the whole allowance of a paid plan.
  if (isPaid && habits.usesUpMinutes && chance.isWithinPercent(0.8))
    at(() =>
      startSession(year, script, {
        ...createSession(script, 1),
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

function planPayments(year: SimulatedYear, script: AccountScript, { at, dayMs }: Plan): void {
  const { habits, chance } = script;
  const told = providerStateOf(year, script);
  if (told === null || told.endedAtMs !== null || told.status === 'trialing') {
    const wants = isDue(dayMs, script.signedInMs, habits.buysAfterDays);
    if (told === null && habits.takesTrial && chance.isWithinPercent(8)) at(() => startTrial(year, script));
    else if (wants && chance.isWithinPercent(told === null ? 30 : 6)) at(() => buyPlan(year, script, habits.buys));
    return;
  }
  const other = (): typeof habits.buys => ({
    plan: chance.pick(['PLUS', 'PRO']),
    interval: chance.isWithinPercent(80) ? 'month' : 'year',
  });
  const isLeaving = told.cancelAtMs !== null;
  if (chance.isWithinPercent(isLeaving ? 4 : 0.7)) at(() => actInPortal(year, script, isLeaving ? 'keep' : 'cancel'));
  else if (!isLeaving && chance.isWithinPercent(0.8)) at(() => actInPortal(year, script, 'switch', other()));
  if (!script.cardFails && chance.isWithinPercent(0.5)) at(async () => blockCard(year, script));
  else if (script.cardFails && chance.isWithinPercent(7)) at(() => actInPortal(year, script, 'add_card'));
  if (chance.isWithinPercent(0.2)) at(() => refundPayment(year, script));
  if (told.status === 'paused' ? chance.isWithinPercent(15) : chance.isWithinPercent(0.15))
    at(() => setCollectionPaused(year, script, told.status !== 'paused'));
}

const minutesAt = ({ zone }: AccountScript, ms: number): number => wallClock(zone).minutesOf(ms);
