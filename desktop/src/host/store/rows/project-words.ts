/**
 * Computes word cards and day totals from the attempt log, and adds the counts of app versions without the log to it.
 */
import {
  cardOf,
  continueWord,
  countedAttemptId,
  type DayTotals,
  type LearnerId,
  LOG_COUNT_KEY,
  MAX_LISTED_WORDS,
  type PronunciationWord,
  quickParser,
  replayWord,
  toListEntry,
  totalsOfDay,
  type WordAttempt,
  type WordCard,
  WordState,
} from '@parley/domain';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { dayTotals, wordCards } from '../schema/device-tables.ts';
import { pronunciationImprovementSummary, wordAttempts } from '../schema/tables.ts';
import type { Store } from '../store.ts';
import type { NewRow } from '../schema/learner-keys.ts';
import { prepareOnce, prepareRowStatement, valuePlaceholder } from './prepared-statements.ts';
import { findSyncState } from './sync-state.ts';
import { changeRow, insertRow } from './write-row.ts';

/** The words and days affected by new or deleted rows of the log. */
interface Touched {
  words: Iterable<string>;
  days: Iterable<string>;
  /**
   * The rows, if all of them are new here and none is deleted; the stored states and totals are then continued.
   * Otherwise, all rows of the words and days are read again.
   */
  added?: readonly WordAttempt[];
}

const columns = {
  id: wordAttempts.id,
  kind: wordAttempts.kind,
  at: wordAttempts.at,
  day: wordAttempts.day,
  word: wordAttempts.word,
  ipa: wordAttempts.ipa,
  accuracy: wordAttempts.accuracy,
  phonemes: wordAttempts.phonemes,
  source: wordAttempts.source,
  recordingId: wordAttempts.recordingId,
  startMs: wordAttempts.startMs,
  endMs: wordAttempts.endMs,
  sentence: wordAttempts.sentence,
  grade: wordAttempts.grade,
  attempts: wordAttempts.attempts,
  countedBy: wordAttempts.countedBy,
};

/** A first sync computes thousands of words, for each of which building these statements takes longer than running them. */
const selectRowsOfWord = prepareOnce(({ db }) =>
  db
    .select(columns)
    .from(wordAttempts)
    .where(
      and(
        eq(wordAttempts.userId, sql.placeholder('userId')),
        eq(wordAttempts.word, sql.placeholder('word')),
        isNull(wordAttempts.deletedAt),
      ),
    )
    .prepare(),
);

const upsertCard = prepareOnce((store) => {
  const upsert = store.db
    .insert(wordCards)
    .values({
      userId: valuePlaceholder('userId'),
      word: valuePlaceholder('word'),
      status: valuePlaceholder('status'),
      due: valuePlaceholder('due'),
      lastWrongAt: valuePlaceholder('lastWrongAt'),
      masteredDay: valuePlaceholder('masteredDay'),
      card: valuePlaceholder('card'),
      state: valuePlaceholder('state'),
    })
    .onConflictDoUpdate({
      target: [wordCards.userId, wordCards.word],
      set: {
        status: sql`excluded.status`,
        masteredDay: sql`excluded.mastered_day`,
        card: sql`excluded.card`,
        state: sql`excluded.state`,
        due: sql`excluded.due`,
        lastWrongAt: sql`excluded.last_wrong_at`,
      },
    });
  return prepareRowStatement(store, wordCards, upsert.toSQL());
});

const rowsOfWord = (store: Store, userId: LearnerId, word: string): WordAttempt[] =>
  selectRowsOfWord(store).all({ userId, word });

const selectRowsOfDay = prepareOnce(({ db }) =>
  db
    .select({ kind: wordAttempts.kind, accuracy: wordAttempts.accuracy, phonemes: wordAttempts.phonemes })
    .from(wordAttempts)
    .where(
      and(
        eq(wordAttempts.userId, sql.placeholder('userId')),
        eq(wordAttempts.day, sql.placeholder('day')),
        isNull(wordAttempts.deletedAt),
      ),
    )
    .prepare(),
);

const upsertTotals = prepareOnce((store) => {
  const upsert = store.db
    .insert(dayTotals)
    .values({
      userId: valuePlaceholder('userId'),
      day: valuePlaceholder('day'),
      totals: valuePlaceholder('totals'),
    })
    .onConflictDoUpdate({ target: [dayTotals.userId, dayTotals.day], set: { totals: sql`excluded.totals` } });
  return prepareRowStatement(store, dayTotals, upsert.toSQL());
});

