/** Progress: trends, sounds, days and weeks, computed from sessions and from the daily totals of the log. */
import {
  type ActivityDay,
  type ActivityWeek,
  MAX_TREND_POINTS,
  type ProgressRange,
  type ProgressSound,
  type ProgressView,
  type SessionScoresRow,
} from '@parley/contract';
import {
  daysUpTo,
  type LocalDay,
  localDayFormatter,
  mondayOf,
  type ScoreDimension,
  scoreTrend,
  soundProgress,
} from '@parley/domain';
import { eq } from 'drizzle-orm';
import { practisedDays, readDayTotals } from '../review/index.ts';
import { practiceByDay, type Store, toMinutes, users } from '../store/index.ts';
import { readSessions, readSoundExamples, readWordsLearned } from './read-progress.ts';

export interface Progress {
  overview(asked: { range: ProgressRange }): ProgressView;
  sessions(asked: { range: ProgressRange }): SessionScoresRow[];
}

const DAYS_BY_RANGE: Record<ProgressRange, number> = { week: 7, month: 30, all: Number.POSITIVE_INFINITY };
/** The calendar for all time shows six weeks, so that each day stays visible. */
const MAX_CALENDAR_DAYS = 42;
const WEEKS_SHOWN = 12;
const EXAMPLES_PER_SOUND = 2;

type Activity = Omit<ActivityDay, 'day'>;

export function createProgress(store: Store): Progress {
  const { db } = store;
  const toLocalDay = (at: Date): LocalDay => localDayFormatter(store.timeZone())(at);

  const readDays = () => readDayTotals(store).filter(({ totals }) => totals.words > 0 || totals.reviews > 0);

  const levelOf = (): ProgressView['level'] =>
    db.select({ level: users.englishLevel }).from(users).where(eq(users.userId, store.identity().userId)).get()
      ?.level ?? null;

  /** Whether a day is within the range, which ends today. */
  function inRange(range: ProgressRange, today: LocalDay): (day: LocalDay) => boolean {
    const length = DAYS_BY_RANGE[range];
    if (!Number.isFinite(length)) return () => true;
    const first = daysUpTo(today, length)[0] ?? today;
    return (day) => day >= first;
  }

  return {
    overview({ range }) {
      const today = toLocalDay(store.clock.now());
      const isShown = inRange(range, today);
      const sessions = readSessions(store).map((session) => ({ ...session, day: toLocalDay(session.at) }));
      const days = readDays();
      const practice = practiceByDay(store);
      const seconds = new Map([...practice].map(([day, each]) => [day, each.seconds]));
      const activity = activityByDay(seconds, days, practisedDays(practice, days));
      const wordsLearned = readWordsLearned(store);
      const finished = sessions.filter(({ isFinished }) => isFinished);
      const trendOf = (dimension: ScoreDimension): ProgressView['trends']['accuracy'] =>
        scoreTrend(
          finished.map(({ sessionId, at, day, scores }) => ({ sessionId, at, day, score: scores[dimension] })),
          { maxPoints: MAX_TREND_POINTS, isShown: ({ day }) => isShown(day) },
        );
      return {
        totals: {
          practices: finished.length,
          minutes: toMinutes([...seconds.values()].reduce((sum, ofDay) => sum + ofDay, 0)),
          wordsLearned: wordsLearned.length,
          since: [...activity.keys()].reduce<LocalDay | null>(
            (first, day) => (first === null || day < first ? day : first),
            null,
          ),
        },
        today,
        trends: {
          accuracy: trendOf('accuracy'),
          fluency: trendOf('fluency'),
          prosody: trendOf('prosody'),
          completeness: trendOf('completeness'),
        },
        sounds: withExamples(store, days),
        days: daysUpTo(today, Math.min(DAYS_BY_RANGE[range], MAX_CALENDAR_DAYS)).map((day) => ({
          day,
          ...(activity.get(day) ?? { minutes: 0, words: 0, isPractised: false }),
        })),
        weeks: weeksUpTo(today, seconds, wordsLearned),
        level: levelOf(),
      };
    },

    sessions({ range }) {
      const isShown = inRange(range, toLocalDay(store.clock.now()));
      return readSessions(store)
        .filter(({ at, isFinished }) => isFinished && isShown(toLocalDay(at)))
        .map(({ sessionId, at, title, durationS, scores, pron, words }) => ({
          sessionId,
          at,
          title,
          minutes: toMinutes(durationS),
          scores,
          pron,
          words,
        }))
        .toReversed();
    },
  };
}

/** A day with a practice gets a minimum of minutes, so that it does not look like a day with drills only. */
const SOME_MINUTES = 0.1;

function activityByDay(
  secondsByDay: ReadonlyMap<LocalDay, number>,
  days: readonly { day: LocalDay; totals: { words: number } }[],
  practised: ReadonlySet<LocalDay>,
): Map<LocalDay, Activity> {
  const words = new Map(days.map(({ day, totals }) => [day, totals.words]));
  const minutesOf = (seconds: number | undefined): number =>
    seconds === undefined ? 0 : Math.max(SOME_MINUTES, toMinutes(seconds));
  return new Map(
    [...new Set([...secondsByDay.keys(), ...words.keys()])].map((day) => [
      day,
      { minutes: minutesOf(secondsByDay.get(day)), words: words.get(day) ?? 0, isPractised: practised.has(day) },
    ]),
  );
}

/** Entries with a future date, from a clock that was ahead, count in their week once that day has come. */
function weeksUpTo(
  today: LocalDay,
  secondsByDay: ReadonlyMap<LocalDay, number>,
  wordsLearned: readonly LocalDay[],
): ActivityWeek[] {
  const mondays = [...new Set(daysUpTo(today, WEEKS_SHOWN * 7).map(mondayOf))].slice(-WEEKS_SHOWN);
  const weeks = new Map(mondays.map((monday) => [monday, { monday, seconds: 0, wordsLearned: 0 }]));
  for (const [day, seconds] of secondsByDay) {
    const week = weeks.get(mondayOf(day));
    if (week !== undefined && day <= today) week.seconds += seconds;
  }
  for (const day of wordsLearned) {
    const week = weeks.get(mondayOf(day));
    if (week !== undefined) week.wordsLearned += 1;
  }
  return [...weeks.values()].map(({ seconds, ...week }) => ({ ...week, minutes: toMinutes(seconds) }));
}

function withExamples(store: Store, days: Parameters<typeof soundProgress>[0]): ProgressSound[] {
  const examples = readSoundExamples(store, EXAMPLES_PER_SOUND);
  return soundProgress(days).map((sound) => ({ ...sound, examples: examples.get(sound.sound) ?? [] }));
}
