/** Finds a practice in which a sound that the learner is working on comes up. */
import type { PracticeCard } from '@parley/contract';
import type { PracticeId } from '@parley/domain';
import { wordsWithSound } from './words-with-sound.ts';

export interface PracticeWithSound {
  practiceId: PracticeId;
  /** Two of its useful words that have the sound. */
  words: [string, string];
}

/** The first practice with at least two useful words that have the sound; null when there is none. */
export function findPracticeWithSound(
  sound: string,
  cards: readonly Pick<PracticeCard, 'practiceId'>[],
  usefulWords: (practiceId: PracticeId) => readonly string[],
): PracticeWithSound | null {
  for (const { practiceId } of cards) {
    const [one, other] = wordsWithSound(sound, usefulWords(practiceId));
    if (one !== undefined && other !== undefined) return { practiceId, words: [one, other] };
  }
  return null;
}
