/** Checks that mails that are due are sent. Without this, a server that sends nothing would break no rule. */
import { REMINDER_DELAYS_MS, isReminder, countLimitDays } from './check-mail.ts';
import type { AccountScript, SentReminder } from '../account-script.ts';
import { ALLOWANCES_S, allowanceStartMs, expectedPlanAt } from './expected-plan.ts';
import type { DayRows } from './read-rows.ts';
import { DAY_MS, HOUR_MS } from '../wall-clock.ts';
import { nowMs, providerStateOf, type SimulatedYear } from '../simulated-year.ts';

/** Allows for a night, a mail outage, the retry delays and the schedule's interval. */
const MAX_DELIVERY_MS = 3 * DAY_MS;
const MIN_INTERVAL_MS = 48 * HOUR_MS;
const MAX_REMINDERS = { count: 3, withinMs: 14 * DAY_MS };
/** A reminder that became due longer ago than this is skipped. */
const STALE_MS = 14 * DAY_MS;
const UPGRADE_INTERVAL_MS = 30 * DAY_MS;
const UPGRADE_SHARE = 0.8;

export function checkDueMail(year: SimulatedYear, script: AccountScript, rows: DayRows): void {
  trackShortage(year, script);
  // The delivery to other mailboxes cannot be predicted.
  if (script.habits.mailbox !== 'good') return;
  const gaveUp = rows.givenUpMails.get(script.userId ?? '') ?? [];
  checkRequiredMails(year, script, gaveUp);
  if (!script.hasAccess || script.accessMs === null) return;
  const { accessMail, accessMs } = script;
  if (!script.wantsMail || script.deletionRequestedMs !== null) return;
  // A learner who signed in without the mail does not need it.
  const isUnderWay = accessMail?.state === 'under way' && nowMs(year) - accessMail.atMs > MAX_DELIVERY_MS;
  year.findings.expect(!isUnderWay || script.signedInMs !== null, script, () => 'was granted access without a mail');
  const tried = [...script.attemptedReminders, ...gaveUp.filter(({ kind }) => isReminder(kind))];
  const { signedInMs, signInSeenMs, practisedMs } = script;
  if (signedInMs === null || signInSeenMs === null)
    checkReminderSteps(year, script, { kind: 'not_logged_in', sinceMs: accessMs, seenMs: accessMs, tried });
  else if (practisedMs === null)
    checkReminderSteps(year, script, { kind: 'not_yet_practised', sinceMs: signedInMs, seenMs: signInSeenMs, tried });
  checkUpgradeReminder(year, script, tried);
}

/** Receipts, trial notices and deletion mails, each caused by a recent event. */
function checkRequiredMails(year: SimulatedYear, script: AccountScript, gaveUp: readonly SentReminder[]): void {
  for (const [mail, sinceMs] of script.requiredMails) {
    if (nowMs(year) - sinceMs <= MAX_DELIVERY_MS) continue;
    script.requiredMails.delete(mail);
    const wasTried =
      script.sentMails.has(mail) ||
      script.lostMails.has(mail) ||
      gaveUp.some(({ kind, step }) => `${kind} ${step}` === mail);
    year.findings.expect(wasTried, script, () => `${mail} was due and was not sent`);
  }
}

/** Checks a reminder whose reason has held since `sinceMs`. */
function checkReminderSteps(
  year: SimulatedYear,
  script: AccountScript,
  { kind, sinceMs, seenMs, tried }: { kind: string; sinceMs: number; seenMs: number; tried: readonly SentReminder[] },
): void {
  const waitsMs = REMINDER_DELAYS_MS[kind] ?? [];
  // A reminder that was held back earlier may have used up a step.
  if (script.lastDisruptionMs > sinceMs) return;
  const furthest = Math.max(0, ...tried.filter((each) => each.kind === kind).map(({ step }) => Number(step)));
  const waitMs = waitsMs[furthest];
  if (waitMs === undefined) return;
  const untilMs = sinceMs + (waitsMs.at(-1) ?? 0) + STALE_MS;
  expectReminder(year, script, { kind, fromMs: Math.max(sinceMs + waitMs, seenMs), untilMs, tried });
}

function checkUpgradeReminder(year: SimulatedYear, script: AccountScript, tried: readonly SentReminder[]): void {
  const { shortSinceMs, signedInMs } = script;
  if (shortSinceMs === null || signedInMs === null || script.lastDisruptionMs > shortSinceMs) return;
  const before = tried.filter(({ kind }) => kind === 'plan_upgrade').map(({ atMs }) => atMs + UPGRADE_INTERVAL_MS);
  const fromMs = Math.max(shortSinceMs, signedInMs, ...before);
  expectReminder(year, script, { kind: 'plan_upgrade', fromMs, untilMs: Number.POSITIVE_INFINITY, tried });
}

/** Any reminder counts, because they share the limits and another kind may have come first. */
function expectReminder(
  year: SimulatedYear,
  script: AccountScript,
  { kind, fromMs, untilMs, tried }: { kind: string; fromMs: number; untilMs: number; tried: readonly SentReminder[] },
): void {
  const times = tried.map(({ atMs }) => atMs).toSorted((a, b) => b - a);
  const dueMs = Math.max(
    fromMs,
    (times[0] ?? Number.NEGATIVE_INFINITY) + MIN_INTERVAL_MS,
    (times[MAX_REMINDERS.count - 1] ?? Number.NEGATIVE_INFINITY) + MAX_REMINDERS.withinMs,
  );
  const now = nowMs(year);
  if (now > untilMs) return;
  const isLate = now - dueMs > MAX_DELIVERY_MS;
  year.findings.expect(
    !isLate,
    script,
    () => `${kind} was due since ${new Date(dueMs).toISOString()} and was not sent`,
  );
}

/** Tracks since when the remaining minutes have been low at the end of each day on the same plan. */
function trackShortage(year: SimulatedYear, script: AccountScript): void {
  const told = providerStateOf(year, script);
  const isSure = script.possibleStates === null && !script.habits.travels && script.hasAccess;
  const plan = told === null ? 'FREE' : `${told.id} ${told.status} ${told.price} ${told.startMs}`;
  if (!isSure || plan !== script.shortOn || !isSurelyShort(year, script)) script.shortSinceMs = null;
  else script.shortSinceMs ??= nowMs(year);
  script.shortOn = plan;
}

/** Whether the minutes stay low until the end of the next day in every time zone. */
function isSurelyShort(year: SimulatedYear, script: AccountScript): boolean {
  const told = providerStateOf(year, script);
  const now = nowMs(year);
  // For a learner who had a plan, some days do not count.
  if (told === null) return countLimitDays(script, now, 6) >= 3;
  if (expectedPlanAt(told, now) !== 'PLUS' || told.status !== 'active') return false;
  return (
    script.usage.used({ sinceMs: allowanceStartMs(told, now) }, now).liveS >= UPGRADE_SHARE * ALLOWANCES_S.PLUS.live
  );
}
