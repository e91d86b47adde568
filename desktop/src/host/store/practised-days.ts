/**
 * The days on which the learner practised, and for how long. They are the days on which something was said, not those
 * on which a session was started.
 */
import { type LocalDay, localDayFormatter } from '@parley/domain';
import { answeredIn, finishedIn } from './practised-sessions.ts';
import type { Store } from './store.ts';

/** Rounds minutes to one decimal, the value that every screen gets, so that screens that round it again agree. */
export const toMinutes = (seconds: number): number => Math.round(seconds / 6) / 10;

interface AnsweredSession {
  id: string;
  durationS: number;
  startedAtMs: number;
  /** Null while no turn of the session is on this device. */
  firstAnswerAtMs: number | null;
  lastAnswerAtMs: number | null;
  isFinished: 0 | 1;
  /**
   * The session's first and last word in the log: when each was said, and on which day that was for the learner. Null
   * while the log has none.
   */
  firstLoggedAtMs: number | null;
  firstLoggedDay: LocalDay | null;
  lastLoggedAtMs: number | null;
  lastLoggedDay: LocalDay | null;
}

export interface PracticeOfDay {
  seconds: number;
  /** Whether something was said on this day in a practice that has been finished since. */
  hasFinishedPractice: boolean;
}

const ANSWERS = "ai_conversations t WHERE t.session_id = h.id AND t.role = 'learner' AND t.deleted_at IS NULL";

/**
 * Returns what was practised on each day. Minutes count immediately. A day counts as practised once its session is
 * finished, and then every day counts on which something was said in it. A session that was continued on another day is
 * divided by the number of answers on each day, whether it is finished or not. A session whose turns are still only on
 * the server counts on the day on which it was started. A day is the learner's own at that time, wherever they are now:
 * the log of words knows the day of everything that was scored; for everything else, the present time zone is used.
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
    const day = first === last ? dayThen(session, { dayNow: first, toLocalDay }) : null;
    if (day === null) ofSeveralDays.set(session.id, session);
    else add(day, session.durationS, session);
  }
  for (const [id, answers] of readAnswers(store, [...ofSeveralDays.keys()])) {
    const session = ofSeveralDays.get(id);
    if (session === undefined) continue;
    for (const { atMs, day } of answers) add(day ?? toLocalDay(atMs), session.durationS / answers.length, session);
  }
  return practiceByDay;
}

/**
 * The day of a session that falls on a single day in the present time zone. Null if it may have spanned several days
 * where the learner was then.
 */
function dayThen(
  { firstAnswerAtMs, firstLoggedAtMs, firstLoggedDay, lastLoggedAtMs, lastLoggedDay }: AnsweredSession,
  { dayNow, toLocalDay }: { dayNow: LocalDay; toLocalDay: (atMs: number) => LocalDay },
): LocalDay | null {
  if (firstLoggedAtMs === null || lastLoggedAtMs === null) return dayNow;
  const [firstNow, lastNow] = [toLocalDay(firstLoggedAtMs), toLocalDay(lastLoggedAtMs)];
  if (firstNow === firstLoggedDay && lastNow === lastLoggedDay) return dayNow;
  if (firstNow === dayNow && lastNow === dayNow && firstLoggedDay === lastLoggedDay) return firstLoggedDay;
  return firstAnswerAtMs === null ? dayNow : null;
}

/**
 * The first and last answers and words are looked up in indexes, so that for 5,000 sessions no turn and two words each
 * are read.
 */
const readAnswered = ({ sqlite, identity }: Store): AnsweredSession[] =>
  sqlite
    .prepare<[string], AnsweredSession>(
      `SELECT h.id AS id, h.duration AS durationS, h.created_at AS startedAtMs, ${finishedIn('h')} AS isFinished,
         (SELECT min(t.said_at) FROM ${ANSWERS}) AS firstAnswerAtMs,
         (SELECT max(t.said_at) FROM ${ANSWERS}) AS lastAnswerAtMs,
         f.at AS firstLoggedAtMs, f.day AS firstLoggedDay, l.at AS lastLoggedAtMs, l.day AS lastLoggedDay
       FROM practice_history h
       LEFT JOIN word_attempts f ON f.rowid = (SELECT min(w.rowid) FROM word_attempts w WHERE w.session_id = h.id)
       LEFT JOIN word_attempts l ON l.rowid = (SELECT max(w.rowid) FROM word_attempts w WHERE w.session_id = h.id)
       WHERE h.user_id = ? AND h.deleted_at IS NULL AND ${answeredIn('h')}`,
    )
    .all(identity().userId);

interface Answer {
  id: string;
  atMs: number;
  /** From the log; null when none of its words was scored. */
  day: LocalDay | null;
}

const readAnswers = ({ sqlite }: Store, sessionIds: readonly string[]): Map<string, Answer[]> =>
  Map.groupBy(
    sqlite
      .prepare<[string], Answer>(
        `WITH sessions AS MATERIALIZED (SELECT value AS id FROM json_each(?)),
         days AS MATERIALIZED (
           SELECT w.turn_id, min(w.day) AS day FROM sessions h JOIN word_attempts w ON w.session_id = h.id
           WHERE w.turn_id IS NOT NULL AND w.kind = 'attempt' GROUP BY w.turn_id)
         SELECT h.id AS id, t.said_at AS atMs, days.day AS day FROM sessions h JOIN ai_conversations t
         ON t.session_id = h.id AND t.role = 'learner' AND t.deleted_at IS NULL AND t.said_at IS NOT NULL
         LEFT JOIN days ON days.turn_id = t.conversation_id`,
      )
      .all(JSON.stringify(sessionIds)),
    ({ id }) => id,
  );

const QUARTER_HOUR_MS = 900_000;

/** Formatting is slow, so each quarter of an hour is formatted once: in every time zone, days begin at one. */
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
