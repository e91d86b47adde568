/** Chooses the caption lines: the coach's streamed words while it speaks, otherwise the stored turns. */
import type { SessionView } from '@parley/contract';

export interface CaptionLine {
  who: 'coach' | 'learner';
  /** Empty while a learner's turn is not transcribed yet. */
  text: string;
}

/** `words`: the coach's current or last words in this window; empty in a window that was just opened. */
export function captionLines({ turns, words }: Pick<SessionView, 'turns'> & { words: string }): CaptionLine[] {
  const lastTurnIndexOf = (role: CaptionLine['who']): number => turns.findLastIndex((turn) => turn.role === role);
  const turnIndexes =
    words === ''
      ? [lastTurnIndexOf('coach'), lastTurnIndexOf('learner')].toSorted((a, b) => a - b)
      : [lastTurnIndexOf('learner')];
  const stored = turnIndexes.flatMap((place) => turns[place] ?? []).map(({ role, text }) => ({ who: role, text }));
  return words === '' ? stored : [...stored, { who: 'coach', text: words }];
}
