/**
 * What to do when the learner makes a sound while the coach speaks. A sentence interrupts as soon as it is longer than any "mm-hm"; something
 * shorter is asked for its words, and then either was only agreement, or was "stop!".
 */
import { isBackchannel, mayBecomeBackchannel } from './backchannel.ts';

export interface Overlap {
  /** How long the sound has lasted, pauses between syllables included. */
  voicedMs: number;
  /** How long it has been over. */
  silentMs: number;
  /** What is known of its words. */
  words: string;
  /** Whether all of them are known. */
  isFinal: boolean;
  /** Whether its words were asked for already. */
  hasAsked: boolean;
}

export type Verdict =
  /** Stop the coach now. */
  | 'interrupt'
  /** The sound is over, and short: have it written down. */
  | 'ask_words'
  /** It was only agreement, or no word at all. */
  | 'let_pass'
  | 'wait';

/** "Mm-hm", "uh-huh", "okay", "yeah, right" last 200 to 550 ms. */
export const INTERRUPTS_FROM_MS = 600;
/** Agreement that is known by its words may last longer: "yeah, okay, right, I see". */
export const AGREES_AT_MOST_MS = 1_600;
/** After this nobody goes on within the same word. */
export const SHORT_IS_OVER_MS = 320;

export function judgeOverlap({ voicedMs, silentMs, words, isFinal, hasAsked }: Overlap): Verdict {
  if (isFinal) return isBackchannel(words) ? 'let_pass' : 'interrupt';
  const isKnown = words.trim() !== '';
  if (isKnown && !mayBecomeBackchannel(words)) return 'interrupt';
  if (voicedMs >= (isKnown ? AGREES_AT_MOST_MS : INTERRUPTS_FROM_MS)) return 'interrupt';
  const isOver = voicedMs > 0 && silentMs >= SHORT_IS_OVER_MS;
  return isOver && !hasAsked ? 'ask_words' : 'wait';
}
