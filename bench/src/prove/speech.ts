/** The promises of the scorer: agreement, steadiness, refusal, cost; all on speakers that nothing was trained on. */
import { corpusDir, hasProgram } from '@parley/test-kit';
import { measureRealTimeFactor } from '../measure/real-time-factor.ts';
import { modelMebibytes, scorerMemoryMebibytes } from '../speech/measure-footprint.ts';
import { measureErrors } from '../speech/measure-errors.ts';
import { measurePassages } from '../speech/measure-passages.ts';
import { measureRefusals } from '../speech/measure-refusals.ts';
import { measureStability } from '../speech/measure-stability.ts';
import { measureStreaming } from '../speech/measure-streaming.ts';
import { readRecordings, type Recording } from '../speech/recordings.ts';
import { heldOut, NO_CORPUS } from './held-out.ts';
import { atLeast, atMost, notMeasured, type Outcome, type ProductPromise } from './promise.ts';

const RECORDINGS = 100;
const STEADY_SHARE = 0.95;
const REFUSED_SHARE = 0.95;
/** Of what a learner is told about a word, what must be true. */
const TOLD_PRECISION = 0.75;
const SCORE_WITHIN_MS = 300;

async function onHeldOutRecordings(
  measure: (recordings: Recording[]) => Promise<Outcome>,
  limit = RECORDINGS,
): Promise<Outcome> {
  const dir = corpusDir();
  if (dir === null || !hasProgram('opusdec')) return notMeasured(NO_CORPUS);
  return measure(await readRecordings({ corpusDir: dir, split: 'validation', limit }));
}

/** A row that holds only as far as its weakest part, which it names. */
function weakest(parts: readonly { name: string; share: number }[], bar: number): Outcome {
  const [worst] = parts.toSorted((a, b) => a.share - b.share);
  if (worst === undefined) return notMeasured('nothing was measured');
  const outcome = atLeast(worst.share, bar);
  return { ...outcome, figure: `${outcome.figure} (${worst.name})` };
}

export const promises: readonly ProductPromise[] = [
  heldOut('Sound scores agree with human experts (PCC, phones)', 0.52, 'phonePcc'),
  heldOut('Word scores agree with human experts (PCC)', 0.58, 'wordAccuracyPcc'),
  heldOut('Sentence accuracy agrees with human experts (PCC)', 0.67, 'sentenceAccuracyPcc'),
  heldOut('Sentence fluency agrees with human experts (PCC)', 0.76, 'sentenceFluencyPcc'),
  heldOut('Sentence prosody agrees with human experts (PCC)', 0.75, 'sentenceProsodyPcc'),
  heldOut('Sentence total agrees with human experts (PCC)', 0.72, 'sentenceTotalPcc'),
  heldOut('A wrong text of the same length scores clearly below the right one (share)', 0.995, 'rightAboveWrong'),
  {
    says: 'Distance, noise, telephone, Opus and silence move a score by less than 5 points (share, least steady)',
    bar: `>= ${STEADY_SHARE}`,
    keep: () =>
      onHeldOutRecordings(async (recordings) => {
        const measured = await measureStability(recordings);
        return weakest(
          measured.map(({ name, steadyShare }) => ({ name, share: steadyShare })),
          STEADY_SHARE,
        );
      }),
  },
  {
    says: 'Silence, noise, clipping, music, another text, another language, far too fast: refused with the reason (share, least sure)',
    bar: `>= ${REFUSED_SHARE}`,
    keep: () =>
      onHeldOutRecordings(async (recordings) => {
        const measured = await measureRefusals(recordings);
        return weakest(
          measured.map(({ name, refusedShare }) => ({ name, share: refusedShare })),
          REFUSED_SHARE,
        );
      }),
  },
  {
    says: 'What is said of a word is true: left out, added, another sound, pauses, flat melody (precision, least sure)',
    bar: `>= ${TOLD_PRECISION}`,
    keep: () =>
      onHeldOutRecordings(async (recordings) => {
        const measured = await measureErrors(recordings);
        return weakest(
          measured.map(({ name, precision }) => ({ name, share: precision })),
          TOLD_PRECISION,
        );
      }),
  },
  {
    says: 'After ten seconds of speech the score stands soon after the last sample (ms, slowest of six)',
    bar: `<= ${SCORE_WITHIN_MS}`,
    keep: () => onHeldOutRecordings(async (all) => atMost((await measureStreaming(all)).worstMs, SCORE_WITHIN_MS)),
  },
  {
    says: 'Passages of two and a half minutes lose no word (share of words, in order)',
    bar: '>= 1',
    keep: () => onHeldOutRecordings(async (all) => atLeast((await measurePassages(all)).wordsKept, 1), Infinity),
  },
  {
    says: 'Scoring is faster than speech on one core (seconds of work a second of speech)',
    bar: '<= 0.1',
    keep: async () => atMost(await measureRealTimeFactor(), 0.1),
  },
  { says: 'Model and scorer on disk (MiB)', bar: '<= 12', keep: async () => atMost(await modelMebibytes(), 12) },
  {
    says: 'Memory above the idle process (MiB)',
    bar: '<= 250',
    keep: async () => atMost(await scorerMemoryMebibytes(), 250),
  },
];
