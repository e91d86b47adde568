/**
 * The attempts counted by an app without the log, as devices with the log must see them. Such an app sends only totals
 * of its whole list, so two attempts at once may look like one; `certain` are those that the server could tell apart.
 */
import type { CountedRow, LoggedEvent } from './expected-list.ts';

export interface OldAppRecord {
  /** Every attempt, by word. */
  practised: string[];
  /** The greatest total that the app ever showed, by word. */
  shown: Map<string, number>;
  certain: Map<string, number>;
  /** Its list after the last sync. */
  list: Map<string, number>;
  rejected: number;
}

export interface WordCounts {
  counted: readonly CountedRow[];
  old: OldAppRecord;
  /** The attempts on the devices with the log, except those that were undone. */
  events: readonly LoggedEvent[];
  /** How often each word was said on them, deleted sessions included. */
  everSaid: ReadonlyMap<string, number>;
  /** Words that went wrong on them, deleted sessions included. */
  everWrong: ReadonlySet<string>;
}

const numberOf = <Value>(list: readonly Value[], is: (value: Value) => boolean): number => list.filter(is).length;

/** Returns what contradicts what the old app did. */
export function checkCounts({ counted, old, events, everSaid, everWrong }: WordCounts): string[] {
  const problems: string[] = [];
  if (old.rejected > 0) problems.push(`${old.rejected} changes of the old app were rejected`);
  for (const word of new Set([...old.practised, ...counted.map((row) => row.word)])) {
    const made = numberOf(old.practised, (practised) => practised === word);
    const carried = Math.max(0, ...counted.filter((row) => row.word === word).map(({ attempts }) => attempts));
    const said = numberOf(events, (event) => event.kind === 'said' && event.word === word);
    const takenBack = (everSaid.get(word) ?? 0) - said;
    const certain = old.certain.get(word) ?? 0;
    const shown = old.shown.get(word) ?? 0;
    if (carried > made) problems.push(`“${word}”: ${carried} attempts of the old app, which made only ${made}`);
    if (carried < certain)
      problems.push(`“${word}”: ${carried} attempts of the old app, which made at least ${certain}`);
    if (carried + said + takenBack < shown)
      problems.push(`“${word}”: ${carried + said} attempts, where the old app had shown ${shown}`);
  }
  for (const word of new Set([...old.practised, ...everWrong]))
    if (!old.list.has(word)) problems.push(`“${word}” is missing in the list of the old app`);
  for (const [word, shown] of old.shown)
    if ((old.list.get(word) ?? 0) < shown) problems.push(`“${word}”: the old app shows fewer attempts than before`);
  return problems;
}
