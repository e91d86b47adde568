/** Measures how long a change on one device takes to reach the store of another, one change at a time. */
import type { ContestantProcess } from './contestant-process.ts';
import { CHANGE_TIMEOUT_MS, CHANGES_BUDGET_MS, NEVER_SEEN_MS, WARM_UP_CHANGES } from './workload.ts';
import { ChangeMade, ChangeSeen } from './messages.ts';
import { makeChangedSummary, practiceRow } from './workload-rows.ts';

const ROW_STRIDE = 37;
/** Some contestants delay disk writes, so waiting for every write would exhaust the time budget. */
const STORED_SAMPLE_EVERY = 16;

/** Milliseconds since just before the change. */
export interface ChangeTimes {
  /** The time until a query on the other device shows the change. */
  seenMs: number;
  /** The time until the change is on the disk of the other device; null when that was not measured. */
  storedMs: number | null;
}

const NEVER_SEEN: ChangeTimes = { seenMs: NEVER_SEEN_MS, storedMs: NEVER_SEEN_MS };

/** Returns fewer changes when the time budget ends, and stops at the first change that does not arrive. */
export async function measureChanges(
  devices: { from: ContestantProcess; to: ContestantProcess },
  { sessions, changeCount }: { sessions: number; changeCount: number },
): Promise<ChangeTimes[]> {
  const changes: ChangeTimes[] = [];
  const endsMs = performance.now() + CHANGES_BUDGET_MS;
  for (let turn = 0; turn < WARM_UP_CHANGES + changeCount && performance.now() < endsMs; turn += 1) {
    const times = await measureChange(devices, { turn, sessions });
    if (times === null) return [...changes, NEVER_SEEN];
    if (turn >= WARM_UP_CHANGES) changes.push(times);
  }
  return changes;
}

/** Returns null when the change was not seen in time. */
async function measureChange(
  { from, to }: { from: ContestantProcess; to: ContestantProcess },
  { turn, sessions }: { turn: number; sessions: number },
): Promise<ChangeTimes | null> {
  const { id } = practiceRow((turn * ROW_STRIDE) % sessions);
  const row = { id, summary: makeChangedSummary(turn) };
  const untilStored = turn % STORED_SAMPLE_EVERY === 0;
  const seen = to.ask({ type: 'awaitChange', ...row, untilStored, withinMs: CHANGE_TIMEOUT_MS }, ChangeSeen);
  // Prevents an unhandled rejection of this promise if the change itself fails first.
  seen.catch(() => undefined);
  const { atMs } = await from.ask({ type: 'change', ...row }, ChangeMade);
  const times = await seen;
  if (times === null) return null;
  const { seenAtMs, storedAtMs } = times;
  return { seenMs: seenAtMs - atMs, storedMs: storedAtMs === null ? null : storedAtMs - atMs };
}
