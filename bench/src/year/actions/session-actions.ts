/** Simulates practice sessions lease by lease, and compares the remaining time with the usage oracle. */
import type { Lease } from '@parley/contract';
import type { AccountScript } from '../account-script.ts';
import type { Style, Used } from '../oracle/usage-oracle.ts';
import { ALLOWANCES_S, allowanceStartMs, expectedPlanAt, type ProviderState } from '../oracle/expected-plan.ts';
import { MINUTE_MS, SECOND_MS, wallClock } from '../wall-clock.ts';
import { nowMs, randomNode, providerStateOf, type SimulatedYear } from '../simulated-year.ts';

export interface PracticeSession {
  style: Style;
  /** Ends earlier when no time is left. */
  durationMs: number;
  ends: 'well' | 'unheard' | 'vanishes';
}

/** Once any speech is transcribed, the session costs its elapsed time. */
const SPEECH_S = 1;

export async function startSession(year: SimulatedYear, life: AccountScript, talk: PracticeSession): Promise<void> {
  const now = nowMs(year);
  if (now < life.inSessionUntilMs) return;
  life.inSessionUntilMs = now + talk.durationMs + MINUTE_MS;
  year.findings.counts.sessions += 1;
  await continueSession(year, life, { ...talk, sessionId: life.chance.uuid(), endsMs: now + talk.durationMs });
}

type RunningSession = PracticeSession & { sessionId: string; endsMs: number };

async function continueSession(year: SimulatedYear, life: AccountScript, talking: RunningSession): Promise<void> {
  const { device, usage, zone } = life;
  if (device === null || life.erasedMs !== null) return;
  const now = nowMs(year);
  const { sessionId, style, endsMs } = talking;
  if (now >= endsMs) return endSession(year, life, talking);
  const wish = { sessionId, style, timeZone: zone, takeOver: false };
  const answer = await randomNode(year)
    .leases.acquire(device, wish)
    .catch((error: unknown) => error as Error & { code?: string });
  const leftS = checkRemaining(year, life, { style, answer });
  if (leftS === null || leftS === 0) return endSession(year, life, talking);
  const isHeard = talking.ends !== 'unheard';
  usage.lease(now, { sessionId, style, zone, isHeard }, leftS);
  if (isHeard) await (await randomNode(year).leases.requireHeld(device, sessionId)).recordSpeech(SPEECH_S);
  const untilMs = now + Math.min(leftS, life.chance.isWithinPercent(70) ? 60 : life.chance.integer(5, 60)) * SECOND_MS;
  year.schedule.add(Math.min(untilMs, Math.max(endsMs, now + SECOND_MS)), () => continueSession(year, life, talking));
}

/** The remaining seconds; null for an invalid answer. */
function checkRemaining(
  year: SimulatedYear,
  life: AccountScript,
  { style, answer }: { style: Style; answer: Lease | (Error & { code?: string }) },
): number | null {
  const { findings } = year;
  const now = nowMs(year);
  const { isOpen } = life.usage;
  life.usage.count(now);
  const code = answer instanceof Error ? (answer.code ?? answer.message) : null;
  const left = code === 'quota.out' ? 0 : 'remainingS' in answer ? answer.remainingS : null;
  const right = possibleRemaining(year, life).map((seconds) => seconds[style]);
  findings.expect(left !== null && right.includes(left), life, () => {
    const plans = (life.possibleStates ?? [providerStateOf(year, life)]).map((told) => expectedPlanAt(told, now));
    const day = wallClock(life.zone);
    return `${style}: ${code ?? left} left, expected ${right.join(' or ')} (${plans.join(' or ')}, ${life.zone} ${day.dayOf(now)} ${day.minutesOf(now)} min${isOpen ? ', in a session' : ''})`;
  });
  findings.counts.leases += 1;
  if (left === 0) findings.counts.quotaOuts += 1;
  countReset(year, life, left);
  return left;
}

const lastRemaining = new WeakMap<AccountScript, { leftS: number; plan: string }>();

function countReset(year: SimulatedYear, life: AccountScript, leftS: number | null): void {
  const plan = expectedPlanAt(providerStateOf(year, life), nowMs(year));
  const before = lastRemaining.get(life);
  if (leftS === null) return;
  if (before?.plan === plan && leftS > before.leftS) year.findings.counts.resets += 1;
  lastRemaining.set(life, { leftS, plan });
}

/** The remaining time for each state that the server may have. */
export function possibleRemaining(year: SimulatedYear, life: AccountScript): Record<Style, number>[] {
  return (life.possibleStates ?? [providerStateOf(year, life)]).map((told) => remainingIn(year, life, told));
}

function remainingIn(year: SimulatedYear, life: AccountScript, told: ProviderState | null): Record<Style, number> {
  const now = nowMs(year);
  const plan = expectedPlanAt(told, now);
  const used = usageIn(life, { told, plan, now });
  const live = Math.max(0, ALLOWANCES_S[plan].live - used.liveS);
  return { turn_based: live, ultra_realistic: Math.min(live, Math.max(0, ALLOWANCES_S[plan].calls - used.callsS)) };
}

function usageIn(life: AccountScript, at: { told: ProviderState | null; plan: string; now: number }): Used {
  const { told, plan, now } = at;
  if (plan === 'FREE' || told === null) return life.usage.used({ day: wallClock(life.zone).dayOf(now) }, now);
  return life.usage.used({ sinceMs: allowanceStartMs(told, now) }, now);
}

async function endSession(
  year: SimulatedYear,
  life: AccountScript,
  { sessionId, ends }: RunningSession,
): Promise<void> {
  // A vanished device holds the lease until it expires.
  if (ends === 'vanishes' || life.device === null) return;
  life.inSessionUntilMs = Math.min(life.inSessionUntilMs, nowMs(year));
  await randomNode(year).leases.release(life.device, sessionId);
  if (life.usage.holds(sessionId)) life.usage.end(nowMs(year));
}
