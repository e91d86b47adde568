/** What a learner does on one day, by their temper, by where they are in their life, and by chance. */
import { enter, join, letIn, open, practise, switchMail, travel } from './account-acts.ts';
import { askToLeave, loseAccess, stay } from './leaving-acts.ts';
import type { Life } from './life.ts';
import { actInPortal, buy, loseCard, payBack, rest, tryForAWeek } from './money-acts.ts';
import { beginTalk, type Talk } from './talk-acts.ts';
import { truthOf, type Year } from './year.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS, wallClock } from './wall-clock.ts';

/** Seconds of a day into which whatever happens in it may fall. */
const DAY_S = DAY_MS / SECOND_MS;

export function planDay(year: Year, life: Life, { day, dayMs }: { day: number; dayMs: number }): void {
  if (life.erasedMs !== null) return;
  // What was planned in the morning comes to nothing for who is erased at noon.
  const unlessGone = (act: () => Promise<void>) => async (): Promise<void> =>
    life.erasedMs === null ? act() : undefined;
  const at = (act: () => Promise<void>): void =>
    year.agenda.add(dayMs + life.chance.whole(0, DAY_S - 1) * SECOND_MS, unlessGone(act));
  if (life.joinedMs === null) {
    if (day >= life.temper.joinsDay) at(() => join(year, life));
    return;
  }
  planAccount(year, life, { at, dayMs });
  if (life.hasAccess && life.enteredMs !== null) {
    planTalks(year, life, { at, dayMs });
    planMoney(year, life, { at, dayMs });
  }
}

interface Plan {
  at: (act: () => Promise<void>) => void;
  dayMs: number;
}

const isPast = (dayMs: number, sinceMs: number | null, days: number | null): boolean =>
  sinceMs !== null && days !== null && dayMs + DAY_MS > sinceMs + days * DAY_MS;

function planAccount(year: Year, life: Life, { at, dayMs }: Plan): void {
  const { temper, chance } = life;
  if (!life.hasAccess) {
    if (life.accessMs === null ? isPast(dayMs, life.joinedMs, temper.letInAfterDays) : chance.inPercent(10))
      at(() => letIn(year, life));
  } else if (life.enteredMs === null) {
    if (isPast(dayMs, life.accessMs, temper.entersAfterDays)) at(() => enter(year, life));
  } else {
    if (chance.inPercent(10)) at(() => open(year, life));
    if (life.practisedMs === null && isPast(dayMs, life.enteredMs, temper.practisesAfterDays))
      at(() => practise(year, life));
    if (chance.inPercent(0.05)) at(() => loseAccess(year, life));
    if (temper.travels && chance.inPercent(3))
      at(async () => {
        travel(life);
        await open(year, life);
      });
  }
  if (chance.inPercent(life.wantsMail ? 0.4 : 4)) at(() => switchMail(year, life));
  if (life.leavesAskedMs === null && chance.inPercent(0.08)) at(() => askToLeave(year, life));
  else if (life.leavesAskedMs !== null && chance.inPercent(2)) at(() => stay(year, life));
}

function planTalks(year: Year, life: Life, { at, dayMs }: Plan): void {
  const { chance, temper } = life;
  if (life.practisedMs === null || life.device === null) return;
  const talks = (count: number, minutes: number): void => {
    for (let talk = 0; talk < count; talk += 1) at(() => beginTalk(year, life, aTalk(life, minutes)));
  };
  if (temper.isEager && chance.inPercent(6)) talks(chance.whole(2, 4), 12);
  else if (chance.inPercent(10)) talks(chance.inPercent(70) ? 1 : chance.whole(2, 3), 6);
  // Over the learner's own midnight, or as near as makes no difference.
  else if (chance.inPercent(1)) {
    const talk: Talk = { style: 'turn_based', forMs: chance.whole(10, 30) * MINUTE_MS, ends: 'well' };
    for (let quarter = 0; quarter < 96; quarter += 1) {
      const startMs = dayMs + quarter * 15 * MINUTE_MS;
      const fromMs = Math.max(dayMs, startMs - chance.whole(1, 500) * SECOND_MS);
      if (minutesAt(life, startMs) === 0) year.agenda.add(fromMs, () => beginTalk(year, life, talk));
    }
  }
  const told = truthOf(year, life);
  const isPaid = told?.status === 'active' || told?.status === 'trialing';
  // Some use up all that they have paid for.
  if (isPaid && temper.isEager && chance.inPercent(0.8))
    at(() => beginTalk(year, life, { ...aTalk(life, 1), forMs: chance.whole(60, 640) * MINUTE_MS, ends: 'well' }));
}

function aTalk({ chance }: Life, minutes: number): Talk {
  return {
    style: chance.inPercent(25) ? 'ultra_realistic' : 'turn_based',
    forMs: chance.whole(10, minutes * 60) * SECOND_MS,
    ends: chance.inPercent(85) ? 'well' : chance.pick(['unheard', 'vanishes']),
  };
}

function planMoney(year: Year, life: Life, { at, dayMs }: Plan): void {
  const { temper, chance } = life;
  const told = truthOf(year, life);
  if (told === null || told.endedAtMs !== null || told.status === 'trialing') {
    const wants = isPast(dayMs, life.enteredMs, temper.paysAfterDays);
    if (told === null && temper.tries && chance.inPercent(8)) at(() => tryForAWeek(year, life));
    else if (wants && chance.inPercent(told === null ? 30 : 6)) at(() => buy(year, life, temper.pays));
    return;
  }
  const other = (): typeof temper.pays => ({
    plan: chance.pick(['PLUS', 'PRO']),
    interval: chance.inPercent(80) ? 'month' : 'year',
  });
  const isLeaving = told.cancelAtMs !== null;
  if (chance.inPercent(isLeaving ? 4 : 0.7)) at(() => actInPortal(year, life, isLeaving ? 'keep' : 'cancel'));
  else if (!isLeaving && chance.inPercent(0.8)) at(() => actInPortal(year, life, 'switch', other()));
  if (!life.cardFails && chance.inPercent(0.5)) at(async () => loseCard(year, life));
  else if (life.cardFails && chance.inPercent(7)) at(() => actInPortal(year, life, 'add_card'));
  if (chance.inPercent(0.2)) at(() => payBack(year, life));
  if (told.status === 'paused' ? chance.inPercent(15) : chance.inPercent(0.15))
    at(() => rest(year, life, told.status !== 'paused'));
}

const minutesAt = ({ zone }: Life, ms: number): number => wallClock(zone).minutesOf(ms);
