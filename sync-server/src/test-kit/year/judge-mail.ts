/** Holds each mail that is handed over against the rules for e-mails, knowing all that happened. */
import { type Life, noteReminded } from './life.ts';
import { ALLOWED_S, minutesSinceMs, planAt } from './plan-table.ts';
import type { Handed } from './post-office.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, wallClock } from './wall-clock.ts';
import { nowMs, truthOf, type Year } from './year.ts';

export const AFTER_MS: Readonly<Record<string, readonly number[]>> = {
  not_logged_in: [2 * DAY_MS, 5 * DAY_MS, 12 * DAY_MS],
  not_yet_practised: [DAY_MS, 3 * DAY_MS, 7 * DAY_MS],
};
const REMINDERS = new Set(['access_link_again', 'plan_upgrade', ...Object.keys(AFTER_MS)]);

export const isReminder = (kind: string): boolean => REMINDERS.has(kind);

export function judgeMail(year: Year, mail: Handed): void {
  const { findings, lifeByEmail } = year;
  const life = lifeByEmail.get(mail.to) ?? null;
  findings.counts.mails += 1;
  findings.expect(life !== null, null, () => `a mail went to ${mail.to}, who is nobody`);
  if (life === null) return;
  const name = `${mail.kind} ${mail.step}`;
  const expect = (isRight: boolean, what: string): void => findings.expect(isRight, life, () => `${name} ${what}`);
  // Whoever has no account yet has no kind and step of their own.
  const key = mail.userId === null ? mail.mailId : name;
  expect(!life.handed.has(key), 'was handed over twice');
  expect(!life.lost.has(key), 'was taken up again after a crash');
  life.handed.add(key);
  expect(life.erasedMs === null, 'went to somebody erased');
  expect(mail.userId === null || mail.userId === life.userId, 'went to the address of another');
  if (isReminder(mail.kind)) judgeReminder(year, life, mail, expect);
}

function judgeReminder(
  year: Year,
  life: Life,
  { kind, step }: Handed,
  expect: (isRight: boolean, what: string) => void,
): void {
  year.findings.counts.reminders += 1;
  const now = nowMs(year);
  const minutes = wallClock(life.knownZone).minutesOf(now);
  expect(minutes >= 9 * 60 && minutes < 20 * 60, `came at ${clockOf(minutes)} in ${life.knownZone}`);
  const times = life.reminded.map(({ atMs }) => atMs);
  expect(
    times.every((at) => now - at >= 48 * HOUR_MS),
    'came within 48 hours of another',
  );
  expect(times.filter((at) => now - at < 14 * DAY_MS).length < 3, 'was the fourth within 14 days');
  expect(life.hasAccess && life.accessMs !== null, 'went to somebody without access');
  expect(life.leavesAskedMs === null, 'went to somebody who has asked to be erased');
  const before = life.reminded.filter((other) => other.kind === kind);
  expect(Number(step) === 1 || Number(step) <= 1 + furthest(life, kind) + SKIPPED, 'is a step that does not exist');
  switch (kind) {
    case 'access_link_again': {
      const { accessMail } = life;
      expect(life.enteredMs === null, 'came after signing in');
      const isMissed =
        accessMail?.state === 'missed' ||
        (accessMail?.state === 'under way' && now - accessMail.atMs >= 30 * MINUTE_MS);
      expect(isMissed, 'came although the first had arrived');
      expect(before.length < 2 && before.every(({ atMs }) => now - atMs >= DAY_MS), 'came too often');
      break;
    }
    case 'not_logged_in':
    case 'not_yet_practised': {
      const isPractice = kind === 'not_yet_practised';
      const since = (isPractice ? life.enteredMs : life.accessMs) ?? Number.POSITIVE_INFINITY;
      const waitMs = AFTER_MS[kind]?.[Number(step) - 1] ?? Number.POSITIVE_INFINITY;
      expect(now - since >= waitMs, 'came too early');
      expect((isPractice ? life.practisedMs : life.enteredMs) === null, 'came after its reason was gone');
      if (isPractice) expect(life.wantsMail, 'came with the switch off');
      break;
    }
    default:
      expect(life.wantsMail, 'came with the switch off');
      expect(
        before.every(({ atMs }) => now - atMs >= 30 * DAY_MS),
        'came twice in 30 days',
      );
      expect(isShort(year, life, now), 'came although minutes were not short');
  }
  noteReminded(life, { kind, step, atMs: now });
}

/** Steps whose mail was dropped, or lost with a server that died. */
const SKIPPED = 2;
const furthest = (life: Life, kind: string): number =>
  Math.max(0, ...life.reminded.filter((other) => other.kind === kind).map(({ step }) => Number(step)));

/** The free limit on three days of seven, or four fifths of PLUS. */
function isShort(year: Year, life: Life, now: number): boolean {
  return (life.believed ?? [truthOf(year, life)]).some((told) => {
    const plan = planAt(told, now);
    if (plan === 'FREE') return limitDaysOf(life, now, 7) >= 3;
    if (plan !== 'PLUS' || told === null) return false;
    return life.minutes.used({ sinceMs: minutesSinceMs(told, now) }, now).liveS >= 0.8 * ALLOWED_S.PLUS.live;
  });
}

/** On how many of the last days, today among them, the learner used up what FREE allows. */
export function limitDaysOf(life: Life, now: number, ofDays: number): number {
  const clock = wallClock(life.knownZone);
  const week = new Set(Array.from({ length: ofDays * 24 }, (_none, hour) => clock.dayOf(now - hour * HOUR_MS)));
  return life.minutes.daysWith(ALLOWED_S.FREE.live, now - 9 * DAY_MS).filter((day) => week.has(day)).length;
}

const clockOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
