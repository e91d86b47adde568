/**
 * Takes everything in angle brackets out of a text that comes in pieces, however it is cut, and what does not show; notices the mark by which a
 * model ends the conversation. Coaches speak: nothing that they say has angle brackets, so that no mark or fence can reach a learner.
 */

/** Longer than any tag of ours: what runs on is words behind a stray bracket. */
const MAX_TAG = 40;
const GOODBYE = /^\s*\/?\s*goodbye\s*\/?\s*$/i;

const OPENING = new Set('<＜﹤‹〈《⟨❬❮❰');
const CLOSING = new Set('>＞﹥›〉》⟩❭❯❱');
const MARKUP = new Set('*`');
const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}]/u;

export interface TagStripper {
  /** The words of a piece; single spaces, none at the beginning. Pieces joined are one text. */
  take: (piece: string) => string;
  /** Whether the last that came was the mark, with nothing behind it. */
  hasEnded: () => boolean;
}

export function createTagStripper(): TagStripper {
  let halfCharacter = '';
  let tag: string | null = null;
  let isAfterSpace = true;
  let hasEnded = false;

  function word(character: string): string {
    if (/\s/u.test(character)) {
      const space = isAfterSpace ? '' : ' ';
      isAfterSpace = true;
      return space;
    }
    if (MARKUP.has(character) || INVISIBLE.test(character)) return '';
    isAfterSpace = false;
    hasEnded = false;
    return character;
  }

  function step(character: string): string {
    if (OPENING.has(character)) {
      const stray = tag === null ? '' : [...tag].map(word).join('');
      tag = '';
      return stray;
    }
    if (CLOSING.has(character)) {
      if (tag !== null) hasEnded = GOODBYE.test(tag);
      tag = null;
      return '';
    }
    if (tag === null) return word(character);
    tag += /\s/u.test(character) && /\s$/u.test(tag) ? '' : character;
    if (tag.length <= MAX_TAG) return '';
    const stray = [...tag].map(word).join('');
    tag = null;
    return stray;
  }

  return {
    take(piece) {
      const text = halfCharacter + piece;
      halfCharacter = /[\uD800-\uDBFF]$/.exec(text)?.[0] ?? '';
      const whole = text.slice(0, text.length - halfCharacter.length);
      return Array.from(whole, step).join('');
    },
    hasEnded: () => hasEnded && tag === null,
  };
}
