/** Which words of a session go onto the learner's list, and the list's one row. */
import {
  type Assessment,
  recordWordAttempt,
  type PronunciationWords,
  TRAIN_PHONEME_BELOW,
  TRAIN_WORD_BELOW,
  type WordAssessment,
  type WordToTrain,
} from '@parley/domain';
import { eq } from 'drizzle-orm';
import { insertRow, pronunciationImprovementSummary, type Store, updateRow } from '../store/index.ts';

const WORST_SHOWN = 3;

const isWeak = (word: WordAssessment & { accuracy: number }): boolean =>
  word.accuracy < TRAIN_WORD_BELOW || worstPhonemes(word).length > 0;

/** Sounds under the bar, worst first. */
function worstPhonemes(word: WordAssessment): string[] {
  const weak = word.phonemes.flatMap(({ phoneme, accuracy }) =>
    accuracy !== null && accuracy < TRAIN_PHONEME_BELOW ? [{ phoneme, accuracy }] : [],
  );
  const sorted = weak.toSorted((a, b) => a.accuracy - b.accuracy).map(({ phoneme }) => phoneme);
  return [...new Set(sorted)].slice(0, WORST_SHOWN);
}

interface SpokenWord extends WordToTrain {
  isWeak: boolean;
}

function spokenWords(assessments: readonly Assessment[]): SpokenWord[] {
  return assessments
    .filter((assessment) => assessment.unusable === undefined)
    .flatMap((assessment) => assessment.words)
    .flatMap((word) => {
      const { accuracy } = word;
      if (accuracy === null || word.error === 'Omission' || word.error === 'Insertion') return [];
      return [
        {
          word: word.word.toLowerCase(),
          ipa: word.phonemes.map(({ phoneme }) => phoneme).join(''),
          accuracy,
          worstPhonemes: worstPhonemes(word),
          isWeak: isWeak({ ...word, accuracy }),
        },
      ];
    });
}

/** Folds a session into the list: weak words enter it, words that are on it move. */
export function foldIntoList(
  list: PronunciationWords,
  assessments: readonly Assessment[],
  { at, deviceId }: { at: Date; deviceId: string },
): PronunciationWords {
  return spokenWords(assessments).reduce((words, { isWeak: isNewlyWeak, ...attempt }) => {
    if (!isNewlyWeak && !words.some((entry) => entry.word === attempt.word)) return words;
    return recordWordAttempt(words, { ...attempt, at: at.toISOString(), deviceId });
  }, list);
}

export function readWordList(store: Store): PronunciationWords {
  const row = store.db
    .select({ words: pronunciationImprovementSummary.words })
    .from(pronunciationImprovementSummary)
    .where(eq(pronunciationImprovementSummary.userId, store.identity().userId))
    .get();
  return row?.words ?? [];
}

/** Call it inside the transaction that completes a session. */
export function storeWordList(store: Store, assessments: readonly Assessment[]): void {
  const { userId } = store.identity();
  const known = store.db
    .select({ id: pronunciationImprovementSummary.id, words: pronunciationImprovementSummary.words })
    .from(pronunciationImprovementSummary)
    .where(eq(pronunciationImprovementSummary.userId, userId))
    .get();
  const words = foldIntoList(known?.words ?? [], assessments, { at: store.clock.now(), deviceId: store.attemptKey() });
  if (known !== undefined) updateRow(store, 'pronunciationImprovementSummary', known.id, { words });
  // One list a learner: two devices that start it offline must start the same row.
  else if (words.length > 0) insertRow(store, 'pronunciationImprovementSummary', { id: userId, userId, words });
}
