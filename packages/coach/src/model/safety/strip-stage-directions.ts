/**
 * Removes stage directions such as `*smiles warmly*` or `(laughs)` from streamed text. Small models write them although the prompt forbids
 * it, and a voice would read them aloud as words. A word that a coach of English names, as in “say *goes*”, is kept.
 */

const CLOSING_BY_OPENING: Readonly<Record<string, string>> = { '*': '*', '(': ')', '[': ']' };
/** Longer text between two marks is part of what is said. */
const MAX_CHARS = 80;
/** “(Pauses are good)” is a sentence about pauses. */
const EXPRESSION =
  /^(?:\p{L}+ly )?(?:(?:smil|laugh|chuckl|giggl|grin|nod|sigh|wink|shrug|paus|wav|frown|gasp|cough|whisper)(?:e?s|[dgn]?ing)\b(?! (?:is|are|was|were)\b)|clear(?:s|ing) (?:\p{L}+ )?throat\b)/iu;
/** “Leans forward”, “looking at the menu” and “softly”. An emphasised word that begins a sentence has a capital letter. */
const ACTION = /^(?:\p{Ll}+ly )?\p{Ll}+(?:s|ing|ly)(?: |$)/u;
/** A sentence continues after a word that is mentioned, as in “*goes* is right”. */
const CONTINUES = /[\p{Ll}.,;:!?…)\]’”]/u;
const SENTENCE_END = /[.!?…]/u;
/** A sentence that ends inside these marks has also ended after them. */
const AROUND_SENTENCE = /["“”‘’)\]*]/u;

export interface StageDirectionStripper {
  /** Returns the text that this character lets through: often itself, nothing while a direction may be open, or all that was held back. */
  take: (character: string) => string;
  /** Returns what is still held back, before a tag or after the last character. */
  flush: () => string;
}

export function createStageDirectionStripper(): StageDirectionStripper {
  /** `isAction` when the text is a direction unless the sentence continues after it. */
  let held: { text: string; startsSentence: boolean; isAction: boolean } | null = null;
  let last = '';
  let startsSentence = true;

  function pass(text: string): string {
    for (const character of text) {
      last = character;
      if (!/\s/u.test(character) && !AROUND_SENTENCE.test(character)) startsSentence = SENTENCE_END.test(character);
    }
    return text;
  }

  function release(): string {
    const text = held?.text ?? '';
    held = null;
    return pass(text);
  }

  function open(character: string): string {
    // A mark inside a word, or the second one of `**`, opens nothing.
    const mayOpen = character in CLOSING_BY_OPENING && (last === '' || /[\s"“]/u.test(last));
    if (!mayOpen) return pass(character);
    held = { text: character, startsSentence, isAction: false };
    return '';
  }

  return {
    take(character) {
      if (held === null) return open(character);
      if (held.isAction && !/\s/u.test(character)) {
        if (CONTINUES.test(character)) return release() + open(character);
        held = null;
        return open(character);
      }
      held.text += character;
      if (held.isAction) return '';
      const opening = held.text.charAt(0);
      if (character !== CLOSING_BY_OPENING[opening]) return held.text.length > MAX_CHARS ? release() : '';
      const text = held.text.slice(1, -1);
      const mayBeDirection = opening !== '*' || held.startsSentence;
      if (mayBeDirection && EXPRESSION.test(text)) {
        held = null;
        return '';
      }
      held.isAction = opening === '*' && mayBeDirection && ACTION.test(text);
      return held.isAction ? '' : release();
    },
    flush() {
      if (held?.isAction === true) held = null;
      return release();
    },
  };
}
