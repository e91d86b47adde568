/** The phrase that is repeated: a range of words, selected by dragging or with the arrow keys. */
import type { AlignedWord } from '@parley/domain';

export interface Phrase {
  /** The word where the selection began, and the one to which it extends, in either order. */
  anchor: number;
  focus: number;
}

export const firstOf = ({ anchor, focus }: Phrase): number => Math.min(anchor, focus);
export const lastOf = ({ anchor, focus }: Phrase): number => Math.max(anchor, focus);

export const isInPhrase = (phrase: Phrase | null, index: number): boolean =>
  phrase !== null && index >= firstOf(phrase) && index <= lastOf(phrase);

export interface PhraseKey {
  key: string;
  shiftKey: boolean;
}

/**
 * The effect of a key on a word: the arrow keys move, and with Shift they extend the phrase; Enter selects the word,
 * Escape clears. Null if the key has no effect here.
 */
export function afterKey(
  { key, shiftKey }: PhraseKey,
  at: { index: number; count: number; phrase: Phrase | null },
): { index: number; phrase: Phrase | null } | null {
  const { index, count, phrase } = at;
  const place: Readonly<Record<string, number>> = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    Home: 0,
    End: count - 1,
  };
  const target = place[key];
  if (target !== undefined) {
    const next = Math.max(0, Math.min(count - 1, target));
    return { index: next, phrase: shiftKey ? { anchor: phrase?.anchor ?? index, focus: next } : phrase };
  }
  if (key === 'Enter') return { index, phrase: { anchor: index, focus: index } };
  return key === 'Escape' && phrase !== null ? { index, phrase: null } : null;
}

/** The corresponding range of one voice's recording; null if it contains none of these words. */
export function clipOfPhrase(
  words: readonly AlignedWord[],
  phrase: Phrase | null,
  side: 'model' | 'own',
): { startMs: number; endMs: number } | null {
  const chosen = phrase === null ? words : words.slice(firstOf(phrase), lastOf(phrase) + 1);
  const spans = chosen.flatMap((word) => word[side] ?? []);
  const [first, last] = [spans[0], spans.at(-1)];
  return first === undefined || last === undefined ? null : { startMs: first.startMs, endMs: last.endMs };
}
