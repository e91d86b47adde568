/** `npm run bench:speech -- --corpus DIR [--split validation] [--limit 100]`: every figure of the scorer beside what was published. */
import { parseArgs } from 'node:util';
import { type CorpusFigures, evaluateCorpus } from '@parley/speech/evaluate';
import { corpusDir } from '@parley/test-kit';
import { measureRealTimeFactor } from '../measure/real-time-factor.ts';
import { formatFigure } from '../prove/promise.ts';
import { formatTable } from '../prove/table.ts';
import { modelMebibytes, scorerMemoryMebibytes } from './measure-footprint.ts';
import { measureErrors } from './measure-errors.ts';
import { measurePassages } from './measure-passages.ts';
import { measureRefusals } from './measure-refusals.ts';
import { measureStability } from './measure-stability.ts';
import { measureStreaming } from './measure-streaming.ts';
import { readRecordings } from './recordings.ts';

const { values } = parseArgs({
  options: {
    corpus: { type: 'string' },
    split: { type: 'string', default: 'validation' },
    /** Recordings that are disturbed and refused; agreement takes all. */
    limit: { type: 'string', default: '100' },
  },
});
const corpus = values.corpus ?? corpusDir();
const limit = Number(values.limit);
if (corpus === null || !Number.isInteger(limit) || limit < 1) {
  console.error('npm run bench:speech -- --corpus DIR [--split validation] [--limit 100]');
  process.exit(2);
}

/** Pearson's correlations on the corpus' test half: Gong et al. 2022 (GOPT), and the Kaldi baseline of Zhang et al. 2021. */
const PUBLISHED: Partial<Record<keyof CorpusFigures, [gopt: number | null, baseline: number | null]>> = {
  phonePcc: [0.612, 0.45],
  phoneMse: [0.085, null],
  wordAccuracyPcc: [0.533, null],
  sentenceAccuracyPcc: [0.714, null],
  sentenceFluencyPcc: [0.753, null],
  sentenceProsodyPcc: [0.76, null],
  sentenceTotalPcc: [0.742, null],
};

const shared = { corpusDir: corpus, split: values.split };
const all = await evaluateCorpus(shared);
const children = await evaluateCorpus({ ...shared, ages: { from: 0, to: 15 } });
const adults = await evaluateCorpus({ ...shared, ages: { from: 16, to: 200 } });
const cell = (value: number | null | undefined): string =>
  value === null || value === undefined || Number.isNaN(value) ? '–' : formatFigure(value);

console.log(`agreement with human experts, ${all.utterances} utterances of the split ${values.split}`);
console.log(
  formatTable(
    ['figure', 'all', 'children', 'adults', 'GOPT', 'Kaldi GOP'],
    (Object.keys(all) as (keyof CorpusFigures)[]).map((name) => [
      name,
      ...[all, children, adults].map((figures) => cell(figures[name])),
      ...(PUBLISHED[name] ?? [null, null]).map(cell),
    ]),
  ),
);

const recordings = await readRecordings({ ...shared, limit });
console.log(`\nthe same utterance, disturbed (${recordings.length} recordings)`);
console.log(
  formatTable(
    ['disturbance', 'scores that move by less than 5', 'median move', 'move of the worst in twenty'],
    (await measureStability(recordings)).map(({ name, steadyShare, medianMove, worstOfTwenty }) => [
      name,
      cell(steadyShare),
      cell(medianMove),
      cell(worstOfTwenty),
    ]),
  ),
);

console.log('\nwhat is said of single words, against a truth that was made');
console.log(
  formatTable(
    ['error', 'made', 'found', 'false alarms', 'of', 'precision'],
    (await measureErrors(recordings)).map(({ name, made, recall, falseAlarms, chances, precision }) => [
      name,
      String(made),
      cell(recall),
      String(falseAlarms),
      String(chances),
      cell(precision),
    ]),
  ),
);

console.log('\nwhat must not be scored');
console.log(
  formatTable(
    ['recording', 'as it must be', 'reasons given'],
    (await measureRefusals(recordings)).map(({ name, refusedShare, given }) => [name, cell(refusedShare), given]),
  ),
);

const streaming = await measureStreaming(recordings);
console.log('\nwhile a learner speaks, ten seconds in real time');
console.log(
  formatTable(
    ['measured', 'figure'],
    [
      ['from the last sample to the score, in the middle (ms)', cell(streaming.medianMs)],
      ['from the last sample to the score, at the worst (ms)', cell(streaming.worstMs)],
      ['from the end of a word until it has lit up, in the middle (ms)', cell(streaming.lagMs)],
      ['of the text has lit up at the last sample (share)', cell(streaming.litShare)],
    ],
  ),
);

const passages = await measurePassages(await readRecordings({ ...shared, limit: Infinity }));
console.log(
  `\n${passages.passages} passages of one speaker each, ${cell(passages.minutes)} minutes, ${passages.words} words`,
);
console.log(
  formatTable(
    ['measured', 'figure'],
    [
      ['words that are there, in order (share)', cell(passages.wordsKept)],
      ['words score as they do alone (PCC)', cell(passages.wordPcc)],
      ['the score differs from the mean of its sentences (points, in the middle)', cell(passages.pronMove)],
      ['work a second of speech (s)', cell(passages.realTimeFactor)],
    ],
  ),
);

console.log('\ncost');
console.log(
  formatTable(
    ['measured', 'figure', 'limit'],
    [
      ['work a second of speech, one thread (s)', cell(await measureRealTimeFactor()), '0.1'],
      ['model and scorer on disk (MiB)', cell(await modelMebibytes()), '12'],
      ['memory above the idle process (MiB)', cell(await scorerMemoryMebibytes()), '250'],
    ],
  ),
);
