/** Measures the agreement with human experts end to end. `npm run prove` and the model card report these figures. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type Assessment } from '@parley/domain';
import { readCorpusAudio, readUtterances, type Utterance } from '../corpus/corpus.ts';
import { createScorer, type Scorer } from '../scorer.ts';
import { pearson } from './pearson.ts';

export * from './distortions.ts';
export { type MinimalPair, createMinimalPairFinder } from './minimal-pairs.ts';
export { pearson, readCorpusAudio, readUtterances };

/**
 * Models of which each was trained without a fifth of the corpus' speakers, and `folds.json`, which lists these
 * speakers. Not part of the app.
 */
export const FOLDS_DIR: string = fileURLToPath(new URL('../../training/folds/', import.meta.url));

export interface CorpusFigures {
  utterances: number;
  /** Utterances rejected as unusable, which no correlation includes. */
  refused: number;
  /** Share of the utterances. */
  refusedShare: number;
  phonePcc: number;
  /** On the experts' scale of 0-2. */
  phoneMse: number;
  wordAccuracyPcc: number;
  sentenceAccuracyPcc: number;
  sentenceFluencyPcc: number;
  sentenceProsodyPcc: number;
  /** The overall pronunciation score compared with the experts' total. */
  sentenceTotalPcc: number;
  /** The correlations for speakers under 16. */
  childrenPhonePcc: number;
  childrenTotalPcc: number;
  /** The share of utterances whose own text scores clearly higher than another text of the same length. */
  rightAboveWrong: number;
  /** The share of those wrong texts that were rejected as not the text. */
  wrongRefused: number;
  /** Seconds of computation per second of audio on one thread. */
  realTimeFactor: number;
}

export interface EvaluationOptions {
  corpusDir: string;
  /** All splits by default. */
  split?: string;
  /**
   * A folder with `folds.json` and one model folder per fold (`training/folds`). Each speaker is scored by models that
   * were not trained on them.
   */
  foldsDir?: string;
  /** At most this many utterances, evenly spaced. */
  limit?: number;
  /** Only speakers of this age, inclusive. */
  ages?: { from: number; to: number };
}

/** Younger speakers count as children. */
const ADULT_AGE = 16;
/** A wrong text must score at least this much lower to count as clearly separated. */
const MIN_SEPARATION = 5;

interface Pairs {
  ours: number[];
  experts: number[];
}

const emptyPairs = (): Pairs => ({ ours: [], experts: [] });

type Aspects = Record<'phone' | 'word' | 'accuracy' | 'fluency' | 'prosody' | 'total', Pairs>;

const emptyAspects = (): Aspects => ({
  phone: emptyPairs(),
  word: emptyPairs(),
  accuracy: emptyPairs(),
  fluency: emptyPairs(),
  prosody: emptyPairs(),
  total: emptyPairs(),
});

function addPair(pairs: Pairs, ours: number | null, experts: number): void {
  if (ours === null) return;
  pairs.ours.push(ours);
  pairs.experts.push(experts);
}

export async function evaluateCorpus(options: EvaluationOptions): Promise<CorpusFigures> {
  const inSplit = (await readUtterances(options.corpusDir)).filter(
    ({ split, age }) =>
      (options.split === undefined || split === options.split) &&
      (options.ages === undefined || (age >= options.ages.from && age <= options.ages.to)),
  );
  const scorers = await openScorers(options.foldsDir);
  const utterances = sampleEvenly(inSplit, options.limit ?? inSplit.length).toSorted(
    (a, b) => scorers.foldOf(a.speaker) - scorers.foldOf(b.speaker),
  );
  const sums = { audioMs: 0, workMs: 0, refused: 0, apart: 0, compared: 0, wrongRefused: 0 };
  const everyone = emptyAspects();
  const children = emptyAspects();
  for (const [index, utterance] of utterances.entries()) {
    const pcm = await readCorpusAudio(join(options.corpusDir, utterance.audio));
    const scorer = await scorers.scorerFor(utterance.speaker);
    const startedAt = performance.now();
    const assessment = await scorer.assess({ pcm, text: utterance.text });
    sums.workMs += performance.now() - startedAt;
    sums.audioMs += (pcm.length / 16_000) * 1000;
    if (assessment.unusable !== undefined) {
      sums.refused += 1;
      continue;
    }
    for (const pairs of utterance.age < ADULT_AGE ? [everyone, children] : [everyone])
      pairScores(pairs, assessment, utterance);
    const wrong = await compareWithWrongText(scorer, { pcm, assessment, text: wrongTextFor(utterances, index) });
    if (wrong === null) continue;
    sums.compared += 1;
    if (wrong.isApart) sums.apart += 1;
    if (wrong.isRefused) sums.wrongRefused += 1;
  }
  await scorers.close();
  const pcc = ({ ours, experts }: Pairs): number => pearson(ours, experts);
  const { phone, word, accuracy, fluency, prosody, total } = everyone;
  const errors = phone.ours.map((score, index) => (score / 50 - (phone.experts[index] ?? 0)) ** 2);
  return {
    utterances: utterances.length,
    refused: sums.refused,
    refusedShare: sums.refused / Math.max(1, utterances.length),
    phonePcc: pcc(phone),
    phoneMse: errors.reduce((sum, error) => sum + error, 0) / Math.max(1, errors.length),
    wordAccuracyPcc: pcc(word),
    sentenceAccuracyPcc: pcc(accuracy),
    sentenceFluencyPcc: pcc(fluency),
    sentenceProsodyPcc: pcc(prosody),
    sentenceTotalPcc: pcc(total),
    childrenPhonePcc: pcc(children.phone),
    childrenTotalPcc: pcc(children.total),
    rightAboveWrong: sums.apart / Math.max(1, sums.compared),
    wrongRefused: sums.wrongRefused / Math.max(1, sums.compared),
    realTimeFactor: sums.workMs / Math.max(1, sums.audioMs),
  };
}

