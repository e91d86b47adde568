/**
 * Reads break and monotone errors from Azure's prosody feedback. Azure's verdict decides; its confidence can only
 * overrule an uncertain verdict.
 */
import type { WordError } from '@parley/domain';
import type { PhraseWord } from '../recognition/phrase.ts';

/**
 * "Suggested thresholds on both confidence scores are 0.75": Microsoft Learn, "Use pronunciation assessment". A confidence alone is not a
 * verdict: published answers for fluent speech have a `MissingBreak` confidence of 0.96 to 1 on nearly every word beside the error type
 * `None`.
 */
export const MIN_CONFIDENCE = 0.75;

const prosodyFeedback = (word: PhraseWord) => word.PronunciationAssessment?.Feedback?.Prosody;

/** Returns the error of the pause before the word, or null. */
export function breakErrorBefore(word: PhraseWord): Extract<WordError, 'UnexpectedBreak' | 'MissingBreak'> | null {
  const errorType = word.PronunciationAssessment?.ErrorType;
  if (errorType === 'UnexpectedBreak' || errorType === 'MissingBreak') return errorType;
  const { ErrorTypes: verdicts = [], UnexpectedBreak, MissingBreak } = prosodyFeedback(word)?.Break ?? {};
  if (verdicts.includes('UnexpectedBreak') && (UnexpectedBreak?.Confidence ?? 1) > MIN_CONFIDENCE)
    return 'UnexpectedBreak';
  return verdicts.includes('MissingBreak') && (MissingBreak?.Confidence ?? 1) > MIN_CONFIDENCE ? 'MissingBreak' : null;
}

/**
 * Azure judges intonation for the whole utterance and repeats the verdict on every word. The verdict counts only with its confidence: a
 * published answer for clean speech has the verdict on each word, with a confidence of 0 or none. `SyllablePitchDeltaConfidence` is not
 * read, since Microsoft reserves it for custom thresholds and does not say in which direction it counts.
 */
export function isMonotone(words: readonly PhraseWord[]): boolean {
  return words.some((word) => {
    if (word.PronunciationAssessment?.ErrorType === 'Monotone') return true;
    const { ErrorTypes: verdicts = [], Monotone } = prosodyFeedback(word)?.Intonation ?? {};
    return verdicts.includes('Monotone') && (Monotone?.Confidence ?? 0) > MIN_CONFIDENCE;
  });
}
