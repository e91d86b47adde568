/** The first screen: the unfinished session, a suggestion, words to train, and the week's progress. */
import type { TodayView } from '@parley/contract';
import {
  type LocalDay,
  localDayFormatter,
  type SessionId,
  startDifficulty,
  streakDays,
  weakestSounds,
  weekOf,
  type WordToTrain,
} from '@parley/domain';
import { and, eq, isNull, max } from 'drizzle-orm';
import type { Catalogue } from '../catalogue/index.ts';
import type { Courses } from '../courses/index.ts';
import type { History } from '../history/index.ts';
import { countDue, practisedDays, readDayTotals, wordsToTrain } from '../review/index.ts';
import {
  industry,
  isBegunOrPractised,
  practiceHistory,
  type PracticeOfDay,
  practiceByDay,
  type Store,
  toMinutes,
  users,
} from '../store/index.ts';
import { suggestLevel } from './suggest-level.ts';
import { suggestPractice } from './suggest-practice.ts';

const WORDS_SHOWN = 5;
/** For some sounds no practice can be suggested, because spelling does not show where they occur. */
const WEAK_SOUNDS = 8;

export interface Today {
  overview(): TodayView;
}

export interface TodayParts {
  store: Store;
  catalogue: Catalogue;
  courses: Pick<Courses, 'joined' | 'assigned'>;
  history: History;
  /** The session that was the newest when the learner last answered a suggestion of another level. */
  levelAnsweredAt: () => SessionId | null;
  /** Called when the screen is read, to look for news from the learner's classes. */
  onOpened: () => void;
}

export function createToday(parts: TodayParts): Today {
  const { store, catalogue, history } = parts;
  const { db } = store;
  const ownSessions = () => and(eq(practiceHistory.userId, store.identity().userId), isNull(practiceHistory.deletedAt));

  /** A session may have a date in the future, from a clock that was ahead. */
  function weekUpTo(
    today: LocalDay,
    practice: ReadonlyMap<LocalDay, PracticeOfDay>,
  ): Pick<TodayView, 'minutesThisWeek' | 'weekDays'> {
    const seconds = weekOf(today).map((day) => ({
      day,
      seconds: day <= today ? (practice.get(day)?.seconds ?? 0) : 0,
    }));
    return {
      minutesThisWeek: Math.round(toMinutes(seconds.reduce((sum, day) => sum + day.seconds, 0))),
      weekDays: seconds.map((day) => ({ day: day.day, minutes: toMinutes(day.seconds) })),
    };
  }

  function suggested(): TodayView['suggested'] {
    const learner = db
      .select({
        englishLevel: users.englishLevel,
        practiceDifficulty: users.practiceDifficulty,
        industry: industry.name,
      })
      .from(users)
      .leftJoin(industry, eq(industry.id, users.industry))
      .where(eq(users.userId, store.identity().userId))
      .get() ?? { englishLevel: null, practiceDifficulty: null, industry: null };
    const practised = db
      .select({ practiceId: practiceHistory.practiceId, lastAt: max(practiceHistory.createdAt) })
      .from(practiceHistory)
      .where(and(ownSessions(), isBegunOrPractised))
      .groupBy(practiceHistory.practiceId)
      .all();
    const cards = catalogue.practices();
    const levels = new Map(cards.map(({ practiceId, level }) => [practiceId, level]));
    const suggestion = suggestPractice(cards, {
      level: learner.englishLevel,
      practised: new Map(practised.map(({ practiceId, lastAt }) => [practiceId, lastAt ?? new Date(0)])),
      industry: learner.industry,
      weakSounds: weakestSounds(readDayTotals(store), WEAK_SOUNDS).map(({ sound }) => sound),
      learnerTexts: (practiceId) =>
        catalogue.learnerTexts(practiceId, startDifficulty(learner, levels.get(practiceId) ?? 'intermediate')),
    });
    return suggestion === null
      ? null
      : { ...suggestion, firstLine: catalogue.firstLine(suggestion.practiceId, learner) };
  }

  return {
    overview() {
      const today = localDayFormatter(store.timeZone())(store.clock.now());
      const practice = practiceByDay(store);
      const days = practisedDays(practice, readDayTotals(store));
      parts.onOpened();
      return {
        unfinished: history.unfinished(),
        suggested: suggested(),
        levelSuggestion: suggestLevel(store, parts.levelAnsweredAt()),
        courses: parts.courses.joined(),
        assignments: parts.courses.assigned(),
        wordsToTrain: wordsToTrain(store, WORDS_SHOWN).map(
          ({ word, ipa, meanAccuracy, worstPhonemes }): WordToTrain => ({
            word,
            ipa,
            accuracy: meanAccuracy,
            worstPhonemes,
          }),
        ),
        wordsDue: countDue(store),
        ...weekUpTo(today, practice),
        hasPractised: days.size > 0,
        streakDays: streakDays(days, today),
      };
    },
  };
}
