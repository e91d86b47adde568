/**
 * The days on which the learner practised, and for how long: the days on which something was said, not those on which a
 * session was begun.
 */
import { type LocalDay, localDayFormatter } from '@parley/domain';
import { answeredIn, finishedIn } from './practised-sessions.ts';
import type { Store } from './store.ts';

/** Minutes with one decimal, as every screen gets them: what is rounded again for the learner is then the same everywhere. */
export const toMinutes = (seconds: number): number => Math.round(seconds / 6) / 10;

interface AnsweredSession {
  id: string;
  durationS: number;
  startedAtMs: number;
  /** Null while no turn of the session is on this device. */
  firstAnswerAtMs: number | null;
  lastAnswerAtMs: number | null;
  isFinished: 0 | 1;
}

export interface PracticeOfDay {
  seconds: number;
  /** Whether something was said on this day in a practice that is finished by now. */
  hasFinishedPractice: boolean;
}

const ANSWERS = "ai_conversations t WHERE t.session_id = h.id AND t.role = 'learner' AND t.deleted_at IS NULL";

/**
 * Returns what was practised on each day. Minutes are time that was spent, so they count at once; whether the day counts as
 * practised is known when its session is finished, and then for every day on which something was said in it. A session that was continued on another day is divided by the number of answers, whether it
 * is finished or not. A session whose turns are still on the server only counts on the day on which it was begun.
 */
export function practiceByDay(store: Store): Map<LocalDay, PracticeOfDay> {
  const toLocalDay = quarterHourDays(store.timeZone());
  const practiceByDay = new Map<LocalDay, PracticeOfDay>();
  const add = (day: LocalDay, seconds: number, { isFinished }: Pick<AnsweredSession, 'isFinished'>): void => {
    const before = practiceByDay.get(day);
    practiceByDay.set(day, {
      seconds: (before?.seconds ?? 0) + seconds,
      hasFinishedPractice: before?.hasFinishedPractice === true || isFinished === 1,
    });
  };
  const ofSeveralDays = new Map<string, AnsweredSession>();
  for (const session of readAnswered(store)) {
    const first = toLocalDay(session.firstAnswerAtMs ?? session.startedAtMs);
    const last = toLocalDay(session.lastAnswerAtMs ?? session.startedAtMs);
    if (first === last) add(first, session.durationS, session);
    else ofSeveralDays.set(session.id, session);
  }
  for (const [id, answers] of readAnswerTimes(store, [...ofSeveralDays.keys()])) {
    const session = ofSeveralDays.get(id);
    if (session === undefined) continue;
    for (const { atMs } of answers) add(toLocalDay(atMs), session.durationS / answers.length, session);
  }
  return practiceByDay;
}

/** The first and last answers are looked up in an index, so that 5,000 sessions read no turn. */
const readAnswered = ({ sqlite, identity }: Store): AnsweredSession[] =>
  sqlite
    .prepare<[string], AnsweredSession>(
      `SELECT h.id AS id, h.duration AS durationS, h.created_at AS startedAtMs, ${finishedIn('h')} AS isFinished,
         (SELECT min(t.said_at) FROM ${ANSWERS}) AS firstAnswerAtMs,
         (SELECT max(t.said_at) FROM ${ANSWERS}) AS lastAnswerAtMs
       FROM practice_history h WHERE h.user_id = ? AND h.deleted_at IS NULL AND ${answeredIn('h')}`,
    )
    .all(identity().userId);

const readAnswerTimes = ({ sqlite }: Store, sessionIds: readonly string[]): Map<string, { atMs: number }[]> =>
  Map.groupBy(
    sqlite
      .prepare<[string], { id: string; atMs: number }>(
        `SELECT h.value AS id, t.said_at AS atMs FROM json_each(?) h JOIN ai_conversations t
         ON t.session_id = h.value AND t.role = 'learner' AND t.deleted_at IS NULL AND t.said_at IS NOT NULL`,
      )
      .all(JSON.stringify(sessionIds)),
    ({ id }) => id,
  );

const QUARTER_HOUR_MS = 900_000;

/** Formats each quarter of an hour once, because formatting is slow: in every time zone, days begin with one. */
function quarterHourDays(timeZone: string): (atMs: number) => LocalDay {
  const toLocalDay = localDayFormatter(timeZone);
  const days = new Map<number, LocalDay>();
  return (atMs) => {
    const quarterHour = Math.floor(atMs / QUARTER_HOUR_MS);
    const day = days.get(quarterHour) ?? toLocalDay(new Date(atMs));
    days.set(quarterHour, day);
    return day;
  };
}