const asDate = (iso: string | null): Date | null => (iso === null ? null : new Date(iso));

/** Call this inside the transaction that changed the log, once for all its rows. */
export function updateWords(store: Store, touched: Touched): void {
  projectWords(store, touched, () => undefined);
}

/**
 * Does the same as `updateWords`, for rows that this device added to or deleted from the log. App versions that do not
 * know the log read the words in `pronunciation_improvement_summary`, so they are rewritten there. Rows from other
 * devices rewrite nothing, so that two devices do not trigger each other forever.
 */
export function updateOwnWords(store: Store, touched: Touched): void {
  const entries: PronunciationWord[] = [];
  projectWords(store, touched, (card, state) => {
    const entry = toListEntry(card, state);
    if (entry !== null) entries.push(entry);
  });
  updateListEntries(store, entries);
}

const selectCard = prepareOnce(({ db }) =>
  db
    .select({ card: sql<string>`${wordCards.card}`, state: wordCards.state })
    .from(wordCards)
    .where(and(eq(wordCards.userId, sql.placeholder('userId')), eq(wordCards.word, sql.placeholder('word'))))
    .prepare(),
);

/** A common word has thousands of rows, so its state is continued where possible. */
function stateWith(store: Store, userId: LearnerId, word: string, added: readonly WordAttempt[]): WordState | null {
  const known = added.length === 0 ? null : storedState(store, userId, word);
  const continued = known === null ? null : continueWord(known, added);
  return continued ?? replayWord(rowsOfWord(store, userId, word));
}

const parseState = quickParser(WordState);

function storedState(store: Store, userId: LearnerId, word: string): WordState | null {
  const known = selectCard(store).get({ userId, word });
  const state = parseState(known?.state);
  // If the two differ, an app version without states has written a card since.
  return state !== undefined && JSON.stringify(cardOf(state)) === known?.card ? state : null;
}

/** Returns the state derived from a word's rows; null if it has none. */
export function stateOfWord(store: Store, word: string): WordState | null {
  const { userId } = store.identity();
  return storedState(store, userId, word) ?? replayWord(rowsOfWord(store, userId, word));
}

function projectWords(
  store: Store,
  { words, days, added = [] }: Touched,
  onCard: (card: WordCard, state: WordState) => void,
): void {
  const { db } = store;
  const { userId } = store.identity();
  const addedByWord = Map.groupBy(added, ({ word }) => word);
  for (const word of words) {
    const state = stateWith(store, userId, word, addedByWord.get(word) ?? []);
    if (state === null) {
      db.delete(wordCards)
        .where(and(eq(wordCards.userId, userId), eq(wordCards.word, word)))
        .run();
      continue;
    }
    const card = cardOf(state);
    const { status, masteredDay } = card;
    const values = { status, masteredDay, card, state, due: asDate(card.due), lastWrongAt: asDate(card.lastWrongAt) };
    upsertCard(store)({ userId, word, ...values });
    onCard(card, state);
  }
  const addedByDay = Map.groupBy(added, ({ day }) => day);
  for (const day of days) {
    upsertTotals(store)({ userId, day, totals: totalsWith(store, userId, day, addedByDay.get(day) ?? []) });
  }
  store.markChanged('word_attempts');
}

function totalsWith(store: Store, userId: LearnerId, day: string, added: readonly WordAttempt[]): DayTotals {
  const known =
    added.length === 0
      ? undefined
      : store.db
          .select({ totals: dayTotals.totals })
          .from(dayTotals)
          .where(and(eq(dayTotals.userId, userId), eq(dayTotals.day, day)))
          .get();
  return known === undefined
    ? totalsOfDay(selectRowsOfDay(store).all({ userId, day }))
    : totalsOfDay(added, known.totals);
}

/** Recomputes everything, after rows of the log were moved or restored, or changed without `updateWords`. */
export function rebuildWords(store: Store): void {
  const { userId } = store.identity();
  store.transaction(() => {
    store.db.delete(wordCards).run();
    store.db.delete(dayTotals).run();
    const own = eq(wordAttempts.userId, userId);
    const words = store.db.selectDistinct({ word: wordAttempts.word }).from(wordAttempts).where(own).all();
    const days = store.db.selectDistinct({ day: wordAttempts.day }).from(wordAttempts).where(own).all();
    updateWords(store, { words: words.map(({ word }) => word), days: days.map(({ day }) => day) });
  });
}

