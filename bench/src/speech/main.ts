/**
 * `npm run bench:speech -- --corpus DIR [--split validation] [--limit 100]`: prints each of the scorer's figures beside
 * published ones. Only recordings of the split are disturbed.
 */
import { parseArgs } from 'node:util';
import { type CorpusFigures, evaluateCorpus, FOLDS_DIR, noisy } from '@parley/speech/evaluate';
import { corpusDir } from '@parley/test-kit';
import { measureRealTimeFactor } from '../measure/real-time-factor.ts';
import { formatFigure } from '../prove/promise.ts';
import { formatTable } from '../report/format-table.ts';
import { modelMebibytes, scorerMemoryMebibytes } from './measure-footprint.ts';
import { measureFreeDrafts, measureReadDrafts } from './measure-drafts.ts';
import { measureDrills } from './measure-drills.ts';
import { measureErrors } from './measure-errors.ts';
import { measureOtherEnglish } from './measure-other-english.ts';
import { measurePassages } from './measure-passages.ts';
import { measureRefusals } from './measure-refusals.ts';
import { measureShadowing } from './measure-shadowing.ts';
import { measureStability } from './measure-stability.ts';
import { measureStreaming } from './measure-streaming.ts';
import { measureWrongSounds } from './measure-wrong-sounds.ts';
import { englishDir, NO_ENGLISH } from './read-english.ts';
import { readRecordings } from './read-recordings.ts';
import { NO_VOICES, syntheticVoices, withModelVoice } from './voices.ts';

const { values } = parseArgs({
  options: {
    corpus: { type: 'string' },
    split: { type: 'string', default: 'validation' },
    /** Number of recordings to disturb and to reject; agreement uses all. */
    limit: { type: 'string', default: '100' },
  },
});
const corpus = values.corpus ?? corpusDir();
const limit = Number(values.limit);
if (corpus === null || !Number.isInteger(limit) || limit < 1) {
  console.error('npm run bench:speech -- --corpus DIR [--split validation] [--limit 100]');
  process.exit(2);
}

/** Pearson correlations on the test half of the corpus: Gong et al. 2022 (GOPT), and the Kaldi baseline of Zhang et al. 2021. */
const PUBLISHED: Partial<Record<keyof CorpusFigures, [gopt: number | null, baseline: number | null]>> = {
  phonePcc: [0.612, 0.45],
  phoneMse: [0.085, null],
  wordAccuracyPcc: [0.533, null],
  sentenceAccuracyPcc: [0.714, null],
  sentenceFluencyPcc: [0.753, null],
  sentenceProsodyPcc: [0.76, null],
  sentenceTotalPcc: [0.742, null],
};

/** The models that ship have heard all speakers, so each speaker is scored by models that have not. */
const crossValidated = { corpusDir: corpus, foldsDir: FOLDS_DIR };
const all = await evaluateCorpus(crossValidated);
const children = await evaluateCorpus({ ...crossValidated, ages: { from: 0, to: 15 } });
const adults = await evaluateCorpus({ ...crossValidated, ages: { from: 16, to: 200 } });
const formatCell = (value: number | null | undefined): string =>
  value === null || value === undefined || Number.isNaN(value) ? '–' : formatFigure(value);

console.log(`agreement with human experts, ${all.utterances} utterances, by cross-validation over all speakers`);
console.log(
  formatTable(
    ['figure', 'all', 'children', 'adults', 'GOPT', 'Kaldi GOP'],
    (Object.keys(all) as (keyof CorpusFigures)[]).map((name) => [
      name,
      ...[all, children, adults].map((figures) => formatCell(figures[name])),
      ...(PUBLISHED[name] ?? [null, null]).map(formatCell),
    ]),
  ),
);

const recordings = await readRecordings({ corpusDir: corpus, split: values.split, limit });
console.log(`\nstability under disturbance (${recordings.length} recordings)`);
console.log(
  formatTable(
    ['disturbance', 'scores that move by less than 5', 'median move', 'p95 move'],
    (await measureStability(recordings)).map(({ name, stableShare, medianMove, p95Move }) => [
      name,
      formatCell(stableShare),
      formatCell(medianMove),
      formatCell(p95Move),
    ]),
  ),
);

console.log('\nword feedback, against planted errors');
console.log(
  formatTable(
    ['error', 'planted', 'found', 'false alarms', 'of', 'precision'],
    (await measureErrors(recordings)).map(({ name, made, recall, falseAlarms, chances, precision }) => [
      name,
      String(made),
      formatCell(recall),
      String(falseAlarms),
      String(chances),
      formatCell(precision),
    ]),
  ),
);

