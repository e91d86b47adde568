/** The first screen: the unfinished session, a suggestion, words to train, and the week's progress. */
import type { TodayView } from '@parley/contract';
import {
  DIFFICULTY_BY_LEVEL,
  localDayFormatter,
  mondayOf,
  type SessionId,
  type ToLocalDay,
  weakestSounds,
  type WordToTrain,
} from '@parley/domain';
import { and, eq, gte, isNull } from 'drizzle-orm';
import type { Catalogue } from '../catalogue/index.ts';
import type { Courses } from '../courses/index.ts';
import type { History } from '../history/index.ts';
import { countDue, readDayTotals, reviewDays, wordsToTrain } from '../review/index.ts';
import {
  industry,
  isBegunOrPractised,
  isPractised,
  lastAnswerAtMs,
  practiceHistory,
  type Store,
  users,
} from '../store/index.ts';
import { streakDays } from './streak-days.ts';
import { suggestLevel } from './suggest-level.ts';
import { suggestPractice } from './suggest-practice.ts';

const WORDS_SHOWN = 5;
/** For some sounds no practice can be suggested, because the spelling does not show where they are. */
const WEAK_SOUNDS = 8;
/** No week is longer than this in any time zone. */
const LONGEST_WEEK_MS = 8 * 86_400_000;

export interface Today {
  overview(): TodayView;
}

export interface TodayParts {
  store: Store;
  catalogue: Catalogue;
  courses: Pick<Courses, 'joined' | 'assigned'>;
  history: History;
  /** The newest session when the learner last answered a suggestion of another level. */
  levelAnsweredAt: () => SessionId | null;
  /** Called when the screen is read, to look for news of the learner's classes. */
  onOpened: () => void;
}

export function createToday(parts: TodayParts): Today {
  const { store, catalogue, history } = parts;
  const { db } = store;
  const toLocalDay: ToLocalDay = (at) => localDayFormatter(store.timeZone())(at);
  const ownSessions = () => and(eq(practiceHistory.userId, store.identity().userId), isNull(practiceHistory.deletedAt));

  function minutesThisWeek(now: Date): number {
    const monday = mondayOf(toLocalDay(now));
    const seconds = db
      .select({ startedAt: practiceHistory.createdAt, duration: practiceHistory.duration })
      .from(practiceHistory)
      .where(and(ownSessions(), gte(practiceHistory.createdAt, new Date(now.getTime() - LONGEST_WEEK_MS))))
      .all()
      .filter(({ startedAt }) => toLocalDay(startedAt) >= monday)
      .reduce((sum, { duration }) => sum + duration, 0);
    return Math.round(seconds / 60);
  }

  function practisedDays(): Set<string> {
    const rows = db
      .select({ startedAt: practiceHistory.createdAt, lastAnswerAtMs })
      .from(practiceHistory)
      .where(and(ownSessions(), isPractised))
      .all();
    const days = rows.flatMap((row) => [toLocalDay(row.startedAt), toLocalDay(new Date(row.lastAnswerAtMs))]);
    return new Set([...days, ...reviewDays(store)]);
  }

  function suggested(): TodayView['suggested'] {
    const learner = db
      .select({ level: users.englishLevel, industry: industry.name })
      .from(users)
      .leftJoin(industry, eq(industry.id, users.industry))
      .where(eq(users.userId, store.identity().userId))
      .get();
    const practised = db
      .selectDistinct({ practiceId: practiceHistory.practiceId })
      .from(practiceHistory)
      .where(and(ownSessions(), isBegunOrPractised))
      .all();
    const level = learner?.level ?? null;
    const suggestion = suggestPractice(catalogue.practices(), {
      level,
      practised: new Set(practised.map(({ practiceId }) => practiceId)),
      industry: learner?.industry ?? null,
      weakSounds: weakestSounds(readDayTotals(store), WEAK_SOUNDS).map(({ sound }) => sound),
      learnerTexts: (practiceId) => catalogue.learnerTexts(practiceId, DIFFICULTY_BY_LEVEL[level ?? 'intermediate']),
    });
    return suggestion === null ? null : { ...suggestion, firstLine: catalogue.firstLine(suggestion.practiceId, level) };
  }

  return {
    overview() {
      const now = store.clock.now();
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
        minutesThisWeek: minutesThisWeek(now),
        streakDays: streakDays(practisedDays(), toLocalDay(now)),
      };
    },
  };
}
