import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDaytime, nextDaytime } from '../time/daytime.ts';
import { localDayFormatter } from '../time/local-day.ts';
import { nextReminder, type Reminder, type ReminderFacts, whenToSend, type PastReminder } from './reminders.ts';

const SEED = Number(process.env['FAST_CHECK_SEED'] ?? 20_261_121);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Africa/Casablanca',
];

const at = (iso: string): Date => new Date(iso);
const NOON = at('2026-11-18T12:00:00Z');
const daysAgo = (days: number): Date => new Date(NOON.getTime() - days * DAY_MS);

const reminderFacts = (given: Partial<ReminderFacts> = {}): ReminderFacts => ({
  accessGrantedAt: null,
  accessMailMissedAt: null,
  signedInAt: null,
  hasPractised: false,
  limitDays: [],
  paidShareUsed: null,
  isUpgradeDismissed: false,
  emailNotifications: true,
  timeZone: 'UTC',
  pastReminders: [],
  ...given,
});

const dueFor = (given: Partial<ReminderFacts>, now = NOON): string | null => {
  const { due } = nextReminder(reminderFacts(given), now);
  return due === null ? null : `${due.kind} ${due.step}`;
};

it('sends no reminder about plans after one was dismissed', () => {
  const often = { accessGrantedAt: daysAgo(60), signedInAt: daysAgo(59), hasPractised: true, paidShareUsed: 0.9 };
  expect(dueFor(often)).toBe('plan_upgrade 1');
  expect(dueFor({ ...often, isUpgradeDismissed: true })).toBeNull();
});

describe('a learner with access who never signed in', () => {
  it.each([
    [1.9, null],
    [2, 'not_logged_in 1'],
    [4.9, 'not_logged_in 1'],
    [5, 'not_logged_in 2'],
    [12, 'not_logged_in 3'],
    [27, null],
  ])('after %d days is due %s', (days, due) => {
    expect(dueFor({ accessGrantedAt: daysAgo(days) })).toBe(due);
  });

  it('never receives the same step or an earlier one again', () => {
    const written = [{ kind: 'not_logged_in' as const, step: '2', at: daysAgo(3), wasDropped: false }];
    expect(dueFor({ accessGrantedAt: daysAgo(6), pastReminders: written })).toBeNull();
    expect(
      nextReminder(reminderFacts({ accessGrantedAt: daysAgo(6), pastReminders: written }), NOON).checkAgainAt,
    ).toEqual(daysAgo(-6));
  });

  it('receives an undelivered link again at once, and once more a day later', () => {
    const undelivered = { accessGrantedAt: daysAgo(1), accessMailMissedAt: daysAgo(0.5) };
    const again = (step: string, days: number) => ({
      kind: 'access_link_again' as const,
      step,
      at: daysAgo(days),
      wasDropped: false,
    });
    expect(dueFor(undelivered)).toBe('access_link_again 1');
    expect(dueFor({ ...undelivered, pastReminders: [again('1', 1)] })).toBeNull();
    expect(dueFor({ ...undelivered, pastReminders: [again('1', 2)] })).toBe('access_link_again 2');
    expect(dueFor({ ...undelivered, pastReminders: [again('1', 5), again('2', 3)] })).toBeNull();
  });
});

describe('a learner who signed in and never practised', () => {
  it.each([
    [0.9, null],
    [1, 'not_yet_practised 1'],
    [3, 'not_yet_practised 2'],
    [7, 'not_yet_practised 3'],
    [21, null],
  ])('after %d days is due %s', (days, due) => {
    expect(dueFor({ accessGrantedAt: daysAgo(60), signedInAt: daysAgo(days) })).toBe(due);
  });
});

describe('a learner near the limits of their plan', () => {
  const learner = { accessGrantedAt: daysAgo(60), signedInAt: daysAgo(60), hasPractised: true };

  it('is reminded after reaching the FREE limit on three of seven days', () => {
    expect(dueFor({ ...learner, limitDays: ['2026-11-12', '2026-11-15', '2026-11-18'] })).toBe('plan_upgrade 1');
    expect(dueFor({ ...learner, limitDays: ['2026-11-11', '2026-11-15', '2026-11-18'] })).toBeNull();
    expect(dueFor({ ...learner, limitDays: ['2026-11-18', '2026-11-18', '2026-11-18'] })).toBeNull();
  });

  it('is reminded at 80 % of a paid plan', () => {
    expect(dueFor({ ...learner, paidShareUsed: 0.8 })).toBe('plan_upgrade 1');
    expect(dueFor({ ...learner, paidShareUsed: 0.79 })).toBeNull();
  });

  it('is reminded once in thirty days', () => {
    const remindedOnce = (days: number) => [
      { kind: 'plan_upgrade' as const, step: '1', at: daysAgo(days), wasDropped: false },
    ];
    expect(dueFor({ ...learner, paidShareUsed: 1, pastReminders: remindedOnce(29.9) })).toBeNull();
    expect(dueFor({ ...learner, paidShareUsed: 1, pastReminders: remindedOnce(30) })).toBe('plan_upgrade 2');
  });
});

