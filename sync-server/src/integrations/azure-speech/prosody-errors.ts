/** Pauses and melody as errors, decided from the confidences that Azure gives instead of a verdict. */
import type { WordError } from '@parley/domain';
import type { PhraseWord } from './phrase.ts';

/**
 * "Suggested thresholds on both confidence scores are 0.75. That means, if the value of UnexpectedBreak – Confidence is larger than
 * 0.75, it has an unexpected break", and the same for a missing one: Microsoft Learn, "Use pronunciation assessment". Both speak of the
 * place before the word.
 */
export const UNEXPECTED_BREAK_ABOVE = 0.75;
export const MISSING_BREAK_ABOVE = 0.75;

/**
 * Azure's own verdict on the melody is the error type `Monotone`; beside it the newer answers carry a confidence, which is held to the
 * same threshold. `SyllablePitchDeltaConfidence` is not read: Microsoft reserves it for thresholds of one's own without saying which way
 * it counts, and published answers have 0.88 to 1.0 without the verdict and 0.19 with it.
 */
export const MONOTONE_ABOVE = 0.75;

const prosodyOf = (word: PhraseWord) => word.PronunciationAssessment?.Feedback?.Prosody;

export function breakBefore(word: PhraseWord): Extract<WordError, 'UnexpectedBreak' | 'MissingBreak'> | null {
  const told = word.PronunciationAssessment?.ErrorType;
  if (told === 'UnexpectedBreak' || told === 'MissingBreak') return told;
  const unexpected = prosodyOf(word)?.Break?.UnexpectedBreak?.Confidence ?? 0;
  const missing = prosodyOf(word)?.Break?.MissingBreak?.Confidence ?? 0;
  if (unexpected > UNEXPECTED_BREAK_ABOVE && unexpected >= missing) return 'UnexpectedBreak';
  return missing > MISSING_BREAK_ABOVE ? 'MissingBreak' : null;
}

/** Found on the whole utterance, and told on every word of it alike. */
export function isMonotone(words: readonly PhraseWord[]): boolean {
  return words.some((word) => {
    const intonation = prosodyOf(word)?.Intonation;
    return (
      word.PronunciationAssessment?.ErrorType === 'Monotone' ||
      intonation?.ErrorTypes?.includes('Monotone') === true ||
      (intonation?.Monotone?.Confidence ?? 0) > MONOTONE_ABOVE
    );
  });
}
