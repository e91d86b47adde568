/** Promises about learning: the schedule, a simulated year, long histories, and devices that work apart. */
import { type YearsMeasured, measureYears } from '../learning/measure-years.ts';
import { replaySchedules } from '../learning/replay-schedules.ts';
import { runHistories } from '../learning/run-histories.ts';
import { type SimulatedLearner, simulateLearner } from '../learning/simulate-learner.ts';
import { runTests } from '../measure/run-tests.ts';
import { atLeast, atMost, formatFigure, type Outcome, type ProductPromise } from './promise.ts';

/** Each day uses seeds that were never tested before. */
const seed = Math.floor(Date.now() / 86_400_000) * 1_000;
const histories = Number(process.env['PARLEY_HISTORIES'] ?? '40');

/** Six answers of ten words a session. */
const HISTORY_SIZE = { sessions: 5_000, attempts: 300_000 };
let measured: Promise<YearsMeasured> | null = null;
const measureOnce = (): Promise<YearsMeasured> => (measured ??= measureYears(HISTORY_SIZE));

let simulated: SimulatedLearner | null = null;
const simulateOnce = (): SimulatedLearner => (simulated ??= simulateLearner({ seed, words: 200 }));

async function measureHistories(isPostgres: boolean): Promise<Outcome> {
  const { passed, failed } = await runHistories({
    seed,
    runs: histories,
    isPostgres,
    devices: null,
    onRun: (of, wrong) => {
      if (wrong.length > 0) console.error(`seed ${of}: ${wrong.join('; ').slice(0, 2_000)}`);
    },
  });
  return { figure: `${passed} of ${passed + failed} histories`, holds: failed === 0 && passed > 0 };
}

const testsPromise = (claim: string, paths: readonly string[]): ProductPromise => ({
  claim,
  bar: 'all tests',
  measure: async () => {
    const { passed, failed } = await runTests(paths);
    return { figure: `${passed} of ${passed + failed} tests`, holds: failed === 0 && passed > 0 };
  },
});

export const promises: readonly ProductPromise[] = [
  {
    claim:
      'Two or three devices, in half of the histories with one of the previous app version, practise, review, delete and undo apart, in any order, and end with the log, schedule and list that an independent oracle expects (PGlite)',
    bar: 'all histories',
    measure: () => measureHistories(false),
  },
  { claim: 'The same on PostgreSQL', bar: 'all histories', measure: () => measureHistories(true) },
  {
    claim:
      'The schedule that is replayed from the log, in whatever order its rows arrived, equals ts-fsrs fed review by review',
    bar: 'all of 2,000',
    measure: async () => {
      const { equal, total } = replaySchedules({ seed, runs: 2_000 });
      return { figure: `${equal} of ${total}`, holds: equal === total };
    },
  },
  {
    claim: 'A simulated year with 200 hard words: reviews on an average day (and on the longest one)',
    bar: '<= 10',
    measure: async () => {
      const { meanReviews, maxReviews } = simulateOnce();
      return { figure: `${formatFigure(meanReviews)} (${maxReviews})`, holds: meanReviews <= 10 };
    },
  },
  {
    claim: 'The same year: share of reviews in which the word was said well',
    bar: '>= 0.65',
    measure: async () => atLeast(simulateOnce().retention, 0.65),
  },
  {
    claim: 'The same year: words said well on the last day, against the same practice without reviews',
    bar: 'more',
    measure: async () => {
      const { knownAtEnd, knownWithoutReviews } = simulateOnce();
      const percent = (share: number): string => `${Math.round(share * 100)} %`;
      return {
        figure: `${percent(knownAtEnd)} against ${percent(knownWithoutReviews)}`,
        holds: knownAtEnd > knownWithoutReviews,
      };
    },
  },
  {
    claim: 'With 5,000 sessions and 300,000 attempts, Progress opens quickly (the first time after a start, ms)',
    bar: '<= 300',
    measure: async () => atMost((await measureOnce()).progressFirstMs, 300),
  },
  {
    claim: 'With the same history, the next review card appears quickly after a grade (median, ms)',
    bar: '<= 50',
    measure: async () => atMost((await measureOnce()).nextCardMs, 50),
  },
  {
    claim:
      'With the same history, an answer with the ten most common words is stored quickly after it is scored (median, ms)',
    bar: '<= 50',
    measure: async () => atMost((await measureOnce()).answerMs, 50),
  },
  testsPromise(
    'Progress is correct after a deletion, its undo, a pull and a restored backup; a missing score is a dash',
    ['desktop/src/host/progress', 'desktop/src/renderer/progress', 'packages/domain/src/learning'],
  ),
  testsPromise(
    'An export is imported twice without duplicates, older rows replace nothing, and a bad file changes nothing',
    ['desktop/src/host/transfer'],
  ),
  testsPromise('The oracle of the random histories shares no code with the product', ['bench/src/learning/oracle']),
  testsPromise(
    'In Chromium, offline, a word that is mispronounced in a practice is on the list with its clip, is reviewed by voice on two days and learned; a second device shows the same',
    ['--config', 'desktop/e2e/vitest.config.ts', 'review-journey'],
  ),
];
