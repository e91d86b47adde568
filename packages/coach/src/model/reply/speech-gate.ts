/**
 * Filters a model's stream for speech. Output is delayed slightly, so that part of our prompt or a link is detected before any of it is
 * sent.
 */
import { MIN_LEAK_LETTERS, lettersOf, createLeakDetector, WINDOW_LETTERS } from '../safety/prompt-leak-detector.ts';
import { containsLink } from '../safety/private-data.ts';
import { createTagStripper } from '../safety/strip-tags.ts';

/** A coach may exceed its word limit by half. After that it stops at the end of a sentence, or finally anywhere. */
const LENGTH_TOLERANCE = 1.5;
const CHARS_PER_WORD = 16;
const SENTENCE_END = /[.!?…]["”’)]*$/;

export interface SpeechGate {
  /** Returns words that may be sent now, often none. The result never ends in a space. */
  take: (piece: string) => string;
  /** Returns the rest after the model has finished. */
  finish: () => string;
  /** Nothing more will be let through. */
  isClosed: () => boolean;
  /** Forbidden content was withheld. */
  hasWithheld: () => boolean;
  /** Whether the model's output ended with its end marker. */
  hasEndMarker: () => boolean;
  spokenText: () => string;
}

/** `maxWords` is the limit stated in the prompt for the learner's level. */
export function createSpeechGate(maxWords: number): SpeechGate {
  const wordLimit = maxWords * LENGTH_TOLERANCE;
  const maxChars = wordLimit * CHARS_PER_WORD;
  const tags = createTagStripper();
  const detect = createLeakDetector();
  let pending = '';
  let said = '';
  let hasWithheld = false;
  let isFull = false;

  function append(words: string): string {
    if (containsLink(words)) {
      hasWithheld = true;
      return '';
    }
    said += words;
    isFull = said.length >= maxChars || (said.split(' ').length >= wordLimit && SENTENCE_END.test(said));
    return words;
  }

  /** Only whole words are released, and never the last letters, in which a leak may be starting. */
  function release(): string {
    let released = '';
    while (!isShut()) {
      const word = /^ ?\S+(?= )/.exec(pending)?.[0] ?? '';
      if (word === '' || lettersOf(pending.slice(word.length)).length < WINDOW_LETTERS) break;
      pending = pending.slice(word.length);
      released += append(word);
    }
    return released;
  }

  const isShut = (): boolean => hasWithheld || isFull;

  function takeWords(words: string): string {
    let released = '';
    for (const character of words) {
      if (isShut()) break;
      pending += character;
      const streak = detect(character);
      if (streak >= MIN_LEAK_LETTERS) hasWithheld = true;
      // While the text matches our prompts nothing is released: the match will soon turn out to be a leak or chance.
      else if (streak === 0 && character === ' ') released += release();
    }
    return released;
  }

  return {
    take: (piece) => (isShut() ? '' : takeWords(tags.take(piece))),
    finish() {
      if (isShut()) return '';
      const released = takeWords(tags.finish());
      if (isShut()) return released;
      const rest = pending.trimEnd();
      pending = '';
      return released + append(rest);
    },
    isClosed: isShut,
    hasWithheld: () => hasWithheld,
    hasEndMarker: () => tags.endsWithMarker(),
    spokenText: () => said,
  };
}
