/** Mails that must come: a server that writes to nobody keeps every rule about what must not be sent, and is caught here. */
import { AFTER_MS, isReminder, limitDaysOf } from './judge-mail.ts';
import type { Life, Reminded } from './life.ts';
import { ALLOWED_S, minutesSinceMs, planAt } from './plan-table.ts';
import type { DayRows } from './read-rows.ts';
import { DAY_MS, HOUR_MS } from './wall-clock.ts';
import { nowMs, truthOf, type Year } from './year.ts';

/** A night, mail servers that are away, tries that lie further and further apart, and the time until the server looks again. */
const COMES_WITHIN_MS = 3 * DAY_MS;
const APART_MS = 48 * HOUR_MS;
const MOST = { count: 3, withinMs: 14 * DAY_MS };
/** Nothing is made up for that should have come longer ago. */
const STALE_MS = 14 * DAY_MS;
const UPGRADE_APART_MS = 30 * DAY_MS;
const SHARE = 0.8;

export function judgeDue(year: Year, life: Life, rows: DayRows): void {
  noteShortage(year, life);
  // Of the others nobody can say what still reaches them.
  if (life.temper.mailbox !== 'good') return;
  const gaveUp = rows.gaveUp.get(life.userId ?? '') ?? [];
  judgeOwed(year, life, gaveUp);
  if (!life.hasAccess || life.accessMs === null) return;
  const { accessMail, accessMs } = life;
  if (!life.wantsMail || life.leavesAskedMs !== null) return;
  // Who came in without it needs it no more.
  const isUnderWay = accessMail?.state === 'under way' && nowMs(year) - accessMail.atMs > COMES_WITHIN_MS;
  year.findings.expect(!isUnderWay || life.enteredMs !== null, life, () => 'was let in, and no mail said so');
  const tried = [...life.tried, ...gaveUp.filter(({ kind }) => isReminder(kind))];
  const { enteredMs, enteringSeenMs, practisedMs } = life;
  if (enteredMs === null || enteringSeenMs === null)
    judgeSteps(year, life, { kind: 'not_logged_in', sinceMs: accessMs, seenMs: accessMs, tried });
  else if (practisedMs === null)
    judgeSteps(year, life, { kind: 'not_yet_practised', sinceMs: enteredMs, seenMs: enteringSeenMs, tried });
  judgeUpgrade(year, life, tried);
}

/** Receipts, the end of a free week, a goodbye: each goes out for what has just happened. */
function judgeOwed(year: Year, life: Life, gaveUp: readonly Reminded[]): void {
  for (const [mail, sinceMs] of life.owed) {
    if (nowMs(year) - sinceMs <= COMES_WITHIN_MS) continue;
    life.owed.delete(mail);
    const wasTried =
      life.handed.has(mail) || life.lost.has(mail) || gaveUp.some(({ kind, step }) => `${kind} ${step}` === mail);
    year.findings.expect(wasTried, life, () => `${mail} was due, and did not come`);
  }
}

/** A reminder whose reason has stood all the time since `sinceMs`. */
function judgeSteps(
  year: Year,
  life: Life,
  { kind, sinceMs, seenMs, tried }: { kind: string; sinceMs: number; seenMs: number; tried: readonly Reminded[] },
): void {
  const waitsMs = AFTER_MS[kind] ?? [];
  // What was held back before may have used up a step.
  if (life.unsettledMs > sinceMs) return;
  const furthest = Math.max(0, ...tried.filter((each) => each.kind === kind).map(({ step }) => Number(step)));
  const waitMs = waitsMs[furthest];
  if (waitMs === undefined) return;
  const untilMs = sinceMs + (waitsMs.at(-1) ?? 0) + STALE_MS;
  expectReminder(year, life, { kind, fromMs: Math.max(sinceMs + waitMs, seenMs), untilMs, tried });
}

function judgeUpgrade(year: Year, life: Life, tried: readonly Reminded[]): void {
  const { shortSinceMs, enteredMs } = life;
  if (shortSinceMs === null || enteredMs === null || life.unsettledMs > shortSinceMs) return;
  const before = tried.filter(({ kind }) => kind === 'plan_upgrade').map(({ atMs }) => atMs + UPGRADE_APART_MS);
  const fromMs = Math.max(shortSinceMs, enteredMs, ...before);
  expectReminder(year, life, { kind: 'plan_upgrade', fromMs, untilMs: Number.POSITIVE_INFINITY, tried });
}

/** Any will do: the rules for how many may come are the same for all, and another may have stood first. */
function expectReminder(
  year: Year,
  life: Life,
  { kind, fromMs, untilMs, tried }: { kind: string; fromMs: number; untilMs: number; tried: readonly Reminded[] },
): void {
  const times = tried.map(({ atMs }) => atMs).toSorted((a, b) => b - a);
  const dueMs = Math.max(
    fromMs,
    (times[0] ?? Number.NEGATIVE_INFINITY) + APART_MS,
    (times[MOST.count - 1] ?? Number.NEGATIVE_INFINITY) + MOST.withinMs,
  );
  const now = nowMs(year);
  if (now > untilMs) return;
  const isLate = now - dueMs > COMES_WITHIN_MS;
  year.findings.expect(!isLate, life, () => `${kind} was due since ${new Date(dueMs).toISOString()}, and did not come`);
}

/** Since when minutes have been short at the end of each day, on one and the same plan. */
function noteShortage(year: Year, life: Life): void {
  const told = truthOf(year, life);
  const isSure = life.believed === null && !life.temper.travels && life.hasAccess;
  const plan = told === null ? 'FREE' : `${told.id} ${told.status} ${told.price} ${told.startMs}`;
  if (!isSure || plan !== life.shortOn || !isSurelyShort(year, life)) life.shortSinceMs = null;
  else life.shortSinceMs ??= nowMs(year);
  life.shortOn = plan;
}

/** So that it stays so until the end of the next day, wherever the learner’s midnight is. */
function isSurelyShort(year: Year, life: Life): boolean {
  const told = truthOf(year, life);
  const now = nowMs(year);
  // Who had a plan has days that count for nothing.
  if (told === null) return limitDaysOf(life, now, 6) >= 3;
  if (planAt(told, now) !== 'PLUS' || told.status !== 'active') return false;
  return life.minutes.used({ sinceMs: minutesSinceMs(told, now) }, now).liveS >= SHARE * ALLOWED_S.PLUS.live;
}
