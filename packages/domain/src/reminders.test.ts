import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDaytime, nextDaytime } from './daytime.ts';
import { localDays } from './local-day.ts';
import { nextReminder, type Reminder, type ReminderFacts, whenToSend, type WrittenReminder } from './reminders.ts';

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
const ago = (days: number): Date => new Date(NOON.getTime() - days * DAY_MS);

const someone = (given: Partial<ReminderFacts> = {}): ReminderFacts => ({
  accessGrantedAt: null,
  accessMailMissedAt: null,
  signedInAt: null,
  hasPractised: false,
  limitDays: [],
  paidShareUsed: null,
  emailNotifications: true,
  timeZone: 'UTC',
  written: [],
  ...given,
});

const dueFor = (given: Partial<ReminderFacts>, now = NOON): string | null => {
  const { due } = nextReminder(someone(given), now);
  return due === null ? null : `${due.kind} ${due.step}`;
};

describe('who has access and never signed in', () => {
  it.each([
    [1.9, null],
    [2, 'not_logged_in 1'],
    [4.9, 'not_logged_in 1'],
    [5, 'not_logged_in 2'],
    [12, 'not_logged_in 3'],
    [27, null],
  ])('is after %d days due %s', (days, due) => {
    expect(dueFor({ accessGrantedAt: ago(days) })).toBe(due);
  });

  it('is not sent the same step again, nor an earlier one', () => {
    const written = [{ kind: 'not_logged_in' as const, step: '2', at: ago(3), wasDropped: false }];
    expect(dueFor({ accessGrantedAt: ago(6), written })).toBeNull();
    expect(nextReminder(someone({ accessGrantedAt: ago(6), written }), NOON).lookAgainAt).toEqual(ago(-6));
  });

  it('is sent the link again at once when it did not arrive, once more a day later at the earliest, and no more', () => {
    const missed = { accessGrantedAt: ago(1), accessMailMissedAt: ago(0.5) };
    const again = (step: string, days: number) => ({
      kind: 'access_link_again' as const,
      step,
      at: ago(days),
      wasDropped: false,
    });
    expect(dueFor(missed)).toBe('access_link_again 1');
    expect(dueFor({ ...missed, written: [again('1', 1)] })).toBeNull();
    expect(dueFor({ ...missed, written: [again('1', 2)] })).toBe('access_link_again 2');
    expect(dueFor({ ...missed, written: [again('1', 5), again('2', 3)] })).toBeNull();
  });
});

describe('who signed in and never practised', () => {
  it.each([
    [0.9, null],
    [1, 'not_yet_practised 1'],
    [3, 'not_yet_practised 2'],
    [7, 'not_yet_practised 3'],
    [21, null],
  ])('is after %d days due %s', (days, due) => {
    expect(dueFor({ accessGrantedAt: ago(60), signedInAt: ago(days) })).toBe(due);
  });
});

describe('who comes to the end of a plan', () => {
  const learner = { accessGrantedAt: ago(60), signedInAt: ago(60), hasPractised: true };

  it('is told after three days of seven on which FREE was used up, the eighth day back not among them', () => {
    expect(dueFor({ ...learner, limitDays: ['2026-11-12', '2026-11-15', '2026-11-18'] })).toBe('plan_upgrade 1');
    expect(dueFor({ ...learner, limitDays: ['2026-11-11', '2026-11-15', '2026-11-18'] })).toBeNull();
    expect(dueFor({ ...learner, limitDays: ['2026-11-18', '2026-11-18', '2026-11-18'] })).toBeNull();
  });

  it('is told at four fifths of what was paid for', () => {
    expect(dueFor({ ...learner, paidShareUsed: 0.8 })).toBe('plan_upgrade 1');
    expect(dueFor({ ...learner, paidShareUsed: 0.79 })).toBeNull();
  });

  it('is told once in thirty days', () => {
    const told = (days: number) => [{ kind: 'plan_upgrade' as const, step: '1', at: ago(days), wasDropped: false }];
    expect(dueFor({ ...learner, paidShareUsed: 1, written: told(29.9) })).toBeNull();
    expect(dueFor({ ...learner, paidShareUsed: 1, written: told(30) })).toBe('plan_upgrade 2');
  });
});

