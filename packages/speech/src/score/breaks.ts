/** Detects unexpected pauses inside phrases and missing pauses between sentences, from the punctuation of the text. */
import type { Assessment, WordAssessment } from '@parley/domain';
import type { PauseAfter } from '../pronounce/spoken-form.ts';

/** Within a phrase, listeners take a silence of this length as hesitation; the model card gives the accuracy. */
const UNEXPECTED_BREAK_MS = 320;
/** A silence between two sentences that is shorter than this does not count as a pause. */
const MISSING_BREAK_MS = 120;

/** Classifies the silence before a word by what the text suggests there. */
export function classifyBreak(pause: { ms: number; asked: PauseAfter }): 'UnexpectedBreak' | 'MissingBreak' | null {
  if (pause.asked === 'none' && pause.ms >= UNEXPECTED_BREAK_MS) return 'UnexpectedBreak';
  if (pause.asked === 'should' && pause.ms < MISSING_BREAK_MS) return 'MissingBreak';
  return null;
}

/** Up to half a phone of either word may be counted as silence. */
const REACH_MS = 150;

type Span = Pick<WordAssessment, 'startMs' | 'endMs'>;

/**
 * Milliseconds of silence between two consecutive words: the gap in the alignment or the detected pause, whichever is longer. A pause
 * belongs to the two words whose midpoints surround it.
 */
export function silenceBetween(before: Span, after: Span, pauses: Assessment['pauses']): number {
  const from = Math.min(before.endMs - REACH_MS, (before.startMs + before.endMs) / 2);
  const to = Math.max(after.startMs + REACH_MS, (after.startMs + after.endMs) / 2);
  const detected = pauses
    .filter(({ startMs, endMs }) => (startMs + endMs) / 2 > from && (startMs + endMs) / 2 < to)
    .map(({ startMs, endMs }) => endMs - startMs);
  return Math.max(after.startMs - before.endMs, ...detected);
}

/** Merges the detected pauses with those that only the alignment found, so that the result includes every break marked on a word. */
export function mergeBreaks(pauses: Assessment['pauses'], words: readonly WordAssessment[]): Assessment['pauses'] {
  const spokenWords = words.filter(({ phonemes, error }) => phonemes.length > 0 && error !== 'Omission');
  const found = spokenWords.flatMap((word, index) => {
    const before = spokenWords[index - 1];
    if (before === undefined || word.error !== 'UnexpectedBreak') return [];
    const isHeard = pauses.some(({ startMs, endMs }) => startMs < word.startMs && endMs > before.endMs);
    return isHeard || word.startMs <= before.endMs ? [] : [{ startMs: before.endMs, endMs: word.startMs }];
  });
  return [...pauses, ...found].toSorted((a, b) => a.startMs - b.startMs);
}
