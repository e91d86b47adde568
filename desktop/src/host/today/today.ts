/** The first screen: what was left unfinished, what to do next, how the week is going. */
import type { TodayView } from '@parley/contract';
import { localDays, type PronunciationWord, type WordToTrain } from '@parley/domain';
import { and, desc, eq, gte, isNull } from 'drizzle-orm';
import type { Catalogue } from '../catalogue/index.ts';
import type { History } from '../history/index.ts';
import { readWordList } from '../review/index.ts';
import { practiceHistory, type Store, users } from '../store/index.ts';
import { mondayOf, streakDays } from './local-days.ts';
import { suggestPractice } from './suggest-practice.ts';

const WORDS_SHOWN = 5;
/** A word at or above this needs no training for now. */
const TRAINED_FROM = 80;
/** No week is longer, whatever its time zone does. */
const LONGEST_WEEK_MS = 8 * 86_400_000;

export interface Today {
  overview(): TodayView;
}

export function createToday(parts: { store: Store; catalogue: Catalogue; history: History; timeZone: string }): Today {
  const { store, catalogue, history } = parts;
  const { db } = store;
  const toLocalDay = localDays(parts.timeZone);
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
      .select({ startedAt: practiceHistory.createdAt })
      .from(practiceHistory)
      .where(and(ownSessions(), eq(practiceHistory.status, 'completed')))
      .orderBy(desc(practiceHistory.createdAt))
      .all();
    return new Set(rows.map(({ startedAt }) => toLocalDay(startedAt)));
  }

  function suggested(): TodayView['suggested'] {
    const learner = db
      .select({ level: users.englishLevel })
      .from(users)
      .where(eq(users.userId, store.identity().userId))
      .get();
    const practised = db
      .selectDistinct({ practiceId: practiceHistory.practiceId })
      .from(practiceHistory)
      .where(ownSessions())
      .all();
    return suggestPractice(catalogue.practices(), {
      level: learner?.level ?? null,
      practised: new Set(practised.map(({ practiceId }) => practiceId)),
    });
  }

  return {
    overview() {
      const now = store.clock.now();
      return {
        unfinished: history.unfinished(),
        suggested: suggested(),
        wordsToTrain: wordsToTrain(readWordList(store)),
        minutesThisWeek: minutesThisWeek(now),
        streakDays: streakDays(practisedDays(), toLocalDay(now)),
      };
    },
  };
}

const wordsToTrain = (words: readonly PronunciationWord[]): WordToTrain[] =>
  words
    .filter((word) => word.meanAccuracy < TRAINED_FROM)
    .toSorted((a, b) => a.meanAccuracy - b.meanAccuracy)
    .slice(0, WORDS_SHOWN)
    .map(({ word, ipa, meanAccuracy, worstPhonemes }) => ({ word, ipa, accuracy: meanAccuracy, worstPhonemes }));
