/** Drafts a transcript, with a confidence and alternatives for each word. */
import type { AnalysedSpeech } from '../acoustic/analyse-speech.ts';
import { FRAME_MS } from '../acoustic/acoustic-model.ts';
import { alignWords, phoneSequencesOf } from '../align/align.ts';
import { sequenceLogLikelihood } from '../align/exchanges.ts';
import { BOUNDARY, type LanguageModel } from './language-model.ts';
import type { Lexicon } from './lexicon.ts';
import { type FoundSequence, searchWords, type SearchWeights } from './search-words.ts';

export interface DraftWord {
  word: string;
  startMs: number;
  endMs: number;
  /** 0-1: how probably this is the word that was said. */
  confidence: number;
  /** Other words that may have been said here, most likely first. */
  alternatives: string[];
}

const SEARCH_WEIGHTS: SearchWeights = { language: 1, perWord: 2 };
/** The weights for the average of all networks. */
const RANKING_WEIGHTS: SearchWeights = { language: 1, perWord: 2 };
/** Divides the log-scores, so that a confidence of 0.7 is right in about 7 of 10 cases. */
const CONFIDENCE_TEMPERATURE = 4;
const MAX_RANKED = 32;
const MAX_ALTERNATIVES = 4;
const MIN_ALTERNATIVE_PROBABILITY = 0.02;

interface RankedSequence extends FoundSequence {
  /** The log-likelihood of the phones plus the weighted log-probability of the words. */
  score: number;
  /** The share of its likelihood in that of all found sequences, 0-1. */
  probability: number;
}

/** Each network searches on its own, and all of them score every result. */
function rankSequences(
  { acousticOutput }: AnalysedSpeech,
  models: { lexicon: Lexicon; language: LanguageModel },
): RankedSequence[] {
  const orders = phoneSequencesOf(acousticOutput);
  const foundByText = new Map<string, FoundSequence>();
  const lists = orders.map((order) => searchWords(order, models, SEARCH_WEIGHTS));
  for (let place = 0; place < Math.max(0, ...lists.map(({ length }) => length)); place += 1)
    for (const list of lists) {
      const found = list[place];
      const text = found?.words.join(' ');
      if (found !== undefined && text !== undefined && !foundByText.has(text) && foundByText.size < MAX_RANKED)
        foundByText.set(text, found);
    }
  const scored = [...foundByText.values()].map((found) => {
    const heard =
      orders.reduce((sum, order) => sum + sequenceLogLikelihood(order, found.wordOutputs.flat()), 0) / orders.length;
    return { ...found, score: heard + languageScore(found.words, models.language), probability: 0 };
  });
  const best = Math.max(...scored.map(({ score }) => score));
  const weightOf = ({ score }: RankedSequence): number => Math.exp((score - best) / CONFIDENCE_TEMPERATURE);
  const total = scored.reduce((sum, each) => sum + weightOf(each), 0);
  return scored.map((each) => ({ ...each, probability: weightOf(each) / total })).toSorted((a, b) => b.score - a.score);
}

function languageScore(words: readonly string[], language: LanguageModel): number {
  let previous = BOUNDARY;
  let sum = RANKING_WEIGHTS.perWord * words.length;
  for (const word of [...words, BOUNDARY]) {
    sum += RANKING_WEIGHTS.language * language.logProbability(previous, word);
    previous = word;
  }
  return sum;
}

export function transcribe(speech: AnalysedSpeech, models: { lexicon: Lexicon; language: LanguageModel }): DraftWord[] {
  const ranked = rankSequences(speech, models);
  const [best] = ranked;
  if (best === undefined) return [];
  const probabilities = best.words.map(() => new Map<string, number>());
  for (const { words, probability } of ranked)
    wordsInPlace(best.words, words).forEach((word, place) => {
      if (word !== null) probabilities[place]?.set(word, (probabilities[place].get(word) ?? 0) + probability);
    });
  const times = wordTimes(speech, best);
  return best.words.map((word, place) => {
    const { startMs, endMs } = times[place] ?? { startMs: speech.startMs, endMs: speech.startMs };
    const alternatives = [...(probabilities[place] ?? [])]
      .filter(([other, probability]) => other !== word && probability >= MIN_ALTERNATIVE_PROBABILITY)
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, MAX_ALTERNATIVES)
      .map(([other]) => other);
    const confidence = Math.round((probabilities[place]?.get(word) ?? 0) * 100) / 100;
    return { word, startMs, endMs, confidence: Math.min(1, confidence), alternatives };
  });
}

/** For each word of `best`, the word in its place in the other sequence; null if there is none. */
export function wordsInPlace(best: readonly string[], other: readonly string[]): (string | null)[] {
  const width = other.length + 1;
  const cost = new Float64Array((best.length + 1) * width);
  for (let i = 0; i <= best.length; i += 1)
    for (let j = 0; j < width; j += 1) {
      if (i === 0 || j === 0) {
        cost[i * width + j] = i + j;
        continue;
      }
      const same = best[i - 1] === other[j - 1] ? 0 : 1;
      cost[i * width + j] = Math.min(
        (cost[(i - 1) * width + j - 1] as number) + same,
        (cost[(i - 1) * width + j] as number) + 1,
        (cost[i * width + j - 1] as number) + 1,
      );
    }
  const placed: (string | null)[] = best.map(() => null);
  for (let i = best.length, j = other.length; i > 0 && j > 0;) {
    const same = best[i - 1] === other[j - 1] ? 0 : 1;
    const here = cost[i * width + j] as number;
    if (here === (cost[(i - 1) * width + j - 1] as number) + same) {
      placed[i - 1] = other[j - 1] ?? null;
      i -= 1;
      j -= 1;
    } else if (here === (cost[(i - 1) * width + j] as number) + 1) i -= 1;
    else j -= 1;
  }
  return placed;
}

function wordTimes({ acousticOutput, startMs }: AnalysedSpeech, { words, wordOutputs }: FoundSequence) {
  const alignment = alignWords(
    acousticOutput,
    words.map((word, index) => ({
      word,
      pauseAfter: 'none',
      pronunciations: [{ phones: (wordOutputs[index] ?? []).map(String), outputs: [...(wordOutputs[index] ?? [])] }],
    })),
  );
  return (alignment?.words ?? []).map(({ phones }) => ({
    startMs: startMs + (phones[0]?.firstFrame ?? 0) * FRAME_MS,
    endMs: startMs + ((phones.at(-1)?.lastFrame ?? 0) + 1) * FRAME_MS,
  }));
}