console.log('\nrecordings that must be rejected');
console.log(
  formatTable(
    ['recording', 'handled correctly', 'reasons given'],
    (await measureRefusals(recordings)).map(({ name, refusedShare, reasonCounts }) => [
      name,
      formatCell(refusedShare),
      reasonCounts,
    ]),
  ),
);

const english = englishDir();
console.log('\nother English, read as it stands');
if (english === null) console.log(NO_ENGLISH);
else {
  const { corpora, accents } = await measureOtherEnglish(english, limit);
  console.log(
    formatTable(
      ['speech', 'recordings', 'refused', 'median score'],
      [...corpora, ...accents].map(({ name, recordings: read, refused, median }) => [
        name,
        String(read),
        String(refused),
        formatCell(median),
      ]),
    ),
  );
}

const voices = syntheticVoices();
if (voices === null) console.log(`\nwrong sounds, minimal pairs and drafts: ${NO_VOICES}`);
else {
  console.log('\none wrong sound in a sentence, by synthetic voices');
  console.log(
    formatTable(
      [
        'voices',
        'said',
        'refused',
        'the sound falls by 20',
        'its word by 10',
        'correctly named',
        'correct words reported as wrong',
      ],
      [
        ...(await Promise.all(
          voices.map(async (voice) => ({ name: voice.name, ...(await measureWrongSounds([voice])) })),
        )),
        { name: 'all, noise 20 dB below', ...(await measureWrongSounds(voices, noisy(20))) },
      ].map(({ name, said, refused, soundFell, wordFell, namedRightly, falseAlarms }) => [
        name,
        String(said),
        ...[refused, soundFell, wordFell, namedRightly, falseAlarms].map(formatCell),
      ]),
    ),
  );
  console.log('\nminimal pairs');
  console.log(
    formatTable(
      ['voice', 'said', 'right', 'wrong', 'refused'],
      (await withModelVoice((model) => measureDrills([...voices, model]))).map(
        ({ voice, said, right, wrong, refused }) => [voice, String(said), ...[right, wrong, refused].map(formatCell)],
      ),
    ),
  );
  console.log('\ndrafts: word error rate, and share of the confident words that were said');
  console.log(
    formatTable(
      ['speech', 'recordings', 'the practice expected', 'everyday English', 'confident words correct'],
      [...(await measureReadDrafts(corpus, limit)), await measureFreeDrafts(voices, limit)].map(
        ({ name, recordings: drafted, withPractice, without, sureWordsRight }) => [
          name,
          String(drafted),
          ...[withPractice, without, sureWordsRight].map(formatCell),
        ],
      ),
    ),
  );
}

const streaming = await measureStreaming(recordings);
console.log('\nwhile a learner speaks, ten seconds in real time');
console.log(
  formatTable(
    ['measured', 'figure'],
    [
      ['last sample to score, median (ms)', formatCell(streaming.medianMs)],
      ['last sample to score, maximum (ms)', formatCell(streaming.worstMs)],
      ['end of a word to its highlight, median (ms)', formatCell(streaming.highlightDelayMs)],
      ['text highlighted at the last sample (share)', formatCell(streaming.litShare)],
    ],
  ),
);

const passages = await measurePassages(
  await readRecordings({ corpusDir: corpus, split: values.split, limit: Infinity }),
);
console.log(
  `\n${passages.passages} passages of one speaker each, ${formatCell(passages.minutes)} minutes, ${passages.words} words`,
);
console.log(
  formatTable(
    ['measured', 'figure'],
    [
      ['words kept, in order (share)', formatCell(passages.wordsKept)],
      ['word scores in the passage and alone (PCC)', formatCell(passages.wordPcc)],
      ['score differs from the mean of its sentences (points, median)', formatCell(passages.pronDifference)],
      ['computing time per second of speech (s)', formatCell(passages.realTimeFactor)],
    ],
  ),
);

console.log('\ncost');
console.log(
  formatTable(
    ['measured', 'figure', 'limit'],
    [
      ['computing time per second of speech, one thread (s)', formatCell(await measureRealTimeFactor()), '0.05'],
      ['model and scorer on disk (MiB)', formatCell(await modelMebibytes()), '15'],
      ['memory above the idle process (MiB)', formatCell(await scorerMemoryMebibytes()), '200'],
    ],
  ),
);

const shadowing = await measureShadowing(recordings);
console.log(`\nshadowing, ${shadowing.recordings} recordings beside the model voice`);
console.log(
  formatTable(
    ['score', 'agreement with the experts on prosody', 'quartiles'],
    [
      ['melody', formatCell(shadowing.melodyPcc), shadowing.melody.map(formatCell).join(', ')],
      ['rhythm', formatCell(shadowing.rhythmPcc), shadowing.rhythm.map(formatCell).join(', ')],
    ],
  ),
);
console.log(`sentences for which the model voice is too flat: ${shadowing.flatModels}`);