describe('reminders', () => {
  it.each(['access', 'consent to e-mails'])('are not sent without %s', (missing) => {
    const learner = { accessGrantedAt: daysAgo(3), accessMailMissedAt: daysAgo(3), limitDays: [], paidShareUsed: 1 };
    expect(dueFor(learner)).not.toBeNull();
    expect(
      dueFor(missing === 'access' ? { ...learner, accessGrantedAt: null } : { ...learner, emailNotifications: false }),
    ).toBeNull();
  });

  it('wait for the morning, also across a clock change', () => {
    const granted = { accessGrantedAt: at('2026-03-20T12:00:00Z'), timeZone: 'Europe/Berlin' };
    const { due, checkAgainAt } = nextReminder(reminderFacts(granted), at('2026-03-28T21:00:00Z'));
    // Summer time began at 01:00 UTC, so nine o'clock is seven in UTC instead of eight.
    expect({ due, lookAgainAt: checkAgainAt }).toEqual({ due: null, lookAgainAt: at('2026-03-29T07:00:00Z') });
  });
});

describe('a dropped reminder', () => {
  it('uses up its step but does not count towards the limits', () => {
    const dropped = (kind: Reminder['kind']) => [{ kind, step: '1', at: daysAgo(1), wasDropped: true }];
    expect(dueFor({ accessGrantedAt: daysAgo(3), pastReminders: dropped('not_logged_in') })).toBeNull();
    expect(dueFor({ accessGrantedAt: daysAgo(5), pastReminders: dropped('not_logged_in') })).toBe('not_logged_in 2');
    const short = { accessGrantedAt: daysAgo(60), signedInAt: daysAgo(60), hasPractised: true, paidShareUsed: 1 };
    expect(dueFor({ ...short, pastReminders: dropped('plan_upgrade') })).toBeNull();
    expect(dueFor({ ...short, pastReminders: dropped('plan_upgrade') }, daysAgo(-29))).toBe('plan_upgrade 2');
  });
});

describe('whenToSend', () => {
  const granted = { accessGrantedAt: daysAgo(2) };
  const first: Reminder = { kind: 'not_logged_in', step: '1' };

  it('sends now, waits for the morning, or drops the reminder', () => {
    expect(whenToSend(first, reminderFacts(granted), NOON)).toEqual(NOON);
    expect(whenToSend(first, reminderFacts(granted), at('2026-11-18T20:00:00Z'))).toEqual(at('2026-11-19T09:00:00Z'));
    expect(whenToSend(first, reminderFacts({ ...granted, signedInAt: NOON }), NOON)).toBeNull();
    expect(whenToSend(first, reminderFacts({ ...granted, emailNotifications: false }), NOON)).toBeNull();
  });
});

describe('nextDaytime', () => {
  it('finds daytime in every zone on every day of the year', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES, 'Pacific/Kiritimati', 'Pacific/Marquesas', 'Antarctica/Troll'),
        fc.date({ min: at('2026-01-01T00:00:00Z'), max: at('2028-01-01T00:00:00Z'), noInvalidDate: true }),
        (zone, from) => {
          const next = nextDaytime(from, zone);
          expect(isDaytime(next, zone)).toBe(true);
          expect(next.getTime() - from.getTime()).toBeLessThanOrEqual(15 * HOUR_MS);
        },
      ),
      { seed: SEED, numRuns: 300 },
    );
  });
});

/**
 * Whole minutes, because random doubles cluster near zero. One learner's months: when each event happens, in days from the start; an e-mail
 * leaves minutes or hours after it was found due.
 */
