/** Agreement with human experts, measured through the product's own path: what `npm run prove` and the model card print. */
import { join } from 'node:path';
import { type Assessment } from '@parley/domain';
import { readCorpusAudio, readUtterances, type Utterance } from '../corpus/corpus.ts';
import { createScorer, type Scorer } from '../scorer.ts';
import { pearson } from './pearson.ts';

export * from './disturb.ts';
export { type MinimalPartner, minimalPartners } from './minimal-partner.ts';
export { pearson, readCorpusAudio, readUtterances };

export interface CorpusFigures {
  utterances: number;
  /** Refused as unusable; they count in no correlation. */
  refused: number;
  phonePcc: number;
  /** On the experts' scale of 0-2. */
  phoneMse: number;
  wordAccuracyPcc: number;
  sentenceAccuracyPcc: number;
  sentenceFluencyPcc: number;
  sentenceProsodyPcc: number;
  /** The overall pronunciation score against the experts' total. */
  sentenceTotalPcc: number;
  /** Share of utterances whose own text scores clearly above another of the same length. */
  rightAboveWrong: number;
  /** Share of those wrong texts that were refused as not the text. */
  wrongRefused: number;
  /** Seconds of work a second of audio, one thread. */
  realTimeFactor: number;
}

export interface EvaluationOptions {
  corpusDir: string;
  split: string;
  /** At most this many utterances, evenly spread. */
  limit?: number;
  /** Restricts to speakers of this age, both ends included. */
  ages?: { from: number; to: number };
}

/** A wrong text must lie at least this far below the right one to be called clearly apart. */
const CLEARLY_BELOW = 5;

interface Pairs {
  ours: number[];
  experts: number[];
}

const noPairs = (): Pairs => ({ ours: [], experts: [] });

function pair(pairs: Pairs, ours: number | null, experts: number): void {
  if (ours === null) return;
  pairs.ours.push(ours);
  pairs.experts.push(experts);
}

export async function evaluateCorpus(options: EvaluationOptions): Promise<CorpusFigures> {
  const inSplit = (await readUtterances(options.corpusDir)).filter(
    ({ split, age }) =>
      split === options.split && (options.ages === undefined || (age >= options.ages.from && age <= options.ages.to)),
  );
  const utterances = spread(inSplit, options.limit ?? inSplit.length);
  const scorer = await createScorer();
  const sums = { audioMs: 0, workMs: 0, refused: 0, apart: 0, compared: 0, wrongRefused: 0 };
  const pairs = {
    phone: noPairs(),
    word: noPairs(),
    accuracy: noPairs(),
    fluency: noPairs(),
    prosody: noPairs(),
    total: noPairs(),
  };
  for (const [index, utterance] of utterances.entries()) {
    const pcm = await readCorpusAudio(join(options.corpusDir, utterance.audio));
    const startedAt = performance.now();
    const assessment = await scorer.assess({ pcm, text: utterance.text });
    sums.workMs += performance.now() - startedAt;
    sums.audioMs += (pcm.length / 16_000) * 1000;
    if (assessment.unusable !== undefined) {
      sums.refused += 1;
      continue;
    }
    pair(pairs.accuracy, assessment.accuracy, utterance.accuracy);
    pair(pairs.fluency, assessment.fluency, utterance.fluency);
    pair(pairs.prosody, assessment.prosody, utterance.prosodic);
    pair(pairs.total, assessment.pron, utterance.total);
    pairWords(pairs, assessment, utterance);
    const wrong = await compareWithWrongText(scorer, { pcm, assessment, text: wrongTextFor(utterances, index) });
    if (wrong === null) continue;
    sums.compared += 1;
    if (wrong.isApart) sums.apart += 1;
    if (wrong.isRefused) sums.wrongRefused += 1;
  }
  await scorer.close();
  const pcc = ({ ours, experts }: Pairs): number => pearson(ours, experts);
  const errors = pairs.phone.ours.map((score, index) => (score / 50 - (pairs.phone.experts[index] ?? 0)) ** 2);
  return {
    utterances: utterances.length,
    refused: sums.refused,
    phonePcc: pcc(pairs.phone),
    phoneMse: errors.reduce((sum, error) => sum + error, 0) / Math.max(1, errors.length),
    wordAccuracyPcc: pcc(pairs.word),
    sentenceAccuracyPcc: pcc(pairs.accuracy),
    sentenceFluencyPcc: pcc(pairs.fluency),
    sentenceProsodyPcc: pcc(pairs.prosody),
    sentenceTotalPcc: pcc(pairs.total),
    rightAboveWrong: sums.apart / Math.max(1, sums.compared),
    wrongRefused: sums.wrongRefused / Math.max(1, sums.compared),
    realTimeFactor: sums.workMs / Math.max(1, sums.audioMs),
  };
}

const spread = <Item>(items: readonly Item[], limit: number): Item[] =>
  items.filter(
    (_, index) => Math.floor((index * limit) / items.length) !== Math.floor(((index - 1) * limit) / items.length),
  );

/** Words are compared by position; phones only where our pronunciation has as many as the experts judged. */
function pairWords(pairs: { phone: Pairs; word: Pairs }, assessment: Assessment, utterance: Utterance): void {
  if (assessment.words.length !== utterance.words.length) return;
  utterance.words.forEach((expected, index) => {
    const word = assessment.words[index];
    if (word === undefined) return;
    pair(pairs.word, word.accuracy, expected.accuracy);
    if (expected.phonesAccuracy?.length !== word.phonemes.length) return;
    word.phonemes.forEach((phoneme, at) => pair(pairs.phone, phoneme.accuracy, expected.phonesAccuracy?.[at] ?? 0));
  });
}

/** The text of another utterance, with as many phones: its words repeated, then cut. */
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
  right: { pcm: Float32Array; assessment: Assessment; text: string },
): Promise<{ isApart: boolean; isRefused: boolean } | null> {
  if (right.text === '' || right.assessment.pron === null) return null;
  const wrong = await scorer.assess({ pcm: right.pcm, text: right.text });
  const isRefused = wrong.unusable?.reason === 'not_the_text' || wrong.unusable?.reason === 'too_short';
  return { isRefused, isApart: isRefused || (wrong.pron ?? 0) <= right.assessment.pron - CLEARLY_BELOW };
}
