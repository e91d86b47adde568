/** Promises about the scorer: agreement, stability, rejection and cost, measured on held-out speakers. */
import { corpusDir, hasProgram } from '@parley/test-kit';
import { measureExpertAgreement } from '../measure/expert-agreement.ts';
import { measureRealTimeFactor } from '../measure/real-time-factor.ts';
import { modelMebibytes, scorerMemoryMebibytes } from '../speech/measure-footprint.ts';
import { noisy } from '@parley/speech/evaluate';
import { measureDrills } from '../speech/measure-drills.ts';
import { measureFreeDrafts, measureReadDrafts } from '../speech/measure-drafts.ts';
import { measureErrors } from '../speech/measure-errors.ts';
import { measureOtherEnglish, type OtherEnglishFigures } from '../speech/measure-other-english.ts';
import { measurePassages } from '../speech/measure-passages.ts';
import { measureRefusals } from '../speech/measure-refusals.ts';
import { measureStability } from '../speech/measure-stability.ts';
import { measureStreaming } from '../speech/measure-streaming.ts';
import { measureWrongSounds, type WrongSoundFigures } from '../speech/measure-wrong-sounds.ts';
import { englishDir, NO_ENGLISH } from '../speech/read-english.ts';
import { readRecordings, type Recording } from '../speech/read-recordings.ts';
import { NO_VOICES, syntheticVoices, type SyntheticVoice, withModelVoice } from '../speech/voices.ts';
import { expertAgreement, NO_CORPUS } from './expert-agreement.ts';
import { atLeast, atMost, notMeasured, type Outcome, type ProductPromise } from './promise.ts';

const RECORDINGS = 100;
const STABLE_SHARE = 0.95;
const REFUSED_SHARE = 0.95;
/** The share of the word feedback that must be correct. */
const FEEDBACK_PRECISION = 0.75;
const MAX_SCORE_DELAY_MS = 300;

async function withHeldOutRecordings(
  measure: (recordings: Recording[]) => Promise<Outcome>,
  limit = RECORDINGS,
): Promise<Outcome> {
  const dir = corpusDir();
  if (dir === null || !hasProgram('opusdec')) return notMeasured(NO_CORPUS);
  return measure(await readRecordings({ corpusDir: dir, split: 'validation', limit }));
}

/** Reports the weakest part, because the row holds only if that part does. */
function worstOf(parts: readonly { name: string; share: number }[], bar: number): Outcome {
  const [worst] = parts.toSorted((a, b) => a.share - b.share);
  if (worst === undefined) return notMeasured('nothing was measured');
  const outcome = atLeast(worst.share, bar);
  return { ...outcome, figure: `${outcome.figure} (${worst.name})` };
}

const OTHER_ENGLISH_LIMIT = 60;
const DRAFTS = 60;
const SINGLE_WORDS = 'Speech Commands';

let otherEnglish: Promise<OtherEnglishFigures[]> | null = null;
async function withOtherEnglish(measure: (corpora: readonly OtherEnglishFigures[]) => Outcome): Promise<Outcome> {
  const dir = englishDir();
  if (dir === null || !hasProgram('opusdec')) return notMeasured(NO_ENGLISH);
  otherEnglish ??= measureOtherEnglish(dir, OTHER_ENGLISH_LIMIT).then(({ corpora }) => corpora);
  return measure(await otherEnglish);
}

async function withVoices(measure: (voices: readonly SyntheticVoice[]) => Promise<Outcome>): Promise<Outcome> {
  const voices = syntheticVoices();
  return voices === null ? notMeasured(NO_VOICES) : measure(voices);
}

const wrongSounds: { clean: Promise<WrongSoundFigures> | null; noisy: Promise<WrongSoundFigures> | null } = {
  clean: null,
  noisy: null,
};
/** 60 pairs of words in two sentences by four voices, clean and with noise 20 dB below the voice. */
const wrongSoundPromise = (
  claim: string,
  bar: string,
  judge: (figures: WrongSoundFigures) => Outcome,
  room: 'clean' | 'noisy' = 'clean',
): ProductPromise => ({
  claim,
  bar,
  measure: () =>
    withVoices(async (voices) => {
      const measured = (wrongSounds[room] ??= measureWrongSounds(voices, room === 'noisy' ? noisy(20) : undefined));
      return judge(await measured);
    }),
});

