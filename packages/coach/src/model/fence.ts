/**
 * The fence around text from outside. It is made of angle brackets, and whatever stands inside loses its own, in every spelling: so nobody but
 * us can open or close one. That holds without a secret, and a prompt stays the same from call to call, which providers charge less for.
 */
import { cutText } from '../cut-text.ts';
import { ourWords, type PromptText } from './prompts.ts';
import { visibleText } from './visible-text.ts';

export type FenceName =
  'coach' | 'scene' | 'learner' | 'objectives' | 'useful_words' | 'remembered' | 'coach_said' | 'said' | 'language';

/** After compatibility forms were folded: those that are left look like angle brackets, and a model may take them for such. */
const OPENING = /[<‹〈《⟨❬❮❰˂ᐸᚲ]|&(?:lt|#0*60|#x0*3c);?/giu;
const CLOSING = /[>›〉》⟩❭❯❱˃ᐳ]|&(?:gt|#0*62|#x0*3e);?/giu;

const MAX_ITEM_CHARS = 4_000;

/** On one line, without brackets, control characters or anything that does not show. */
export function disarmed(text: string, maxChars: number = MAX_ITEM_CHARS): PromptText {
  const plain = visibleText(text.normalize('NFKC')).replace(OPENING, '(').replace(CLOSING, ')');
  return ourWords(cutText(plain, maxChars));
}

/** A line for each text that is not blank; nothing at all where all are. */
export function fence(name: FenceName, texts: readonly string[]): PromptText {
  const lines = texts.map((text) => disarmed(text)).filter((line) => line !== '');
  return ourWords(lines.length === 0 ? '' : `<${name}>\n${lines.join('\n')}\n</${name}>`);
}

export const joinPrompts = (parts: readonly PromptText[]): PromptText =>
  ourWords(parts.filter((part) => part !== '').join('\n\n'));
