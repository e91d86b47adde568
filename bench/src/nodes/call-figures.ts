/** Counts the outcomes of the calls of a run. */
import type { CallRecord } from './run-calls.ts';
import { COACH_DELAY_MS, type RealtimeCoach } from './realtime-coach.ts';

export interface CallFigures {
  calls: number;
  /** The learners' turns, and how many of them the coach answered. */
  turns: number;
  answered: number;
  /** From the end of a turn to the coach's first audio, without the delay of the fake. */
  p95Ms: number;
  /**
   * How often a call could not be opened, broke off, or got no answer in time; on the killed node, that is no failure.
   */
  failed: number;
}

/** Calls that were in progress on a node when it was killed. */
export interface CutCallFigures {
  cut: number;
  /** Those of them that continued elsewhere, the slowest after `outageMs`. */
  continued: number;
  outageMs: number;
  /** Turns of both sides that the devices knew, and how many of them the coach was given again. */
  known: number;
  resent: number;
}

export function summarizeCalls(calls: readonly CallRecord[], killedUrl: string | null = null): CallFigures {
  const followers = calls.flatMap(({ turns }) =>
    turns.flatMap(({ role }, index) => (role === 'learner' ? [turns[index + 1]?.role] : [])),
  );
  const times = calls.flatMap(({ answerTimesMs }) => answerTimesMs).toSorted((a, b) => a - b);
  return {
    calls: calls.length,
    turns: followers.length,
    answered: followers.filter((role) => role === 'coach').length,
    p95Ms: (times[Math.ceil(0.95 * times.length) - 1] ?? Number.POSITIVE_INFINITY) - COACH_DELAY_MS,
    failed: calls.flatMap(({ failedOn }) => failedOn.filter((url) => url !== killedUrl)).length,
  };
}

export function summarizeCutCalls(
  calls: readonly CallRecord[],
  { killedUrl, coach }: { killedUrl: string; coach: RealtimeCoach },
): CutCallFigures {
  const cut = calls.filter(({ failedOn }) => failedOn.includes(killedUrl));
  const known = cut.flatMap(({ turnsWhenLost }) => turnsWhenLost.map(({ text }) => text));
  return {
    cut: cut.length,
    continued: cut.filter(({ turns, turnsWhenLost }) => turns.length > turnsWhenLost.length).length,
    outageMs: Math.max(...cut.flatMap(({ outagesMs }) => outagesMs)),
    known: known.length,
    resent: coach.countResent(known),
  };
}