const refusedOf = (corpora: readonly OtherEnglishFigures[]): number =>
  corpora.reduce((sum, { refused }) => sum + refused, 0) /
  Math.max(
    1,
    corpora.reduce((sum, { recordings }) => sum + recordings, 0),
  );

export const promises: readonly ProductPromise[] = [
  expertAgreement('Phone scores agree with human experts (PCC)', 0.64, 'phonePcc'),
  expertAgreement('Word scores agree with human experts (PCC)', 0.68, 'wordAccuracyPcc'),
  expertAgreement('Sentence accuracy agrees with human experts (PCC)', 0.79, 'sentenceAccuracyPcc'),
  expertAgreement('Sentence fluency agrees with human experts (PCC)', 0.86, 'sentenceFluencyPcc'),
  expertAgreement('Sentence prosody agrees with human experts (PCC)', 0.86, 'sentenceProsodyPcc'),
  expertAgreement('Sentence total agrees with human experts (PCC)', 0.84, 'sentenceTotalPcc'),
  expertAgreement('Phone scores of children agree with human experts (PCC)', 0.42, 'childrenPhonePcc'),
  expertAgreement('Sentence totals of children agree with human experts (PCC)', 0.57, 'childrenTotalPcc'),
  {
    claim: 'Readings by learners that are refused (share)',
    bar: '<= 0.002',
    measure: async () => {
      const figures = await measureExpertAgreement();
      return figures === null ? notMeasured(NO_CORPUS) : atMost(figures.refusedShare, 0.002);
    },
  },
  expertAgreement(
    'A wrong text of the same length scores clearly below the right one (share)',
    0.995,
    'rightAboveWrong',
  ),
  {
    claim: 'Distance, noise, telephone, Opus and silence move a score by less than 5 points (share, least stable)',
    bar: `>= ${STABLE_SHARE}`,
    measure: () =>
      withHeldOutRecordings(async (recordings) => {
        const measured = await measureStability(recordings);
        return worstOf(
          measured.map(({ name, stableShare }) => ({ name, share: stableShare })),
          STABLE_SHARE,
        );
      }),
  },
  {
    claim:
      'Silence, noise, clipping, music, another text, another language, far too fast: rejected with a correct reason (share, worst case)',
    bar: `>= ${REFUSED_SHARE}`,
    measure: () =>
      withHeldOutRecordings(async (recordings) => {
        const measured = await measureRefusals(recordings);
        return worstOf(
          measured.map(({ name, refusedShare }) => ({ name, share: refusedShare })),
          REFUSED_SHARE,
        );
      }),
  },
  {
    claim: 'Word feedback is correct: omissions, insertions, wrong sounds, pauses, monotone (precision, worst case)',
    bar: `>= ${FEEDBACK_PRECISION}`,
    measure: () =>
      withHeldOutRecordings(async (recordings) => {
        const measured = await measureErrors(recordings);
        return worstOf(
          measured.map(({ name, precision }) => ({ name, share: precision })),
          FEEDBACK_PRECISION,
        );
      }),
  },
  wrongSoundPromise('A wrong sound in a sentence loses at least 20 points (share)', '>= 0.8', ({ soundFell }) =>
    atLeast(soundFell, 0.8),
  ),
  wrongSoundPromise('The word that contains it loses at least 10 points (share)', '>= 0.8', ({ wordFell }) =>
    atLeast(wordFell, 0.8),
  ),
  wrongSoundPromise(
    'In noise 20 dB below the voice, the sound loses at least 20 points (share)',
    '>= 0.8',
    ({ soundFell }) => atLeast(soundFell, 0.8),
    'noisy',
  ),
  wrongSoundPromise(
    'In the same noise, the word loses at least 10 points (share)',
    '>= 0.8',
    ({ wordFell }) => atLeast(wordFell, 0.8),
    'noisy',
  ),
  wrongSoundPromise(
    'If the feedback names the sound that was recognised, it is the one that was said (share)',
    '>= 0.5',
    ({ namedRightly }) => atLeast(namedRightly, 0.5),
  ),
  wrongSoundPromise('Correct words in which something is marked as wrong (share)', '<= 0.05', ({ falseAlarms }) =>
    atMost(falseAlarms, 0.05),
  ),
  wrongSoundPromise('Sentences with one wrong sound that are refused (share)', '<= 0.01', ({ refused }) =>
    atMost(refused, 0.01),
  ),
  {
    claim:
      'Minimal pairs: the word that was said is recognised (share, worst of five voices, including the app’s model voice)',
    bar: '>= 0.85',
    measure: () =>
      withVoices(async (voices) => {
        const figures = await withModelVoice((model) => measureDrills([...voices, model]));
        return worstOf(
          figures.map(({ voice, right }) => ({ name: voice, share: right })),
          0.85,
        );
      }),
  },
  {
    claim:
      'Native and other readers outside the learner corpus score high (lowest median of three corpora, overall score)',
    bar: '>= 92',
    measure: () =>
      withOtherEnglish((corpora) => {
        const readers = corpora.filter(({ name }) => name !== SINGLE_WORDS);
        const [lowest] = readers.toSorted((a, b) => a.median - b.median);
        if (lowest === undefined) return notMeasured(NO_ENGLISH);
        const outcome = atLeast(lowest.median, 92);
        return { ...outcome, figure: `${outcome.figure} (${lowest.name})` };
      }),
  },
  {
    claim: 'Sentences in other English, read as written, that are refused (share)',
    bar: '<= 0.01',
    measure: () =>
      withOtherEnglish((corpora) => atMost(refusedOf(corpora.filter(({ name }) => name !== SINGLE_WORDS)), 0.01)),
  },
  {
    claim: 'Single words that are refused (share)',
    bar: '<= 0.03',
    measure: () =>
      withOtherEnglish((corpora) => atMost(refusedOf(corpora.filter(({ name }) => name === SINGLE_WORDS)), 0.03)),
  },
  {
    claim: 'Drafts of adults who read one of thirty expected sentences (word error rate)',
    bar: '<= 0.25',
    measure: async () => {
      const dir = corpusDir();
      if (dir === null || !hasProgram('opusdec')) return notMeasured(NO_CORPUS);
      const [adults] = await measureReadDrafts(dir, DRAFTS);
      return adults === undefined ? notMeasured(NO_CORPUS) : atMost(adults.withPractice, 0.25);
    },
  },
  {
    claim: 'Drafts of free answers by synthetic voices (word error rate)',
    bar: '<= 0.25',
    measure: () => withVoices(async (voices) => atMost((await measureFreeDrafts(voices, DRAFTS)).withPractice, 0.25)),
  },
  {
    claim: 'After ten seconds of speech, the score is ready soon after the last sample (ms, slowest of six)',
    bar: `<= ${MAX_SCORE_DELAY_MS}`,
    measure: () =>
      withHeldOutRecordings(async (all) => atMost((await measureStreaming(all)).worstMs, MAX_SCORE_DELAY_MS)),
  },
  {
    claim: 'Passages of two and a half minutes lose no word (share of words, in order)',
    bar: '>= 1',
    measure: () => withHeldOutRecordings(async (all) => atLeast((await measurePassages(all)).wordsKept, 1), Infinity),
  },
  {
    claim: 'Scoring is faster than speech on one core (seconds of work per second of speech)',
    bar: '<= 0.05',
    measure: async () => atMost(await measureRealTimeFactor(), 0.05),
  },
  { claim: 'Model and scorer on disk (MiB)', bar: '<= 15', measure: async () => atMost(await modelMebibytes(), 15) },
  {
    claim: 'Memory above the idle process (MiB)',
    bar: '<= 200',
    measure: async () => atMost(await scorerMemoryMebibytes(), 200),
  },
];