interface Scorers {
  foldOf: (speaker: string) => number;
  /** The scorer of the speaker's fold. The scorer of any other fold is closed, because each takes 200 MB. */
  scorerFor: (speaker: string) => Promise<Scorer>;
  close: () => Promise<void>;
}

async function openScorers(foldsDir: string | undefined): Promise<Scorers> {
  const folds =
    foldsDir === undefined
      ? null
      : FoldOfSpeaker.parse(JSON.parse(await readFile(join(foldsDir, 'folds.json'), 'utf8')));
  const foldOf = (speaker: string): number => folds?.[speaker] ?? 0;
  let open: { fold: number; scorer: Scorer } | null = null;
  return {
    foldOf,
    scorerFor: async (speaker) => {
      const fold = foldOf(speaker);
      if (open?.fold === fold) return open.scorer;
      await open?.scorer.close();
      const scorer = await createScorer(foldsDir === undefined ? {} : { modelDir: join(foldsDir, String(fold)) });
      open = { fold, scorer };
      return scorer;
    },
    close: async () => open?.scorer.close(),
  };
}

const FoldOfSpeaker = z.record(z.string(), z.number());

const sampleEvenly = <Item>(items: readonly Item[], limit: number): Item[] =>
  items.filter(
    (_, index) => Math.floor((index * limit) / items.length) !== Math.floor(((index - 1) * limit) / items.length),
  );

/**
 * Words are compared by position, ignoring inserted speech. Phones are compared only if our pronunciation has as many
 * of them as the one that the experts judged.
 */
function pairScores(pairs: Aspects, assessment: Assessment, utterance: Utterance): void {
  addPair(pairs.accuracy, assessment.accuracy, utterance.accuracy);
  addPair(pairs.fluency, assessment.fluency, utterance.fluency);
  addPair(pairs.prosody, assessment.prosody, utterance.prosodic);
  addPair(pairs.total, assessment.pron, utterance.total);
  const words = assessment.words.filter(({ error }) => error !== 'Insertion');
  if (words.length !== utterance.words.length) return;
  utterance.words.forEach((expected, index) => {
    const word = words[index];
    if (word === undefined) return;
    addPair(pairs.word, word.accuracy, expected.accuracy);
    if (expected.phonesAccuracy?.length !== word.phonemes.length) return;
    word.phonemes.forEach((phoneme, at) => addPair(pairs.phone, phoneme.accuracy, expected.phonesAccuracy?.[at] ?? 0));
  });
}

/** Builds a wrong text from other utterances, cut to the same number of phones. */
function wrongTextFor(utterances: readonly Utterance[], index: number): string {
  const phones = (words: Utterance['words']): number => words.reduce((sum, word) => sum + word.phones.length, 0);
  const own = utterances[index];
  const wanted = own === undefined ? 0 : phones(own.words);
  const others = utterances.filter((other) => other.text !== own?.text);
  const words: string[] = [];
  for (let count = 0, at = 0; count < wanted && others.length > 0; at += 1) {
    const other = others[(index * 7_919 + at * 104_729) % others.length];
    for (const word of other?.words ?? []) {
      if (count >= wanted) break;
      words.push(word.text);
      count += word.phones.length;
    }
  }
  return words.join(' ');
}

async function compareWithWrongText(
  scorer: Scorer,
  reference: { pcm: Float32Array; assessment: Assessment; text: string },
): Promise<{ isApart: boolean; isRefused: boolean } | null> {
  if (reference.text === '' || reference.assessment.pron === null) return null;
  const wrong = await scorer.assess({ pcm: reference.pcm, text: reference.text });
  const isRefused = wrong.unusable?.reason === 'not_the_text' || wrong.unusable?.reason === 'too_short';
  return { isRefused, isApart: isRefused || (wrong.pron ?? 0) <= reference.assessment.pron - MIN_SEPARATION };
}
