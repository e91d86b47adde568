/**
 * Removes tags in angle brackets, stage directions, emoji and invisible characters from streamed text, wherever the stream is split, and
 * detects the end marker. Spoken text never contains angle brackets, so no marker or delimiter can reach a learner.
 */
import { createStageDirectionStripper } from './strip-stage-directions.ts';

/** Longer than any of our tags; longer text follows a stray bracket and is kept. */
const MAX_TAG = 40;
const GOODBYE = /^\s*\/?\s*goodbye\s*\/?\s*$/i;

const OPENING = new Set('<＜﹤‹〈《⟨❬❮❰');
const CLOSING = new Set('>＞﹥›〉》⟩❭❯❱');
const MARKDOWN = new Set('*`');
const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}]/u;
/** A voice reads out the name of an emoji. The first one here is the frame of a keycap. */
const EMOJI = /[\u20E3\p{Emoji_Presentation}\u{1F000}-\u{1FAFF}\u2600-\u27BF]/u;

export interface TagStripper {
  /** Returns the words of a delta, with single spaces and no leading space. The concatenated results form one text. */
  take: (piece: string) => string;
  /** Returns what was held back because it could have been the start of a stage direction. */
  finish: () => string;
  /** Whether the end marker was the last thing, with nothing after it. */
  endsWithMarker: () => boolean;
}

export function createTagStripper(): TagStripper {
  let halfCharacter = '';
  let tag: string | null = null;
  let isAfterSpace = true;
  let hasEnded = false;
  const directions = createStageDirectionStripper();

  const word = (character: string): string => Array.from(directions.take(character), visible).join('');
  const flush = (): string => Array.from(directions.flush(), visible).join('');

  function visible(character: string): string {
    if (/\s/u.test(character)) {
      const space = isAfterSpace ? '' : ' ';
      isAfterSpace = true;
      return space;
    }
    if (MARKDOWN.has(character) || INVISIBLE.test(character) || EMOJI.test(character)) return '';
    isAfterSpace = false;
    hasEnded = false;
    return character;
  }

  function step(character: string): string {
    if (OPENING.has(character)) {
      const stray = [...(tag ?? '')].map(word).join('');
      tag = '';
      // Words that were still held back after the end marker would follow it.
      return stray + flush();
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
    finish: flush,
    endsWithMarker: () => hasEnded && tag === null,
  };
}
