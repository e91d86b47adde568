/** A sound of the learner's while it goes on, and where it stands in all of their sound. Times are ms since the first sample. */
import type { SoundPlace } from '../../../speech/index.ts';

export interface Utterance {
  /** With a little from before it, so that its first syllable is whole. */
  fromMs: number;
  /** Where the provider noticed its end. */
  endMs: number | null;
  /** How much had been heard when its words were asked for: so much of it, and no more, was written down then. */
  askedAtMs: number | null;
  itemId: string | null;
  /** The coach spoke when it began, and it is not decided yet whether that was an interruption. */
  isOverlap: boolean;
  words: string;
  /** What the provider still takes for speech after its words were asked for: mostly nothing. */
  isRest: boolean;
}

export const utteranceFrom = (fromMs: number, of: Pick<Utterance, 'itemId' | 'isOverlap' | 'isRest'>): Utterance => ({
  fromMs,
  endMs: null,
  askedAtMs: null,
  ...of,
  words: '',
});

/** Within what was heard: a provider may reckon otherwise, and whoever cuts the sound there must find some. */
export function placeWithin(heardMs: number, { fromMs, toMs }: SoundPlace): SoundPlace {
  const end = Math.min(Math.max(0, toMs), heardMs);
  return { fromMs: Math.min(Math.max(0, fromMs), end), toMs: end };
}
