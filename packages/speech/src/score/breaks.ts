/** Pauses where the sentence goes on, and none where it ends: judged by the punctuation of the text. */
import type { Assessment, WordAssessment } from '@parley/domain';
import type { PauseAfter } from '../pronounce/spoken-form.ts';

/** Within a phrase a listener takes a silence of this length for a search for words; see the model card for how often that is right. */
const UNEXPECTED_FROM_MS = 320;
/** Less than this between two sentences is no pause. */
const MISSING_BELOW_MS = 120;

/** What the silence before a word is, from what the text asks of it. */
export function breakBefore(pause: { ms: number; asked: PauseAfter }): 'UnexpectedBreak' | 'MissingBreak' | null {
  if (pause.asked === 'none' && pause.ms >= UNEXPECTED_FROM_MS) return 'UnexpectedBreak';
  if (pause.asked === 'should' && pause.ms < MISSING_BELOW_MS) return 'MissingBreak';
  return null;
}

/** Half a phone of either word may be counted to the silence between them. */
const REACH_MS = 150;

type Span = Pick<WordAssessment, 'startMs' | 'endMs'>;

/**
 * Milliseconds of silence between two words that follow each other: what the alignment left between them, or the pause that is heard
 * there, whichever is longer. A pause belongs to the words between whose middles it lies.
 */
export function silenceBetween(before: Span, after: Span, pauses: Assessment['pauses']): number {
  const from = Math.min(before.endMs - REACH_MS, (before.startMs + before.endMs) / 2);
  const to = Math.max(after.startMs + REACH_MS, (after.startMs + after.endMs) / 2);
  const heard = pauses
    .filter(({ startMs, endMs }) => (startMs + endMs) / 2 > from && (startMs + endMs) / 2 < to)
    .map(({ startMs, endMs }) => endMs - startMs);
  return Math.max(after.startMs - before.endMs, ...heard);
}

/** The pauses that were heard, and those that only the alignment found, so that every break a word is marked with is among them. */
export function withBreaks(pauses: Assessment['pauses'], words: readonly WordAssessment[]): Assessment['pauses'] {
  const said = words.filter(({ phonemes, error }) => phonemes.length > 0 && error !== 'Omission');
  const found = said.flatMap((word, index) => {
    const before = said[index - 1];
    if (before === undefined || word.error !== 'UnexpectedBreak') return [];
    const isHeard = pauses.some(({ startMs, endMs }) => startMs < word.startMs && endMs > before.endMs);
    return isHeard || word.startMs <= before.endMs ? [] : [{ startMs: before.endMs, endMs: word.startMs }];
  });
  return [...pauses, ...found].toSorted((a, b) => a.startMs - b.startMs);
}
