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

export async function startSession(
  year: SimulatedYear,
  script: AccountScript,
  session: PracticeSession,
): Promise<void> {
  const now = nowMs(year);
  if (now < script.inSessionUntilMs) return;
  script.inSessionUntilMs = now + session.durationMs + MINUTE_MS;
  year.findings.counts.sessions += 1;
  await continueSession(year, script, {
    ...session,
    sessionId: script.chance.uuid(),
    endsMs: now + session.durationMs,
  });
}

type RunningSession = PracticeSession & { sessionId: string; endsMs: number };

async function continueSession(year: SimulatedYear, script: AccountScript, talking: RunningSession): Promise<void> {
  const { device, usage, zone } = script;
  if (device === null || script.erasedMs !== null) return;
  const now = nowMs(year);
  const { sessionId, style, endsMs } = talking;
  if (now >= endsMs) return endSession(year, script, talking);
  const request = { sessionId, style, timeZone: zone, takeOver: false };
  const answer = await randomNode(year)
    .leases.acquire(device, request)
    .catch((error: unknown) => error as Error & { code?: string });
  const leftS = checkRemaining(year, script, { style, answer });
  if (leftS === null || leftS === 0) return endSession(year, script, talking);
  const isHeard = talking.ends !== 'unheard';
  usage.lease(now, { sessionId, style, zone, isHeard }, leftS);
  if (isHeard) await (await randomNode(year).leases.requireHeld(device, sessionId)).recordSpeech(SPEECH_S);
  const untilMs =
    now + Math.min(leftS, script.chance.isWithinPercent(70) ? 60 : script.chance.integer(5, 60)) * SECOND_MS;
  year.schedule.add(Math.min(untilMs, Math.max(endsMs, now + SECOND_MS)), () => continueSession(year, script, talking));
}

/** The remaining seconds; null for an invalid answer. */
function checkRemaining(
  year: SimulatedYear,
  script: AccountScript,
  { style, answer }: { style: Style; answer: Lease | (Error & { code?: string }) },
): number | null {
  const { findings } = year;
  const now = nowMs(year);
  const { isOpen } = script.usage;
  script.usage.count(now);
  const code = answer instanceof Error ? (answer.code ?? answer.message) : null;
  const left = code === 'quota.out' ? 0 : 'remainingS' in answer ? answer.remainingS : null;
  const right = possibleRemaining(year, script).map((seconds) => seconds[style]);
  findings.expect(left !== null && right.includes(left), script, () => {
    const plans = (script.possibleStates ?? [providerStateOf(year, script)]).map((told) => expectedPlanAt(told, now));
    const day = wallClock(script.zone);
    return `${style}: ${code ?? left} left, expected ${right.join(' or ')} (${plans.join(' or ')}, ${script.zone} ${day.dayOf(now)} ${day.minutesOf(now)} min${isOpen ? ', in a session' : ''})`;
  });
  findings.counts.leases += 1;
  if (left === 0) findings.counts.quotaOuts += 1;
  countReset(year, script, left);
  return left;
}

const lastRemaining = new WeakMap<AccountScript, { leftS: number; plan: string }>();

function countReset(year: SimulatedYear, script: AccountScript, leftS: number | null): void {
  const plan = expectedPlanAt(providerStateOf(year, script), nowMs(year));
  const before = lastRemaining.get(script);
  if (leftS === null) return;
  if (before?.plan === plan && leftS > before.leftS) year.findings.counts.resets += 1;
  lastRemaining.set(script, { leftS, plan });
}

/** The remaining time for each state that the server may have. */
export function possibleRemaining(year: SimulatedYear, script: AccountScript): Record<Style, number>[] {
  return (script.possibleStates ?? [providerStateOf(year, script)]).map((told) => remainingIn(year, script, told));
}

function remainingIn(year: SimulatedYear, script: AccountScript, told: ProviderState | null): Record<Style, number> {
  const now = nowMs(year);
  const plan = expectedPlanAt(told, now);
  const used = usageIn(script, { told, plan, now });
  const live = Math.max(0, ALLOWANCES_S[plan].live - used.liveS);
  return { turn_based: live, ultra_realistic: Math.min(live, Math.max(0, ALLOWANCES_S[plan].calls - used.callsS)) };
}

function usageIn(script: AccountScript, at: { told: ProviderState | null; plan: string; now: number }): Used {
  const { told, plan, now } = at;
  if (plan === 'FREE' || told === null) return script.usage.used({ day: wallClock(script.zone).dayOf(now) }, now);
  return script.usage.used({ sinceMs: allowanceStartMs(told, now) }, now);
}

async function endSession(
  year: SimulatedYear,
  script: AccountScript,
  { sessionId, ends }: RunningSession,
): Promise<void> {
  // A vanished device holds the lease until it expires.
  if (ends === 'vanishes' || script.device === null) return;
  script.inSessionUntilMs = Math.min(script.inSessionUntilMs, nowMs(year));
  await randomNode(year).leases.release(script.device, sessionId);
  if (script.usage.holds(sessionId)) script.usage.end(nowMs(year));
}
