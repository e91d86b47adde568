/** One utterance of the learner while it continues, and its place in the learner's audio. Times are ms since the first sample. */
import type { AudioSpan } from '../../../../ports/speech/index.ts';

export interface Utterance {
  /** Includes a little audio from before the speech, so that its first syllable is complete. */
  fromMs: number;
  /** Where the provider detected the end. */
  endMs: number | null;
  /** How much audio had been received when a commit was requested; the transcript covers no more than this. */
  commitRequestedAtMs: number | null;
  itemId: string | null;
  /** The coach was speaking when the utterance began, and it is not decided yet whether it is an interruption. */
  isOverlap: boolean;
  words: string;
  /** The audio that the provider still treats as speech after a requested commit; usually none. */
  isRemainder: boolean;
}

export const createUtterance = (
  fromMs: number,
  fields: Pick<Utterance, 'itemId' | 'isOverlap' | 'isRemainder'>,
): Utterance => ({
  fromMs,
  endMs: null,
  commitRequestedAtMs: null,
  ...fields,
  words: '',
});

/** Limits a range to the received audio, because a provider may count differently and callers cut the audio there. */
export function clampRange(receivedMs: number, { fromMs, toMs }: AudioSpan): AudioSpan {
  const end = Math.min(Math.max(0, toMs), receivedMs);
  return { fromMs: Math.min(Math.max(0, fromMs), end), toMs: end };
}
