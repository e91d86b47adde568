/** Pauses where the sentence goes on, and none where it ends: judged by the punctuation of the text. */
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
