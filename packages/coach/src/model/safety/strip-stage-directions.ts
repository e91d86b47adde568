/**
 * Removes stage directions such as `*smiles warmly*` or `(laughs)` from streamed text. Small models write them although the prompt forbids
 * it, and a voice would read them aloud as words.
 */

const CLOSING_BY_OPENING: Readonly<Record<string, string>> = { '*': '*', '(': ')', '[': ']' };
/** Longer text between two marks is a part of what is said. */
const MAX_CHARS = 80;
const EXPRESSION =
  /^(\p{L}+ly )?(smil|laugh|chuckl|giggl|grin|nod|sigh|wink|shrug|paus|wav|frown|gasp|cough|whisper|clear)(e?s|ing)\b/iu;
const SENTENCE_END = /[.!?…:"”]/u;

export interface StageDirectionStripper {
  /** Returns the text that this character lets through: often itself, nothing while a direction may be open, or all that was held back. */
  take: (character: string) => string;
  /** Returns what is still held back after the last character. */
  finish: () => string;
}

export function createStageDirectionStripper(): StageDirectionStripper {
  let held: { text: string; startsSentence: boolean } | null = null;
  let last = '';
  let startsSentence = true;

  function pass(text: string): string {
    for (const character of text) {
      last = character;
      if (!/\s/u.test(character)) startsSentence = SENTENCE_END.test(character);
    }
    return text;
  }

  function release(): string {
    const text = held?.text ?? '';
    held = null;
    return pass(text);
  }

  return {
    take(character) {
      if (held === null) {
        // A mark inside a word, or the second one of `**`, opens nothing.
        const mayOpen = character in CLOSING_BY_OPENING && (last === '' || /[\s"“]/u.test(last));
        if (!mayOpen) return pass(character);
        held = { text: character, startsSentence };
        return '';
      }
      const opening = held.text.charAt(0);
      held.text += character;
      if (character !== CLOSING_BY_OPENING[opening]) return held.text.length > MAX_CHARS ? release() : '';
      if (!isStageDirection(opening, held.text.slice(1, -1), held.startsSentence)) return release();
      held = null;
      return '';
    },
    finish: release,
  };
}

/** An emphasised word that begins a sentence has a capital letter. */
const isStageDirection = (opening: string, text: string, startsSentence: boolean): boolean =>
  EXPRESSION.test(text) || (opening === '*' && startsSentence && /^\p{Ll}/u.test(text));
