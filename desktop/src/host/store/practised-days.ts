/** On which days the learner practised, and for how long: the days on which something was said, not those on which a session was begun. */
import { type LocalDay, localDayFormatter } from '@parley/domain';
import { answeredIn } from './practised-sessions.ts';
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
}

const ANSWERS = "ai_conversations t WHERE t.session_id = h.id AND t.role = 'learner' AND t.deleted_at IS NULL";

/**
 * Returns the seconds of practice of each day. A session that was continued on another day is divided by the number of answers, whether it
 * is finished or not. A session whose turns are still on the server only counts on the day on which it was begun.
 */
export function practisedSecondsByDay(store: Store): Map<LocalDay, number> {
  const toLocalDay = quarterHourDays(store.timeZone());
  const secondsByDay = new Map<LocalDay, number>();
  const add = (day: LocalDay, seconds: number): void => {
    secondsByDay.set(day, (secondsByDay.get(day) ?? 0) + seconds);
  };
  const ofSeveralDays = new Map<string, number>();
  for (const { id, durationS, startedAtMs, firstAnswerAtMs, lastAnswerAtMs } of readAnswered(store)) {
    const first = toLocalDay(firstAnswerAtMs ?? startedAtMs);
    const last = toLocalDay(lastAnswerAtMs ?? startedAtMs);
    if (first === last) add(first, durationS);
    else ofSeveralDays.set(id, durationS);
  }
  for (const [id, answers] of readAnswerTimes(store, [...ofSeveralDays.keys()]))
    for (const { atMs } of answers) add(toLocalDay(atMs), (ofSeveralDays.get(id) ?? 0) / answers.length);
  return secondsByDay;
}

/** The first and last answers are looked up in an index, so that 5,000 sessions read no turn. */
const readAnswered = ({ sqlite, identity }: Store): AnsweredSession[] =>
  sqlite
    .prepare<[string], AnsweredSession>(
      `SELECT h.id AS id, h.duration AS durationS, h.created_at AS startedAtMs,
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
