/** Pauses and melody as errors. Azure's verdict decides; its confidence may only overrule a verdict of which it is unsure. */
import type { WordError } from '@parley/domain';
import type { PhraseWord } from './phrase.ts';

/**
 * "Suggested thresholds on both confidence scores are 0.75": Microsoft Learn, "Use pronunciation assessment". A confidence alone is no
 * verdict: published answers for fluent speech have a `MissingBreak` confidence of 0.96 to 1 on nearly every word beside the error type
 * `None`.
 */
export const SURE_ABOVE = 0.75;

const prosodyOf = (word: PhraseWord) => word.PronunciationAssessment?.Feedback?.Prosody;

/** The error of the pause before the word; null when there is none. */
export function breakBefore(word: PhraseWord): Extract<WordError, 'UnexpectedBreak' | 'MissingBreak'> | null {
  const errorType = word.PronunciationAssessment?.ErrorType;
  if (errorType === 'UnexpectedBreak' || errorType === 'MissingBreak') return errorType;
  const { ErrorTypes: verdicts = [], UnexpectedBreak, MissingBreak } = prosodyOf(word)?.Break ?? {};
  if (verdicts.includes('UnexpectedBreak') && (UnexpectedBreak?.Confidence ?? 1) > SURE_ABOVE) return 'UnexpectedBreak';
  return verdicts.includes('MissingBreak') && (MissingBreak?.Confidence ?? 1) > SURE_ABOVE ? 'MissingBreak' : null;
}

/**
 * The melody is judged for the whole utterance, and every word repeats the verdict. It counts only with its confidence: a published answer
 * for clean speech has the verdict on each word, with a confidence of 0 or none at all. `SyllablePitchDeltaConfidence` is not read, since
 * Microsoft reserves it for thresholds of one's own and does not say in which direction it counts.
 */
export function isMonotone(words: readonly PhraseWord[]): boolean {
  return words.some((word) => {
    if (word.PronunciationAssessment?.ErrorType === 'Monotone') return true;
    const { ErrorTypes: verdicts = [], Monotone } = prosodyOf(word)?.Intonation ?? {};
    return verdicts.includes('Monotone') && (Monotone?.Confidence ?? 0) > SURE_ABOVE;
  });
}
