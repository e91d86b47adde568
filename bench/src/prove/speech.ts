/** Promises about the scorer: agreement, stability, rejection and cost, measured on held-out speakers. */
import { corpusDir, hasProgram } from '@parley/test-kit';
import { measureExpertAgreement } from '../measure/expert-agreement.ts';
import { measureRealTimeFactor } from '../measure/real-time-factor.ts';
import { modelMebibytes, scorerMemoryMebibytes } from '../speech/measure-footprint.ts';
import { measureErrors } from '../speech/measure-errors.ts';
import { measurePassages } from '../speech/measure-passages.ts';
import { measureRefusals } from '../speech/measure-refusals.ts';
import { measureStability } from '../speech/measure-stability.ts';
import { measureStreaming } from '../speech/measure-streaming.ts';
import { readRecordings, type Recording } from '../speech/read-recordings.ts';
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
  {
    claim: 'After ten seconds of speech the score is ready soon after the last sample (ms, slowest of six)',
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
