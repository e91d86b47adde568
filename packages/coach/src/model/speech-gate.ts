/**
 * What of a model's stream may be said: the words without marks, held back a little, so that a piece of our instructions or a link is noticed
 * before any of it is out.
 */
import { LEAK_LETTERS, lettersOf, watchForLeak, WINDOW_LETTERS } from './leak-watch.ts';
import { holdsLink } from './private-data.ts';
import { createTagStripper } from './strip-tags.ts';

/** Half as much again as a coach is told: then it stops at the end of a sentence, or at last anywhere. */
const MORE_THAN_TOLD = 1.5;
const CHARS_A_WORD = 16;
const SENTENCE_END = /[.!?…]["”’)]*$/;

export interface SpeechGate {
  /** Words that may be said now; often none. They never end in a space. */
  take: (piece: string) => string;
  /** The rest, when the model has finished. */
  finish: () => string;
  /** Nothing more will come through. */
  isShut: () => boolean;
  /** Something was kept back that must not be said. */
  hasWithheld: () => boolean;
  /** Whether the model put its mark for the end behind everything else. */
  saysGoodbye: () => boolean;
  said: () => string;
}

/** `maxWords`: what the coach is told to say at most, by the level of the learner. */
export function createSpeechGate(maxWords: number): SpeechGate {
  const enoughWords = maxWords * MORE_THAN_TOLD;
  const maxChars = enoughWords * CHARS_A_WORD;
  const tags = createTagStripper();
  const watch = watchForLeak();
  let pending = '';
  let said = '';
  let hasWithheld = false;
  let isFull = false;

  function admit(words: string): string {
    if (holdsLink(words)) {
      hasWithheld = true;
      return '';
    }
    said += words;
    isFull = said.length >= maxChars || (said.split(' ').length >= enoughWords && SENTENCE_END.test(said));
    return words;
  }

  /** Only whole words go out, one after the other, and none of the last letters, in which a leak may begin. */
  function release(): string {
    let released = '';
    while (!isShut()) {
      const word = /^ ?\S+(?= )/.exec(pending)?.[0] ?? '';
      if (word === '' || lettersOf(pending.slice(word.length)).length < WINDOW_LETTERS) break;
      pending = pending.slice(word.length);
      released += admit(word);
    }
    return released;
  }

  const isShut = (): boolean => hasWithheld || isFull;

  return {
    take(piece) {
      let released = '';
      for (const character of isShut() ? '' : tags.take(piece)) {
        pending += character;
        const streak = watch(character);
        if (streak >= LEAK_LETTERS) hasWithheld = true;
        // While a run of letters stands in our instructions, nothing goes out: in a moment it will be a leak, or chance.
        else if (streak === 0 && character === ' ') released += release();
        if (isShut()) break;
      }
      return released;
    },
    finish() {
      if (isShut()) return '';
      const rest = pending.trimEnd();
      pending = '';
      return admit(rest);
    },
    isShut,
    hasWithheld: () => hasWithheld,
    saysGoodbye: () => tags.hasEnded(),
    said: () => said,
  };
}
