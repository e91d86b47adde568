/** Reads the learner's words in the order in which every screen shows them, and what was reviewed on each day. */
import {
  dueAsOf,
  isPractisedDay,
  listedSpelling,
  type LocalDay,
  localDayFormatter,
  nextLocalDay,
  type SessionId,
  wentWrong,
  type WordCard,
  type WordStatus,
} from '@parley/domain';
import { and, asc, count, desc, eq, gt, gte, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { dayTotals, practiceHistory, type PracticeOfDay, type Store, wordAttempts, wordCards } from '../store/index.ts';

/** Words with these statuses are on the list that the learner sees. */
export const SHOWN_STATUSES: WordStatus[] = ['listed', 'graduated', 'learned'];

/** How many words are due by the end of the learner's day. */
export const countDue = (store: Store): number =>
  store.db.select({ total: count() }).from(wordCards).where(isDue(store)).get()?.total ?? 0;

/** The words that the learner has removed from their list. */
export const readRemovedWords = (store: Store): Set<string> =>
  new Set(
    store.db
      .select({ word: wordCards.word })
      .from(wordCards)
      .where(and(eq(wordCards.userId, store.identity().userId), eq(wordCards.status, 'removed')))
      .all()
      .map(({ word }) => word),
  );

/** The learner's attempts and reviews on each day. */
export const readDayTotals = (store: Store): Pick<typeof dayTotals.$inferSelect, 'day' | 'totals'>[] =>
  store.db
    .select({ day: dayTotals.day, totals: dayTotals.totals })
    .from(dayTotals)
    .where(eq(dayTotals.userId, store.identity().userId))
    .all();

/** The days that count as practised, because of a finished practice or enough reviewed words. */
export function practisedDays(
  practice: ReadonlyMap<LocalDay, PracticeOfDay>,
  reviewed: ReturnType<typeof readDayTotals>,
): Set<LocalDay> {
  const reviewsByDay = new Map(reviewed.map(({ day, totals }) => [day, totals.reviews]));
  return new Set(
    [...practice.keys(), ...reviewsByDay.keys()].filter((day) =>
      isPractisedDay({
        hasFinishedPractice: practice.get(day)?.hasFinishedPractice ?? false,
        reviews: reviewsByDay.get(day) ?? 0,
      }),
    ),
  );
}

/** Most recent mistakes first, and the worst of those first. Every list of words to train has this order. */
export const reviewOrder = (): SQL[] => [
  desc(wordCards.lastWrongAt),
  sql`${wordCards.card} ->> '$.meanAccuracy'`,
  asc(wordCards.word),
];

const cardsWhere = (store: Store, condition: SQL | undefined, limit: number): WordCard[] =>
  store.db
    .select({ card: wordCards.card })
    .from(wordCards)
    .where(and(eq(wordCards.userId, store.identity().userId), condition))
    .orderBy(...reviewOrder())
    .limit(limit)
    .all()
    .map(({ card }) => card);

export const dueCards = (store: Store, limit: number): WordCard[] => cardsWhere(store, isDue(store), limit);

/** The words that a review shows next; when none are due, those that will come back. */
export function wordsToTrain(store: Store, limit: number): WordCard[] {
  const due = dueCards(store, limit);
  return due.length > 0 ? due : cardsWhere(store, eq(wordCards.status, 'listed'), limit);
}

function isDue(store: Store): SQL | undefined {
  const tomorrow = nextLocalDay(store.clock.now(), store.timeZone());
  const corrected = [...correctedDues(store)].flatMap(([word, due]) => (due < tomorrow ? [word] : []));
  const isBefore = lt(wordCards.due, tomorrow);
  return and(
    eq(wordCards.userId, store.identity().userId),
    eq(wordCards.status, 'listed'),
    corrected.length === 0
      ? isBefore
      : or(isBefore, sql`${wordCards.word} in (select value from json_each(${JSON.stringify(corrected)}))`),
  );
}

/**
 * Corrected due dates of words that would otherwise wait for a day in the future, because a device's clock was once
 * ahead. There are hardly ever any.
 */
export function correctedDues(store: Store): Map<string, Date> {
  const now = store.clock.now();
  const { userId } = store.identity();
  const today = localDayFormatter(store.timeZone())(now);
  const ahead = store.db
    .selectDistinct({ word: wordAttempts.word })
    .from(wordAttempts)
    .where(and(eq(wordAttempts.userId, userId), gt(wordAttempts.day, today), isNull(wordAttempts.deletedAt)))
    .all()
    .map(({ word }) => word);
  if (ahead.length === 0) return new Map();
  const rows = store.db
    .select({ word: wordCards.word, state: wordCards.state })
    .from(wordCards)
    .where(
      and(
        eq(wordCards.userId, userId),
        eq(wordCards.status, 'listed'),
        gte(wordCards.due, nextLocalDay(now, store.timeZone())),
        sql`${wordCards.word} in (select value from json_each(${JSON.stringify(ahead)}))`,
      ),
    )
    .all();
  return new Map(rows.flatMap(({ word, state }) => (state === null ? [] : [[word, dueAsOf(state, now)]])));
}

/** The words that went wrong in a session and are on the list. */
export const cardsOfSession = (store: Store, sessionId: SessionId, limit: number): WordCard[] =>
  cardsWhere(
    store,
    and(inArray(wordCards.status, SHOWN_STATUSES), inArray(wordCards.word, wordsOfSession(store, sessionId))),
    limit,
  );

/** The words of a session from before the log are only in its feedback. */
function wordsOfSession(store: Store, sessionId: SessionId): string[] {
  const { userId } = store.identity();
  const logged = store.db
    .select({ word: wordAttempts.word, accuracy: wordAttempts.accuracy, phonemes: wordAttempts.phonemes })
    .from(wordAttempts)
    .where(and(eq(wordAttempts.sessionId, sessionId), eq(wordAttempts.userId, userId), isNull(wordAttempts.deletedAt)))
    .all();
  if (logged.length > 0) return [...new Set(logged.filter(wentWrong).map(({ word }) => word))];
  const session = store.db
    .select({ feedback: practiceHistory.feedback })
    .from(practiceHistory)
    .where(and(eq(practiceHistory.id, sessionId), eq(practiceHistory.userId, userId)))
    .get();
  return session?.feedback?.wordsToTrain.map(({ word }) => listedSpelling(word)) ?? [];
}
