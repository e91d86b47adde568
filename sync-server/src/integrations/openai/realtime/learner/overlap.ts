/**
 * Decides what a sound over the coach's speech means. A sound longer than any "mm-hm" interrupts at once; a shorter one needs its
 * transcript, because it can be a backchannel or "stop!".
 */
import { isBackchannel, mayBecomeBackchannel } from './backchannel.ts';

export interface Overlap {
  /** Duration of the sound, pauses between syllables included. */
  voicedMs: number;
  /** Time since the sound ended. */
  silentMs: number;
  /** The transcript so far. */
  words: string;
  /** Whether the transcript is complete. */
  isFinal: boolean;
  /** Whether the transcript was already requested. */
  hasRequestedCommit: boolean;
}

export type OverlapVerdict =
  /** Stop the coach now. */
  | 'interrupt'
  /** The sound was short and is over: request its transcript. */
  | 'ask_words'
  /** The sound was a backchannel or not a word. */
  | 'let_pass'
  | 'wait';

/** "Mm-hm", "uh-huh", "okay" and "yeah, right" last 200 to 550 ms. */
export const INTERRUPTION_MS = 600;
/** Backchannels that are known by their words may last longer: "yeah, okay, right, I see". */
export const MAX_BACKCHANNEL_MS = 1_600;
/** After this much silence the word is over. */
export const SHORT_SOUND_SILENCE_MS = 320;

export function judgeOverlap({ voicedMs, silentMs, words, isFinal, hasRequestedCommit }: Overlap): OverlapVerdict {
  if (isFinal) return isBackchannel(words) ? 'let_pass' : 'interrupt';
  const hasWords = words.trim() !== '';
  if (hasWords && !mayBecomeBackchannel(words)) return 'interrupt';
  if (voicedMs >= (hasWords ? MAX_BACKCHANNEL_MS : INTERRUPTION_MS)) return 'interrupt';
  const isOver = voicedMs > 0 && silentMs >= SHORT_SOUND_SILENCE_MS;
  return isOver && !hasRequestedCommit ? 'ask_words' : 'wait';
}
