/**
 * Delimits untrusted text in a prompt. The delimiters are tags in angle brackets, and every form of angle bracket is removed from the text
 * inside, so untrusted text cannot open or close one. This needs no secret, so prompts stay identical between calls and providers can cache
 * them.
 */
import { truncateText } from '../../text/truncate-text.ts';
import { trustedText, type PromptText } from '../prompts.ts';
import { visibleText } from '../safety/normalise-text.ts';

export type DelimiterName =
  | 'coach'
  | 'scene'
  | 'learner'
  | 'objectives'
  | 'useful_words'
  | 'remembered'
  | 'coach_said'
  | 'said'
  | 'language'
  | 'situation'
  | 'problems';

/** Characters that still look like angle brackets after NFKC normalisation, and that a model may read as such. */
const OPENING_BRACKETS = /[<‹〈《⟨❬❮❰˂ᐸᚲ]|&(?:lt|#0*60|#x0*3c);?/giu;
const CLOSING_BRACKETS = /[>›〉》⟩❭❯❱˃ᐳ]|&(?:gt|#0*62|#x0*3e);?/giu;

const MAX_ITEM_CHARS = 4_000;

/** Returns the text on one line, without angle brackets, control characters or invisible characters. */
export function sanitize(text: string, maxChars: number = MAX_ITEM_CHARS): PromptText {
  const plain = visibleText(text.normalize('NFKC')).replace(OPENING_BRACKETS, '(').replace(CLOSING_BRACKETS, ')');
  return trustedText(truncateText(plain, maxChars));
}

/** One line per text that is not blank; empty when all are blank. */
export function delimit(name: DelimiterName, texts: readonly string[]): PromptText {
  const lines = texts.map((text) => sanitize(text)).filter((line) => line !== '');
  return trustedText(lines.length === 0 ? '' : `<${name}>\n${lines.join('\n')}\n</${name}>`);
}

export const joinPrompts = (parts: readonly PromptText[]): PromptText =>
  trustedText(parts.filter((part) => part !== '').join('\n\n'));
