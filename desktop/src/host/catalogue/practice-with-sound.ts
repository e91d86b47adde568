/** Finds a practice that contains a sound the learner is working on. */
import type { PracticeCard } from '@parley/contract';
import type { PracticeId } from '@parley/domain';
import { hasKnownSpelling, wordsWithSound } from './words-with-sound.ts';

export interface PracticeWithSound {
  practiceId: PracticeId;
  /** Two words that contain the sound. */
  words: [string, string];
}

/** Finds the practice in which the learner may say the most words with the sound; null when none has two. */
export function findPracticeWithSound(
  sound: string,
  cards: readonly Pick<PracticeCard, 'practiceId'>[],
  learnerTexts: (practiceId: PracticeId) => readonly string[],
): PracticeWithSound | null {
  if (!hasKnownSpelling(sound)) return null;
  const [best] = cards
    .map(({ practiceId }) => ({ practiceId, words: wordsWithSound(sound, learnerTexts(practiceId)) }))
    .toSorted((a, b) => b.words.length - a.words.length);
  const [one, other] = best?.words ?? [];
  if (best === undefined || one === undefined || other === undefined) return null;
  return { practiceId: best.practiceId, words: [one, other] };
}
