/** The last lines of a call: from the window's own sound while the coach speaks, else from the stored conversation. */
import type { SessionView } from '@parley/contract';

export interface CaptionLine {
  who: 'coach' | 'learner';
  /** Empty for what a learner said that has no words yet. */
  text: string;
}

/** `words`: what the coach says now, or said last in this window; empty in a window that was just opened. */
export function captionLines({ turns, words }: Pick<SessionView, 'turns'> & { words: string }): CaptionLine[] {
  const lastOf = (role: CaptionLine['who']): number => turns.findLastIndex((turn) => turn.role === role);
  const places = words === '' ? [lastOf('coach'), lastOf('learner')].toSorted((a, b) => a - b) : [lastOf('learner')];
  const stored = places.flatMap((place) => turns[place] ?? []).map(({ role, text }) => ({ who: role, text }));
  return words === '' ? stored : [...stored, { who: 'coach', text: words }];
}
