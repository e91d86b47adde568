/** Live conversations, a lease at a time; after each, what the server says is left is held against the book. */
import type { Lease } from '@parley/contract';
import type { Life } from './life.ts';
import type { Style, Used } from './minute-book.ts';
import { ALLOWED_S, minutesSinceMs, planAt, type Told } from './plan-table.ts';
import { MINUTE_MS, SECOND_MS, wallClock } from './wall-clock.ts';
import { nowMs, someNode, truthOf, type Year } from './year.ts';

export interface Talk {
  style: Style;
  /** Ended sooner when nothing is left. */
  forMs: number;
  ends: 'well' | 'unheard' | 'vanishes';
}

/** Once speech was heard, a conversation costs the time that it takes. */
const SPOKEN_S = 1;

export async function beginTalk(year: Year, life: Life, talk: Talk): Promise<void> {
  const now = nowMs(year);
  if (now < life.talkingUntilMs) return;
  life.talkingUntilMs = now + talk.forMs + MINUTE_MS;
  year.findings.counts.sessions += 1;
  await goOn(year, life, { ...talk, sessionId: life.chance.uuid(), endsMs: now + talk.forMs });
}

type Talking = Talk & { sessionId: string; endsMs: number };

async function goOn(year: Year, life: Life, talking: Talking): Promise<void> {
  const { device, minutes, zone } = life;
  if (device === null || life.erasedMs !== null) return;
  const now = nowMs(year);
  const { sessionId, style, endsMs } = talking;
  if (now >= endsMs) return end(year, life, talking);
  const wish = { sessionId, style, timeZone: zone, takeOver: false };
  const answer = await someNode(year)
    .leases.take(device, wish)
    .catch((error: unknown) => error as Error & { code?: string });
  const leftS = judgeLeft(year, life, { style, answer });
  if (leftS === null || leftS === 0) return end(year, life, talking);
  const isHeard = talking.ends !== 'unheard';
  minutes.lease(now, { sessionId, style, zone, isHeard }, leftS);
  if (isHeard) await (await someNode(year).leases.require(device, sessionId)).heard(SPOKEN_S);
  const untilMs = now + Math.min(leftS, life.chance.inPercent(70) ? 60 : life.chance.whole(5, 60)) * SECOND_MS;
  year.agenda.add(Math.min(untilMs, Math.max(endsMs, now + SECOND_MS)), () => goOn(year, life, talking));
}

/** What is left, or null where the answer is none. */
function judgeLeft(
  year: Year,
  life: Life,
  { style, answer }: { style: Style; answer: Lease | (Error & { code?: string }) },
): number | null {
  const { findings } = year;
  const now = nowMs(year);
  const { isOpen } = life.minutes;
  life.minutes.count(now);
  const code = answer instanceof Error ? (answer.code ?? answer.message) : null;
  const left = code === 'quota.out' ? 0 : 'remainingS' in answer ? answer.remainingS : null;
  const right = leftBy(year, life).map((seconds) => seconds[style]);
  findings.expect(left !== null && right.includes(left), life, () => {
    const plans = (life.believed ?? [truthOf(year, life)]).map((told) => planAt(told, now));
    const day = wallClock(life.zone);
    return `${style}: ${code ?? left} left, it should be ${right.join(' or ')} (${plans.join(' or ')}, ${life.zone} ${day.dayOf(now)} ${day.minutesOf(now)} min${isOpen ? ', talking' : ''})`;
  });
  findings.counts.leases += 1;
  if (left === 0) findings.counts.quotaOuts += 1;
  noteReset(year, life, left);
  return left;
}

const lastLeft = new WeakMap<Life, { leftS: number; plan: string }>();

function noteReset(year: Year, life: Life, leftS: number | null): void {
  const plan = planAt(truthOf(year, life), nowMs(year));
  const before = lastLeft.get(life);
  if (leftS === null) return;
  if (before?.plan === plan && leftS > before.leftS) year.findings.counts.resets += 1;
  lastLeft.set(life, { leftS, plan });
}

/** By each of the states that the server may know of. */
export function leftBy(year: Year, life: Life): Record<Style, number>[] {
  return (life.believed ?? [truthOf(year, life)]).map((told) => leftOf(year, life, told));
}

function leftOf(year: Year, life: Life, told: Told | null): Record<Style, number> {
  const now = nowMs(year);
  const plan = planAt(told, now);
  const used = usedOf(life, { told, plan, now });
  const live = Math.max(0, ALLOWED_S[plan].live - used.liveS);
  return { turn_based: live, ultra_realistic: Math.min(live, Math.max(0, ALLOWED_S[plan].calls - used.callsS)) };
}

function usedOf(life: Life, at: { told: Told | null; plan: string; now: number }): Used {
  const { told, plan, now } = at;
  if (plan === 'FREE' || told === null) return life.minutes.used({ day: wallClock(life.zone).dayOf(now) }, now);
  return life.minutes.used({ sinceMs: minutesSinceMs(told, now) }, now);
}

async function end(year: Year, life: Life, { sessionId, ends }: Talking): Promise<void> {
  // What is left open is held for the rest of its minute.
  if (ends === 'vanishes' || life.device === null) return;
  life.talkingUntilMs = Math.min(life.talkingUntilMs, nowMs(year));
  await someNode(year).leases.release(life.device, sessionId);
  if (life.minutes.holds(sessionId)) life.minutes.end(nowMs(year));
}
