/** Promises about the model coach: it resists attacks, judges by evidence, and loses nothing when a provider fails. */
import { HELD_OUT, measureUnderstanding, type UnderstandingResult } from '../coach/measure-understanding.ts';
import { createWordErrors } from '../coach/word-errors.ts';
import { measureTimeToFirstAudio } from '../measure/time-to-first-audio.ts';
import { measureTimeToFirstWords } from '../measure/time-to-first-words.ts';
import { runTests, type TestCounts } from '../measure/run-tests.ts';
import { atMost, formatFigure, type Outcome, type ProductPromise } from './promise.ts';

const toOutcome = ({ passed, failed }: Pick<TestCounts, 'passed' | 'failed'>): Outcome => ({
  figure: `${passed} of ${passed + failed} tests`,
  holds: failed === 0 && passed > 0,
});

const testsPromise = (
  claim: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): ProductPromise => ({
  claim,
  bar: 'all tests',
  measure: async () => toOutcome(await runTests(args, environment)),
});

const understanding = { typed: null as UnderstandingResult | null, transcribed: null as UnderstandingResult | null };
const measureTyped = (): UnderstandingResult =>
  (understanding.typed ??= measureUnderstanding(HELD_OUT, (said) => said));
const measureTranscribed = (): UnderstandingResult =>
  (understanding.transcribed ??= measureUnderstanding(HELD_OUT, createWordErrors(0.15, 20)));

/** One promise for each required figure on answers that were never used for tuning. */
function understandingPromise(claim: string, what: string, bar: string): ProductPromise {
  return {
    claim,
    bar,
    measure: () => {
      const row = measureTyped().rows.find((one) => one.what === what);
      const noisy = measureTranscribed().rows.find((one) => one.what === what);
      if (row === undefined || noisy === undefined) throw new Error(`there is no row "${what}"`);
      const figure = `${row.percent.toFixed(1)} % of ${row.of}; ${noisy.percent.toFixed(1)} % with word errors`;
      return Promise.resolve({ figure, holds: row.holds });
    },
  };
}

export const promises: readonly ProductPromise[] = [
  testsPromise(
    'Both coaches pass one suite; prompts contain none of the learner’s words; 48 attacks on an obedient model fail',
    ['packages/coach'],
  ),
  testsPromise(
    'Each practice can be completed at each level, and its objectives proved; a hundred conversations with a difficult learner end without a loop',
    ['packages/coach/src/guided/every-practice.test.ts'],
    { DIFFICULT_CONVERSATIONS: '100' },
  ),
  understandingPromise(
    'Of unseen free answers that fit, this share gets the right step or a fitting bridge (and with 15 % word errors)',
    'fitting answers: the right step, or a bridge',
    '>= 88 %',
  ),
  understandingPromise(
    'Unseen clarifying questions that are recognised',
    'clarifying questions, recognised',
    '>= 80 %',
  ),
  understandingPromise(
    'Unseen off-topic talk that is mistaken for an answer',
    'off-topic talk, mistaken for an answer',
    '<= 12 %',
  ),
  understandingPromise('Objectives that unseen answers prove, ticked', 'objectives, correctly ticked', '>= 70 %'),
  understandingPromise('Unseen answers with a wrong tick', 'answers with a wrong tick', '<= 3 %'),
  testsPromise('Free answers are understood in the app, offline, and continue identically after a restart', [
    'desktop/src/host/practice/free-answers.test.ts',
  ]),
  testsPromise(
    'The real OpenAI client handles every provider failure, on Responses and on chat completions, and cancels upstream',
    ['sync-server/src/integrations/openai'],
  ),
  testsPromise('The real Azure Speech SDK streams, scores and handles every failure; unmeasured scores stay absent', [
    'sync-server/src/integrations/azure-speech',
  ]),
  testsPromise(
    'Each failure returns a code, costs the learner nothing, and leaves the ledger, leases and memory correct (both databases)',
    ['sync-server/src/both-databases.test.ts', '-t', 'coaching|charges|metering'],
  ),
  testsPromise('One coach takes over from the other mid-scene; objectives and what was said are kept', [
    'desktop/src/host/practice/session/switch-coach.test.ts',
  ]),
  testsPromise('A practice with the model coach loses nothing that was said, whatever fails', [
    'desktop/src/host/practice/model-coach.test.ts',
  ]),
  testsPromise(
    'A turn is transcribed while it is spoken, completely and only once; after a dropped connection, its recording is used',
    ['desktop/src/host/practice/turn/streamed-turns.test.ts'],
  ),
  testsPromise('The realtime relay stops when the learner interrupts, continues on “mm-hm”, and reports why it ends', [
    'sync-server/src/http/realtime',
  ]),
  testsPromise(
    'A call keeps each turn with its audio, resumes after a broken connection, and loses nothing when the app is killed',
    ['desktop/src/host/practice/realtime'],
  ),
  {
    claim: 'Time to the coach’s first words when the model takes 400 ms to begin (slowest of 15 turns, ms)',
    bar: '<= 1200',
    measure: async () => atMost(await measureTimeToFirstWords(), 1_200),
  },
  {
    claim:
      'Time to the coach’s first audio when model and voice each take 400 ms to begin and a word 35 ms (median of 15 utterances, ms)',
    bar: 'median <= 1200',
    measure: async () => {
      const { medianMs, slowestMs } = await measureTimeToFirstAudio();
      return { figure: `${formatFigure(medianMs)}, slowest ${formatFigure(slowestMs)}`, holds: medianMs <= 1_200 };
    },
  },
  testsPromise('In Chromium, offline, a whole practice is spoken in the learner’s own words, scored and understood', [
    '--config',
    'desktop/e2e/vitest.config.ts',
    'own-words-journey',
  ]),
  testsPromise(
    'In Chromium a practice with the model coach is completed, judged, remembered and forgotten; axe finds nothing',
    ['--config', 'desktop/e2e/vitest.config.ts', 'model-coach-journey'],
  ),
  testsPromise(
    'In a call in Chromium an interrupted coach falls silent within 150 ms; “mm-hm” does not interrupt, and the coach continues where it was',
    ['--config', 'desktop/e2e/vitest.config.ts', 'realtime-journey'],
  ),
];
