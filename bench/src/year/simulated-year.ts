/** The state that all actions of the simulated year share. */
import type { Schedule } from './schedule.ts';
import type { Random } from './random.ts';
import type { Findings } from './oracle/findings.ts';
import type { AccountScript } from './account-script.ts';
import { type ProviderState, readProviderState } from './oracle/expected-plan.ts';
import type { YearFixture, YearNode } from './fixture.ts';

export interface SimulatedYear {
  fixture: YearFixture;
  schedule: Schedule;
  random: Random;
  findings: Findings;
  accounts: readonly AccountScript[];
  accountByEmail: ReadonlyMap<string, AccountScript>;
  /** Whether there is a mail outage. */
  isMailDown: boolean;
}

export const nowMs = ({ fixture }: SimulatedYear): number => fixture.stripeFake.now().getTime();

/** Any node may answer a request. */
export const randomNode = ({ fixture, random }: SimulatedYear): YearNode =>
  fixture.nodes[random.isWithinPercent(50) ? 0 : 1];

export function providerStateOf({ fixture }: SimulatedYear, script: AccountScript): ProviderState | null {
  const told = script.customer === null ? null : readProviderState(fixture.stripeFake, script.customer);
  if (told === null || told.pastDueSinceMs === null) return told;
  return { ...told, pastDueSinceMs: Math.max(told.pastDueSinceMs, script.lateSeenMs) };
}

/** Records when the server learned of a late payment, which is when the week of grace begins. */
export function noteLatePayment(year: SimulatedYear, script: AccountScript, seenMs: number): void {
  const told = providerStateOf(year, script);
  if (told?.status === 'past_due' && (told.pastDueSinceMs ?? 0) > script.lateSeenMs) script.lateSeenMs = seenMs;
}

/** While events are in flight, adds the state that the server has just read to its possible states. */
export function addPossibleState(year: SimulatedYear, script: AccountScript): void {
  if (script.possibleStates !== null) noteLatePayment(year, script, nowMs(year));
  script.possibleStates?.push(providerStateOf(year, script));
}

const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;

/** Null when the action is refused with an expected code. Any other failure is recorded as a violation. */
export async function attempt<Value>(
  { findings }: SimulatedYear,
  script: AccountScript,
  { what, mayFail = [] }: { what: string; mayFail?: readonly string[] },
  act: () => Promise<Value>,
): Promise<Value | null> {
  try {
    return await act();
  } catch (error) {
    findings.expect(
      mayFail.includes(codeOf(error) ?? ''),
      script,
      () => `${what} failed: ${codeOf(error) ?? String(error)}`,
    );
    return null;
  }
}