/**
 * Whether a running pull will compute all words at its end, so that its pages need not. This is stored with each page,
 * so that a crash does not leave words uncomputed.
 */
export function mayLeaveWords(store: Store): boolean {
  const { olderCursor, resync } = findSyncState(store) ?? { olderCursor: null, resync: null };
  return olderCursor !== null || resync !== null;
}

/** Computes the words of a pull that was interrupted. */
export function computeLeftWords(store: Store): void {
  if (mayLeaveWords(store)) rebuildWords(store);
}

const summaryOf = (store: Store, userId: LearnerId): typeof pronunciationImprovementSummary.$inferSelect | undefined =>
  store.db
    .select()
    .from(pronunciationImprovementSummary)
    .where(and(eq(pronunciationImprovementSummary.userId, userId), isNull(pronunciationImprovementSummary.deletedAt)))
    .get();

const loggedAttempts = ({ counts }: PronunciationWord): number => counts?.[LOG_COUNT_KEY]?.attempts ?? 0;

function updateListEntries(store: Store, changed: readonly PronunciationWord[]): void {
  const { userId } = store.identity();
  const summary = summaryOf(store, userId);
  const known = new Map(summary?.words.map((entry) => [entry.word, entry]));
  const entries = new Map(known);
  for (const entry of changed) {
    const listed = known.get(entry.word);
    if (listed === undefined && entries.size >= MAX_LISTED_WORDS) continue;
    if (listed === undefined || loggedAttempts(entry) >= loggedAttempts(listed)) entries.set(entry.word, entry);
  }
  const list = [...entries.values()].toSorted((a, b) => (a.word < b.word ? -1 : 1));
  if (summary !== undefined) changeRow(store, 'pronunciationImprovementSummary', summary, { words: list });
  // The learner's id is the row's id, so that two devices which start the list offline create the same row.
  else if (list.length > 0) insertRow(store, 'pronunciationImprovementSummary', { id: userId, userId, words: list });
}

/** The key for attempts from before lists were counted by device. */
const UNATTRIBUTED_KEY = 'before';

/**
 * Adds the counts of the learner's list to the log: once after the upgrade, and again when an app version without the
 * log has counted further. Two devices that do this create the same rows. Returns the words that were added.
 */
export function carryCountsIntoLog(store: Store): string[] {
  const { userId } = store.identity();
  const counted = (summaryOf(store, userId)?.words ?? []).flatMap((entry) => countedRows(userId, entry));
  const missing = counted.filter(({ id }) => !isLogged(store, id));
  if (missing.length === 0) return [];
  store.transaction(() => {
    for (const row of missing) insertRow(store, 'wordAttempts', row);
    updateWords(store, { words: new Set(missing.map(({ word }) => word)), days: [] });
  });
  return missing.map(({ word }) => word);
}

const selectLogged = prepareOnce(({ db }) =>
  db
    .select({ id: wordAttempts.id })
    .from(wordAttempts)
    .where(eq(wordAttempts.id, sql.placeholder('id')))
    .prepare(),
);

/** Whether the row is here, even as a deleted one. */
export const isLogged = (store: Store, id: string): boolean => selectLogged(store).get({ id }) !== undefined;

type NewAttempt = NewRow<'wordAttempts'>;

function countedRows(userId: LearnerId, entry: PronunciationWord): NewAttempt[] {
  const { word, ipa, worstPhonemes, lastPracticedAt } = entry;
  const total = { attempts: entry.attempts, meanAccuracy: entry.meanAccuracy };
  const counts = entry.counts ?? { [UNATTRIBUTED_KEY]: total };
  return Object.entries(counts).flatMap(([countedBy, { attempts, meanAccuracy }]): NewAttempt[] => {
    if (countedBy === LOG_COUNT_KEY || attempts === 0) return [];
    return [
      {
        id: countedAttemptId({ userId, word, countedBy, attempts }),
        userId,
        kind: 'counted',
        at: new Date(lastPracticedAt),
        day: lastPracticedAt.slice(0, 10),
        word,
        ipa,
        accuracy: meanAccuracy,
        phonemes: worstPhonemes.map((phoneme) => [phoneme, null, null]),
        source: null,
        sessionId: null,
        turnId: null,
        recordingId: null,
        startMs: null,
        endMs: null,
        sentence: null,
        grade: null,
        attempts,
        countedBy,
      },
    ];
  });
}