const days = (max: number) => fc.integer({ min: 0, max: max * 24 * 60 }).map((minutes) => minutes / 1_440);
const learnerHistory = fc.record({
  zone: fc.constantFrom(...ZONES),
  grantedDay: days(5),
  missed: fc.boolean(),
  signedInAfterDays: fc.option(days(20), { freq: 2 }),
  practisedAfterDays: fc.option(days(20), { freq: 2 }),
  switchedOffDay: fc.option(days(60)),
  limitDays: fc.array(fc.integer({ min: 0, max: 75 }), { maxLength: 40 }),
  startMs: fc.integer({ min: at('2026-01-01T00:00:00Z').getTime(), max: at('2026-12-31T00:00:00Z').getTime() }),
  stepsMs: fc.array(fc.integer({ min: 60_000, max: 9 * HOUR_MS }), { minLength: 200, maxLength: 400 }),
});

describe('over months of any learner', () => {
  it('reminders respect night, spacing, frequency, steps and stop conditions', () => {
    let sentInAll = 0;
    fc.assert(
      fc.property(learnerHistory, (one) => {
        const timeOf = (day: number | null): number => (day === null ? Infinity : one.startMs + day * DAY_MS);
        const granted = timeOf(one.grantedDay);
        const signedIn = granted + (one.signedInAfterDays ?? Infinity) * DAY_MS;
        const practised = signedIn + (one.practisedAfterDays ?? Infinity) * DAY_MS;
        const off = timeOf(one.switchedOffDay);
        const toDay = localDayFormatter(one.zone);
        const limitDays = one.limitDays.map((day) => toDay(new Date(timeOf(day))));
        const sent: PastReminder[] = [];
        const stopOf = {
          access_link_again: signedIn,
          not_logged_in: signedIn,
          not_yet_practised: practised,
          plan_upgrade: Infinity,
        };
        const reached = (ms: number, nowMs: number): Date | null => (ms <= nowMs ? new Date(ms) : null);
        let nowMs = one.startMs;
        for (const stepMs of one.stepsMs) {
          nowMs += stepMs;
          const now = new Date(nowMs);
          const facts: ReminderFacts = {
            accessGrantedAt: reached(granted, nowMs),
            accessMailMissedAt: one.missed ? reached(granted + HOUR_MS, nowMs) : null,
            signedInAt: reached(signedIn, nowMs),
            hasPractised: practised <= nowMs,
            isUpgradeDismissed: false,
            limitDays: limitDays.filter((day) => day <= toDay(now)),
            paidShareUsed: null,
            emailNotifications: nowMs < off,
            timeZone: one.zone,
            pastReminders: sent,
          };
          const { due, checkAgainAt } = nextReminder(facts, now);
          if (checkAgainAt !== null) expect(checkAgainAt.getTime()).toBeGreaterThan(nowMs);
          if (due === null) continue;
          expect(whenToSend(due, facts, now)).toEqual(now);
          expect(isDaytime(now, one.zone)).toBe(true);
          expect(nowMs).toBeLessThan(Math.min(off, stopOf[due.kind]));
          expect(sent.some(({ kind, step }) => kind === due.kind && step === due.step)).toBe(false);
          expect(sent.filter((before) => nowMs - before.at.getTime() < 2 * DAY_MS)).toEqual([]);
          expect(sent.filter((before) => nowMs - before.at.getTime() < 14 * DAY_MS).length).toBeLessThan(3);
          sent.push({ ...due, at: now, wasDropped: false });
        }
        sentInAll += sent.length;
      }),
      { seed: SEED, numRuns: 300 },
    );
    // Without this, the property would also hold if no reminder were ever sent.
    expect(sentInAll).toBeGreaterThan(500);
  });

  it('a reminder is not due before the time of the next check', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.integer({ min: 0, max: 20 * 24 }),
        fc.array(fc.integer({ min: 0, max: 20 * 24 }), { maxLength: 3 }),
        (timeZone, hours, sentHours) => {
          const written = sentHours.map((back) => ({
            kind: 'not_yet_practised' as const,
            step: '1',
            at: new Date(NOON.getTime() - back * HOUR_MS),
            wasDropped: false,
          }));
          const facts = reminderFacts({
            accessGrantedAt: new Date(NOON.getTime() - hours * HOUR_MS),
            timeZone,
            pastReminders: written,
          });
          const { due, checkAgainAt } = nextReminder(facts, NOON);
          if (due !== null || checkAgainAt === null) return;
          expect(nextReminder(facts, checkAgainAt).due).not.toBeNull();
          for (let ms = NOON.getTime(); ms < checkAgainAt.getTime(); ms += HOUR_MS)
            expect(nextReminder(facts, new Date(ms)).due).toBeNull();
        },
      ),
      { seed: SEED, numRuns: 200 },
    );
  });
});
