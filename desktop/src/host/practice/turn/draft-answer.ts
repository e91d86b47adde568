/** Drafts an answer in the learner's own words with the scorer's network, when no speech pack is installed. */
import type { TranscribedWord } from '@parley/contract';
import type { SpeechScorer } from '../../scorer/index.ts';
import { namesIn, spellDraftedWord } from './spell-draft.ts';

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
  const names = namesIn(vocabulary);
  const words = draft.words.map(({ word, confidence, alternatives }, index) => ({
    word: spellDraftedWord(word, { isFirst: index === 0, names }),
    confidence,
    alternatives: alternatives.map((other) => spellDraftedWord(other, { isFirst: index === 0, names })),
  }));
  return { text: words.map(({ word }) => word).join(' '), words };
}
