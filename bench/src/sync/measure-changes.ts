/** How long a change on one device takes to stand in the store of another, one change at a time. */
import type { Child } from './child.ts';
import { CHANGE_TIMEOUT_MS, CHANGES_BUDGET_MS, NEVER_SEEN_MS, PULLED_ROWS, WARM_CHANGES } from './job.ts';
import { Happened, Seen } from './messages.ts';
import { changedSummary, practiceRow } from './rows.ts';

const SPREAD = 37;
/** Some write to the disk at their leisure: waiting for that each time would leave no time for the changes. */
const STORED_EVERY = 16;

/** Milliseconds from before the change on one device. */
export interface ChangeTimes {
  /** To the moment at which a query on the other shows it. */
  seenMs: number;
  /** To the moment at which it is on the other's disk too; null where nobody looked. */
  storedMs: number | null;
}

const NEVER: ChangeTimes = { seenMs: NEVER_SEEN_MS, storedMs: NEVER_SEEN_MS };

/** Fewer than asked for when they take longer than the race has time for; ends with the first that does not arrive. */
export async function measureChanges(devices: { from: Child; to: Child }, count: number): Promise<ChangeTimes[]> {
  const changes: ChangeTimes[] = [];
  const endsMs = performance.now() + CHANGES_BUDGET_MS;
  for (let turn = 0; turn < WARM_CHANGES + count && performance.now() < endsMs; turn += 1) {
    const times = await changeOnce(devices, turn);
    if (times === null) return [...changes, NEVER];
    if (turn >= WARM_CHANGES) changes.push(times);
  }
  return changes;
}

/** Null: not seen in time. */
async function changeOnce({ from, to }: { from: Child; to: Child }, turn: number): Promise<ChangeTimes | null> {
  const { id } = practiceRow((turn * SPREAD) % PULLED_ROWS);
  const row = { id, summary: changedSummary(turn) };
  const untilStored = turn % STORED_EVERY === 0;
  const seen = to.ask({ type: 'awaitChange', ...row, untilStored, withinMs: CHANGE_TIMEOUT_MS }, Seen);
  // Both are awaited below; should the change itself fail first, this one must not go unhandled.
  seen.catch(() => undefined);
  const { atMs } = await from.ask({ type: 'change', ...row }, Happened);
  const times = await seen;
  if (times === null) return null;
  const { seenAtMs, storedAtMs } = times;
  return { seenMs: seenAtMs - atMs, storedMs: storedAtMs === null ? null : storedAtMs - atMs };
}
