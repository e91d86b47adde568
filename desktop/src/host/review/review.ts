/** Review: the words that went wrong, when they are due, and what the learner decides about them. */
import {
  type EarlierAttempt,
  type ListedWord,
  type ReviewClip,
  REVIEW_SESSION_CARDS,
  type ReviewWord,
} from '@parley/contract';
import {
  type AttemptKind,
  daysByGrade,
  describedAttempt,
  listedSpelling,
  localDayFormatter,
  MAX_LISTED_WORDS,
  ok,
  RecordingId,
  type ReviewGrade,
  reviewsUpTo,
  type SessionId,
  type WordAttempt,
  type WordCard,
  type WordClip,
} from '@parley/domain';
import { and, count, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { type HostResult, failed } from '../result/index.ts';
import {
  dayTotals,
  recordings,
  removeRow,
  stateOfWord,
  type Store,
  updateOwnWords,
  wordAttempts,
  wordCards,
} from '../store/index.ts';
import { cardsOfSession, correctedDues, countDue, dueCards, reviewOrder, SHOWN_STATUSES } from './read-cards.ts';
import { addToLog, aLogRow } from './record-attempts.ts';

export interface Review {
  /** The cards of one review, most recent mistakes first, and how many are due in total. */
  due(): { cards: ReviewWord[]; total: number; reviewedToday: number };
  /** The cards of these words, in this order, whether they are due or not. */
  cards(of: { words: readonly string[] }): { cards: ReviewWord[] };
  /** The words that went wrong in a session and are on the list, in the same order. */
  ofSession(of: { sessionId: SessionId }): { words: ListedWord[] };
  words(asked: { search: string }): { words: ListedWord[]; total: number };
  /** Stores the grade; `due` is when the word comes back, or null when it has left the list. */
  grade(graded: { word: string; grade: ReviewGrade; accuracy: number }): StoredAttempt & { due: Date | null };
  /** Undoes a grade, an added word or a mark. */
  undo(at: StoredAttempt): HostResult<void>;
  add(added: { word: string; sentence: string | null }): Promise<HostResult<StoredAttempt>>;
  mark(marked: { word: string; as: 'learned' | 'removed' }): HostResult<StoredAttempt>;
}

interface ReviewParts {
  /** Whether a copy of the recording from another device can be played here. */
  hasCopy: (recordingId: RecordingId) => boolean;
  /**
   * The sounds of a word in IPA; empty when they could not be measured, and null when the word has no known
   * pronunciation.
   */
  pronounce: (word: string) => Promise<string | null>;
}

interface StoredAttempt {
  attemptId: string;
}

/** Attempts stay in the log; only the learner's decisions can be undone. */
const UNDOABLE_KINDS: AttemptKind[] = ['graded', 'added', 'learned', 'removed'];

export function createReview(store: Store, { hasCopy, pronounce }: ReviewParts): Review {
  const { db } = store;

  const hasRecording = (recordingId: string): boolean =>
    db
      .select({ id: recordings.recordingId })
      .from(recordings)
      .where(and(eq(recordings.recordingId, recordingId), eq(recordings.userId, store.identity().userId)))
      .get() !== undefined;

  const toClip = (clip: WordClip | null): ReviewClip | null =>
    clip === null
      ? null
      : {
          ...clip,
          recordingId: RecordingId.parse(clip.recordingId),
          at: new Date(clip.at),
          isHere: hasRecording(clip.recordingId) || hasCopy(RecordingId.parse(clip.recordingId)),
        };

  const toListedWords = (cards: readonly WordCard[]): ListedWord[] => {
    const corrected = correctedDues(store);
    return cards.map((card) => toListedWord({ ...card, due: corrected.get(card.word)?.toISOString() ?? card.due }));
  };

  function toListedWord(card: WordCard): ListedWord {
    const { word, ipa, status, sentence, attempts, meanAccuracy, recent, worstPhonemes, heardAs, due } = card;
    return {
      word,
      ipa,
      status,
      sentence,
      attempts,
      meanAccuracy,
      recent,
      worstPhonemes,
      heardAs,
      due: due === null ? null : new Date(due),
      latest: toClip(card.latest),
      best: toClip(card.best),
    };
  }

  function toReviewWord(card: WordCard): ReviewWord {
    const state = stateOfWord(store, card.word);
    const before = state === null ? null : describedAttempt(state);
    const now = store.clock.now();
    return {
      ...toListedWord(card),
      before: before === null ? null : { at: new Date(before.at), phonemes: toSounds(before) },
      daysByGrade: daysByGrade(state === null ? [] : reviewsUpTo(state, now), now),
    };
  }

  const findCard = (word: string): WordCard | undefined =>
    db
      .select({ card: wordCards.card })
      .from(wordCards)
      .where(and(eq(wordCards.userId, store.identity().userId), eq(wordCards.word, word)))
      .get()?.card;

  return {
    due() {
      const cards = dueCards(store, REVIEW_SESSION_CARDS);
      const { userId } = store.identity();
      const today = localDayFormatter(store.timeZone())(store.clock.now());
      const totals = db
        .select({ totals: dayTotals.totals })
        .from(dayTotals)
        .where(and(eq(dayTotals.userId, userId), eq(dayTotals.day, today)))
        .get()?.totals;
      return {
        cards: cards.map(toReviewWord),
        total: countDue(store),
        reviewedToday: totals?.reviews ?? 0,
      };
    },
    cards({ words }) {
      // An earlier version listed words with other apostrophes, hyphens and spaces.
      const chosen = words.flatMap((word) => [listedSpelling(word), word]);
      const rows = db
        .select({ card: wordCards.card })
        .from(wordCards)
        .where(
          and(
            eq(wordCards.userId, store.identity().userId),
            eq(wordCards.status, 'listed'),
            inArray(wordCards.word, chosen),
          ),
        )
        .all()
        .toSorted((a, b) => chosen.indexOf(a.card.word) - chosen.indexOf(b.card.word));
      return { cards: rows.map(({ card }) => toReviewWord(card)) };
    },
    ofSession({ sessionId }) {
      return { words: toListedWords(cardsOfSession(store, sessionId, SESSION_WORDS_SHOWN)) };
    },
    words({ search }) {
      // A search for a punctuation mark alone has no spelling.
      const searched = listedSpelling(search) || search.trim();
      const pattern = `%${searched.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
      const isShown = and(
        eq(wordCards.userId, store.identity().userId),
        inArray(wordCards.status, SHOWN_STATUSES),
        sql`${wordCards.word} LIKE ${pattern} ESCAPE '\\'`,
      );
      const rows = db
        .select({ card: wordCards.card })
        .from(wordCards)
        .where(isShown)
        .orderBy(desc(eq(wordCards.status, 'listed')), ...reviewOrder())
        .limit(WORDS_SHOWN)
        .all();
      const total = db.select({ total: count() }).from(wordCards).where(isShown).get()?.total ?? 0;
      return { words: toListedWords(rows.map(({ card }) => card)), total: Math.min(total, MAX_LISTED_WORDS) };
    },
    grade({ word, grade, accuracy }) {
      const row = { ...aLogRow(store, store.clock.now()), kind: 'graded', word, grade, accuracy } as const;
      addToLog(store, [{ ...row, source: 'review' }]);
      const due = correctedDues(store).get(word) ?? findCard(word)?.due ?? null;
      return { attemptId: row.id, due: due === null ? null : new Date(due) };
    },
    undo({ attemptId }) {
      const row = db
        .select({ word: wordAttempts.word, day: wordAttempts.day })
        .from(wordAttempts)
        .where(
          and(
            eq(wordAttempts.id, attemptId),
            inArray(wordAttempts.kind, UNDOABLE_KINDS),
            isNull(wordAttempts.deletedAt),
            eq(wordAttempts.userId, store.identity().userId),
          ),
        )
        .get();
      if (row === undefined) return failed('request.invalid');
      store.transaction(() => {
        removeRow(store, 'wordAttempts', attemptId);
        updateOwnWords(store, { words: [row.word], days: [row.day] });
      });
      return ok(undefined);
    },
    async add({ word, sentence }) {
      const spelling = listedSpelling(word);
      if (spelling === '') return failed('request.invalid', { field: 'word' });
      // For a word that was said, the recognised sounds are shown.
      const known = findCard(spelling)?.ipa ?? '';
      const sounds = known === '' ? await pronounce(spelling) : known;
      // Without a pronunciation, the word could never be scored and would be due forever.
      if (sounds === null) return failed('word.no_pronunciation');
      const ipa = sounds.slice(0, MAX_IPA_CHARACTERS);
      const row = { ...aLogRow(store, store.clock.now()), kind: 'added', word: spelling, ipa, sentence } as const;
      addToLog(store, [row]);
      return ok({ attemptId: row.id });
    },
    mark({ word, as }) {
      if (findCard(word) === undefined) return failed('request.invalid', { field: 'word' });
      const row = { ...aLogRow(store, store.clock.now()), kind: as, word };
      addToLog(store, [row]);
      return ok({ attemptId: row.id });
    },
  };
}

const toSounds = ({ phonemes }: Pick<WordAttempt, 'phonemes'>): EarlierAttempt['phonemes'] =>
  phonemes.map(([phoneme, accuracy]) => ({ phoneme, accuracy }));

/** The limit of the log's column. */
const MAX_IPA_CHARACTERS = 120;

/** The number of words of a session that are shown, the same as on Today. */
const SESSION_WORDS_SHOWN = 5;

/** The number of words that the list shows; a search finds the others. */
const WORDS_SHOWN = 200;
