/** The promises of the coach that talks: it stays itself, it is judged by what was said, and no failure of a provider loses a word. */
import { measureFirstSound } from '../measure/first-sound.ts';
import { measureFirstWords } from '../measure/first-words.ts';
import { runTests, type TestCounts } from '../measure/run-tests.ts';
import { atMost, formatFigure, type Outcome, type ProductPromise } from './promise.ts';

const allOf = ({ passed, failed }: Pick<TestCounts, 'passed' | 'failed'>): Outcome => ({
  figure: `${passed} of ${passed + failed} tests`,
  holds: failed === 0 && passed > 0,
});

const tests = (says: string, args: readonly string[]): ProductPromise => ({
  says,
  bar: 'all tests',
  keep: async () => allOf(await runTests(args)),
});

export const promises: readonly ProductPromise[] = [
  tests(
    'Both coaches keep one suite; prompts hold none of the learner’s words; 48 attacks on an obedient model come to nothing',
    ['packages/coach'],
  ),
  tests(
    'The real OpenAI client, on Responses and on chat completions, meets every failure of its provider, and cancels upstream',
    ['sync-server/src/integrations/openai'],
  ),
  tests('The real Azure Speech SDK streams, scores and meets every failure; what was not measured is missing', [
    'sync-server/src/integrations/azure-speech',
  ]),
  tests(
    'Each failure ends in a code, costs the learner nothing, and leaves the server’s ledger, leases and memory right (both databases)',
    ['sync-server/src/both-databases.test.ts', '-t', 'coaching|charges|metering'],
  ),
  tests('In a live practice nothing that was said is lost, whatever fails', [
    'desktop/src/host/practice/live-session.test.ts',
  ]),
  tests('A turn is heard while it is spoken, all of it and none of it twice; a cut falls back on its recording', [
    'desktop/src/host/practice/spoken-turn.test.ts',
  ]),
  tests('The realtime relay breaks off when the learner breaks in, goes on at “mm-hm”, and ends in words', [
    'sync-server/src/app/realtime',
  ]),
  tests('A call keeps each turn with its sound, is taken up again when its line breaks, and loses nothing to a kill', [
    'desktop/src/host/practice/call',
  ]),
  {
    says: 'The coach’s first words, when the model takes 400 ms to begin (slowest of 15 turns, ms)',
    bar: '<= 1200',
    keep: async () => atMost(await measureFirstWords(), 1_200),
  },
  {
    says: 'The coach’s first sound, when model and voice take 400 ms each to begin, and a word 35 ms (median of 15 lines, ms)',
    bar: 'median <= 1200',
    keep: async () => {
      const { medianMs, slowestMs } = await measureFirstSound();
      return { figure: `${formatFigure(medianMs)}, slowest ${formatFigure(slowestMs)}`, holds: medianMs <= 1_200 };
    },
  },
  tests('In Chromium a live conversation is held, judged, remembered and forgotten; axe finds nothing', [
    '--config',
    'desktop/e2e/vitest.config.ts',
    'live-journey',
  ]),
  tests(
    'In a call in Chromium a coach that is spoken over is silent within 150 ms; “mm-hm” interrupts nobody, the coach goes on where it was',
    ['--config', 'desktop/e2e/vitest.config.ts', 'call-journey'],
  ),
];