describe('nobody', () => {
  it.each(['access', 'a wish for e-mails'])('without %s is reminded', (missing) => {
    const learner = { accessGrantedAt: ago(3), accessMailMissedAt: ago(3), limitDays: [], paidShareUsed: 1 };
    expect(dueFor(learner)).not.toBeNull();
    expect(
      dueFor(missing === 'access' ? { ...learner, accessGrantedAt: null } : { ...learner, emailNotifications: false }),
    ).toBeNull();
  });

  it('is reminded at night, but in the morning, also when clocks are changed in between', () => {
    const granted = { accessGrantedAt: at('2026-03-20T12:00:00Z'), timeZone: 'Europe/Berlin' };
    const { due, lookAgainAt } = nextReminder(someone(granted), at('2026-03-28T21:00:00Z'));
    // Summer time began at 01:00 UTC: nine o'clock is seven in UTC, no longer eight.
    expect({ due, lookAgainAt }).toEqual({ due: null, lookAgainAt: at('2026-03-29T07:00:00Z') });
  });
});

describe('what was dropped', () => {
  it('uses up its step, and leaves the room that it would have taken', () => {
    const dropped = (kind: Reminder['kind']) => [{ kind, step: '1', at: ago(1), wasDropped: true }];
    expect(dueFor({ accessGrantedAt: ago(3), written: dropped('not_logged_in') })).toBeNull();
    expect(dueFor({ accessGrantedAt: ago(5), written: dropped('not_logged_in') })).toBe('not_logged_in 2');
    const short = { accessGrantedAt: ago(60), signedInAt: ago(60), hasPractised: true, paidShareUsed: 1 };
    expect(dueFor({ ...short, written: dropped('plan_upgrade') })).toBeNull();
    expect(dueFor({ ...short, written: dropped('plan_upgrade') }, ago(-29))).toBe('plan_upgrade 2');
  });
});

describe('what was found due', () => {
  const granted = { accessGrantedAt: ago(2) };
  const first: Reminder = { kind: 'not_logged_in', step: '1' };

  it('may go now, waits for the morning, or has lost its reason', () => {
    expect(whenToSend(first, someone(granted), NOON)).toEqual(NOON);
    expect(whenToSend(first, someone(granted), at('2026-11-18T20:00:00Z'))).toEqual(at('2026-11-19T09:00:00Z'));
    expect(whenToSend(first, someone({ ...granted, signedInAt: NOON }), NOON)).toBeNull();
    expect(whenToSend(first, someone({ ...granted, emailNotifications: false }), NOON)).toBeNull();
  });
});

describe('a day', () => {
  it('is found in every zone, on every day of the year', () => {
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

/** Whole minutes, since doubles are mostly drawn next to nothing. A learner's months: when each thing happens, in days from the start; a mail leaves minutes or hours after it was found due. */
const days = (max: number) => fc.integer({ min: 0, max: max * 24 * 60 }).map((minutes) => minutes / 1_440);
const life = fc.record({
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
  it('none goes out at night, none within 48 hours of another, never four in 14 days, none twice, none after its stop', () => {
    let sentInAll = 0;
    fc.assert(
      fc.property(life, (one) => {
        const timeOf = (day: number | null): number => (day === null ? Infinity : one.startMs + day * DAY_MS);
        const granted = timeOf(one.grantedDay);
        const signedIn = granted + (one.signedInAfterDays ?? Infinity) * DAY_MS;
        const practised = signedIn + (one.practisedAfterDays ?? Infinity) * DAY_MS;
        const off = timeOf(one.switchedOffDay);
        const toDay = localDays(one.zone);
        const limitDays = one.limitDays.map((day) => toDay(new Date(timeOf(day))));
        const sent: WrittenReminder[] = [];
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
            limitDays: limitDays.filter((day) => day <= toDay(now)),
            paidShareUsed: null,
            emailNotifications: nowMs < off,
            timeZone: one.zone,
            written: sent,
          };
          const { due, lookAgainAt } = nextReminder(facts, now);
          if (lookAgainAt !== null) expect(lookAgainAt.getTime()).toBeGreaterThan(nowMs);
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
    // A test of what must not happen proves nothing where nothing happens.
    expect(sentInAll).toBeGreaterThan(500);
  });

  it('what is due at the time to look again is not due before it', () => {
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
          const facts = someone({ accessGrantedAt: new Date(NOON.getTime() - hours * HOUR_MS), timeZone, written });
          const { due, lookAgainAt } = nextReminder(facts, NOON);
          if (due !== null || lookAgainAt === null) return;
          expect(nextReminder(facts, lookAgainAt).due).not.toBeNull();
          for (let ms = NOON.getTime(); ms < lookAgainAt.getTime(); ms += HOUR_MS)
            expect(nextReminder(facts, new Date(ms)).due).toBeNull();
        },
      ),
      { seed: SEED, numRuns: 200 },
    );
  });
});
