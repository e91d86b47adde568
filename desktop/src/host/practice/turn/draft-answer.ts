/** Drafts an answer in the learner's own words with the scorer's network, when no speech pack is installed. */
import type { TranscribedWord } from '@parley/contract';
import type { SpeechScorer } from '../../scorer/index.ts';

/**
 * If either value is lower, so many words are wrong that typing the answer is quicker than correcting it. Above both,
 * one word in ten is wrong in clear free answers, and one in three where learners say what no practice expects (`npm
 * run bench:speech`).
 */
const MIN_MEAN_CONFIDENCE = 0.7;
const MIN_FIT = -0.8;

/**
 * `pcm` is 16 kHz mono in -1..1; `vocabulary` contains the words that the practice expects. Null when too little was
 * understood.
 */
export async function draftAnswer(
  scorer: SpeechScorer,
  pcm: Float32Array,
  vocabulary: readonly string[],
): Promise<{ text: string; words: TranscribedWord[] } | null> {
  const draft = await scorer.transcribe({ pcm, texts: vocabulary });
  const mean = draft.words.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, draft.words.length);
  if (mean < MIN_MEAN_CONFIDENCE || draft.fit === null || draft.fit < MIN_FIT) return null;
  const words = draft.words.map(({ word, confidence, alternatives }, index) => ({
    word: spell(word, index === 0),
    confidence,
    alternatives: alternatives.map((other) => spell(other, index === 0)),
  }));
  return { text: words.map(({ word }) => word).join(' '), words };
}

/** The lexicon is in lower case. */
function spell(word: string, isFirst: boolean): string {
  if (/^i(?:'|$)/.test(word)) return `I${word.slice(1)}`;
  return isFirst ? `${word.slice(0, 1).toUpperCase()}${word.slice(1)}` : word;
}
