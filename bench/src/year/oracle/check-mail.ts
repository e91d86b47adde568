/** Checks each sent mail against the rules for e-mails. */
import { type AccountScript, recordReminder } from '../account-script.ts';
import { ALLOWANCES_S, allowanceStartMs, expectedPlanAt } from './expected-plan.ts';
import type { ObservedMail } from './mail-oracle.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, wallClock } from '../wall-clock.ts';
import { nowMs, providerStateOf, type SimulatedYear } from '../simulated-year.ts';

export const REMINDER_DELAYS_MS: Readonly<Record<string, readonly number[]>> = {
  not_logged_in: [2 * DAY_MS, 5 * DAY_MS, 12 * DAY_MS],
  not_yet_practised: [DAY_MS, 3 * DAY_MS, 7 * DAY_MS],
};
const REMINDERS = new Set(['access_link_again', 'plan_upgrade', ...Object.keys(REMINDER_DELAYS_MS)]);

export const isReminder = (kind: string): boolean => REMINDERS.has(kind);

export function checkMail(year: SimulatedYear, mail: ObservedMail): void {
  const { findings, accountByEmail } = year;
  const script = accountByEmail.get(mail.to) ?? null;
  findings.counts.mails += 1;
  findings.expect(script !== null, null, () => `a mail was sent to the unknown address ${mail.to}`);
  if (script === null) return;
  const name = `${mail.kind} ${mail.step}`;
  const expect = (isRight: boolean, what: string): void => findings.expect(isRight, script, () => `${name} ${what}`);
  // A recipient without an account has no kind and step, so the mail's id is used.
  const key = mail.userId === null ? mail.mailId : name;
  expect(!script.sentMails.has(key), 'was sent twice');
  expect(!script.lostMails.has(key), 'was sent again after a crash');
  script.sentMails.add(key);
  expect(script.erasedMs === null, 'was sent to an erased learner');
  expect(mail.userId === null || mail.userId === script.userId, 'was sent to the address of another learner');
  if (isReminder(mail.kind)) checkReminder(year, script, mail, expect);
}

function checkReminder(
  year: SimulatedYear,
  script: AccountScript,
  { kind, step }: ObservedMail,
  expect: (isRight: boolean, what: string) => void,
): void {
  year.findings.counts.reminders += 1;
  const now = nowMs(year);
  const minutes = wallClock(script.knownZone).minutesOf(now);
  expect(minutes >= 9 * 60 && minutes < 20 * 60, `was sent at ${formatMinutes(minutes)} in ${script.knownZone}`);
  const times = script.sentReminders.map(({ atMs }) => atMs);
  expect(
    times.every((at) => now - at >= 48 * HOUR_MS),
    'was sent within 48 hours of another',
  );
  expect(times.filter((at) => now - at < 14 * DAY_MS).length < 3, 'was the fourth within 14 days');
  expect(script.hasAccess && script.accessMs !== null, 'was sent to a learner without access');
  expect(script.deletionRequestedMs === null, 'was sent to a learner who requested deletion');
  const before = script.sentReminders.filter((other) => other.kind === kind);
  expect(
    Number(step) === 1 || Number(step) <= 1 + highestStep(script, kind) + MAX_SKIPPED_STEPS,
    'has a step that does not exist',
  );
  switch (kind) {
    case 'access_link_again': {
      const { accessMail } = script;
      expect(script.signedInMs === null, 'was sent after signing in');
      const isMissed =
        accessMail?.state === 'missed' ||
        (accessMail?.state === 'under way' && now - accessMail.atMs >= 30 * MINUTE_MS);
      expect(isMissed, 'was sent although the first had arrived');
      expect(before.length < 2 && before.every(({ atMs }) => now - atMs >= DAY_MS), 'was sent too often');
      break;
    }
    case 'not_logged_in':
    case 'not_yet_practised': {
      const isPractice = kind === 'not_yet_practised';
      const since = (isPractice ? script.signedInMs : script.accessMs) ?? Number.POSITIVE_INFINITY;
      const waitMs = REMINDER_DELAYS_MS[kind]?.[Number(step) - 1] ?? Number.POSITIVE_INFINITY;
      expect(now - since >= waitMs, 'was sent too early');
      expect((isPractice ? script.practisedMs : script.signedInMs) === null, 'was sent after its reason was gone');
      if (isPractice) expect(script.wantsMail, 'was sent with reminders turned off');
      break;
    }
    default:
      expect(script.wantsMail, 'was sent with reminders turned off');
      expect(
        before.every(({ atMs }) => now - atMs >= 30 * DAY_MS),
        'was sent twice in 30 days',
      );
      expect(isShort(year, script, now), 'was sent although minutes were not short');
  }
  recordReminder(script, { kind, step, atMs: now });
}

/** Steps may be skipped when their mail was dropped or lost with a dead server. */
const MAX_SKIPPED_STEPS = 2;
const highestStep = (script: AccountScript, kind: string): number =>
  Math.max(0, ...script.sentReminders.filter((other) => other.kind === kind).map(({ step }) => Number(step)));

/** The free limit on three of seven days, or 80% of PLUS. */
function isShort(year: SimulatedYear, script: AccountScript, now: number): boolean {
  return (script.possibleStates ?? [providerStateOf(year, script)]).some((told) => {
    const plan = expectedPlanAt(told, now);
    if (plan === 'FREE') return countLimitDays(script, now, 7) >= 3;
    if (plan !== 'PLUS' || told === null) return false;
    return script.usage.used({ sinceMs: allowanceStartMs(told, now) }, now).liveS >= 0.8 * ALLOWANCES_S.PLUS.live;
  });
}

/** On how many of the last days, including today, the learner used up the FREE allowance. */
export function countLimitDays(script: AccountScript, now: number, ofDays: number): number {
  const clock = wallClock(script.knownZone);
  const week = new Set(Array.from({ length: ofDays * 24 }, (_none, hour) => clock.dayOf(now - hour * HOUR_MS)));
  return script.usage.daysWithUsage(ALLOWANCES_S.FREE.live, now - 9 * DAY_MS).filter((day) => week.has(day)).length;
}

const formatMinutes = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
