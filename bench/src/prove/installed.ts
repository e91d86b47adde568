/**
 * Promises about an installation: where the work is kept, updates, packages, help when something breaks, and the built
 * server.
 */
import { runTests, type TestCounts } from '../measure/run-tests.ts';
import type { CallFigures } from '../nodes/call-figures.ts';
import { measureNodes, type NodesFigures } from '../nodes/measure-nodes.ts';
import { formatFigure, notMeasured, type Outcome, type ProductPromise } from './promise.ts';

const toOutcome = ({ passed, failed, skipped }: TestCounts, of: string): Outcome => ({
  figure: `${passed} of ${passed + failed} ${of}${skipped > 0 ? `, ${skipped} not run here` : ''}`,
  holds: failed === 0 && passed > 0,
});

const tests = (...args: string[]): Promise<Outcome> => runTests(args).then((counts) => toOutcome(counts, 'tests'));
const journeys = (...names: string[]): Promise<Outcome> =>
  runTests(['--config', 'desktop/e2e/vitest.config.ts', ...names]).then((counts) => toOutcome(counts, 'journeys'));

let nodes: Promise<NodesFigures> | null = null;
const measureNodesOnce = (): Promise<NodesFigures> => (nodes ??= measureNodes());

/** With a longer delay, a learner would notice that the server is busy. */
const ANSWER_BAR_MS = 300;

const everyTurnIsAnswered = ({ turns, answered, failed }: CallFigures): boolean =>
  turns > 0 && answered === turns && failed === 0;

export const promises: readonly ProductPromise[] = [
  {
    claim:
      'In Chromium a new installation asks where the work is kept, follows a school’s link after a question, keeps two servers apart and comes back',
    bar: 'all journeys',
    measure: () => journeys('installed-journey'),
  },
  {
    claim:
      'Each server has its own profile: nothing is mixed up or lost, work without a server is moved only on request, and an older installation stays intact',
    bar: 'all tests',
    measure: () => tests('desktop/src/host/profiles', 'desktop/src/host/server-choice'),
  },
  {
    claim:
      'In Chromium an app that is too old for its server leads to the update and can still be used to practise; a crash report is read before it is sent, only to the school’s server; changes of audio devices and sleep mid-turn lose nothing',
    bar: 'all journeys',
    measure: () => journeys('update-journey', 'crash-journey', 'devices-journey'),
  },
  {
    claim:
      'Electron’s main process, against a fake of Electron: links, windows, host process, keychain, crashes, menus in the learner’s language',
    bar: 'all tests',
    measure: () =>
      tests(
        'desktop/src/shell/electron/main.test.ts',
        'desktop/src/shell/electron/native-texts.test.ts',
        'desktop/src/shell/electron/host',
      ),
  },
  {
    claim:
      'An update in the server’s feed is offered with its notes; a damaged or older one or one of another stage is not, and none is offered during a session',
    bar: 'all tests',
    measure: () => tests('desktop/src/shell/electron/updates.test.ts'),
  },
  {
    claim:
      'A report contains versions, checks and logs but no error messages, and a crash report not even folders; a damaged index is repaired without losing a row',
    bar: 'all tests',
    measure: () =>
      tests(
        'desktop/src/host/support',
        'desktop/src/shell/log-file.test.ts',
        'desktop/src/shell/crash-folder.test.ts',
        'packages/contract/src/crash-report.test.ts',
        'sync-server/src/crashes',
      ),
  },
  {
    claim:
      'Each package gets only the native files of its system; the Linux package, made with a fake of Electron’s runtime, opens its host from its own files alone, speaks and scores',
    bar: 'all tests',
    measure: () =>
      tests('desktop/src/shell/electron/packaging.test.ts', 'desktop/src/shell/electron/built-app.test.ts'),
  },
  {
    claim: 'The installers of the three systems start on those systems',
    bar: 'started',
    measure: async () =>
      notMeasured('Electron’s runtime is needed; the workflow of the repository packages on three systems'),
  },
  {
    claim: 'The built server starts from its folder alone; its commands explain bad input; metrics and traces arrive',
    bar: 'all tests',
    measure: () => tests('scripts/build-server.test.ts', 'sync-server/src/cli', 'sync-server/src/http/observability'),
  },
  {
    claim:
      'Two and four nodes on one PostgreSQL answer every one of 40 pushes and 40 streams a second while 60 learners listen and eight more are in calls (p99 of the slower kind)',
    bar: 'none failed',
    measure: async () => {
      const { load } = await measureNodesOnce();
      const failed = load.reduce((sum, { push, stream }) => sum + push.failed + stream.failed, 0);
      const speed = load.map(
        ({ nodes, push, stream }) => `${nodes} nodes: ${formatFigure(Math.max(push.p99Ms, stream.p99Ms))} ms`,
      );
      return {
        figure: `${failed} failed; ${speed.join(', ')}`,
        holds: failed === 0 && load.every(({ push, stream }) => Number.isFinite(push.p99Ms + stream.p99Ms)),
      };
    },
  },
  {
    claim:
      'Meanwhile the eight speak in real time, and every turn is answered (p95 from the end of a turn to the coach’s first audio, without the delay of the OpenAI fake)',
    bar: `every turn, ${ANSWER_BAR_MS} ms`,
    measure: async () => {
      const { load } = await measureNodesOnce();
      const figures = load.map(
        ({ nodes, calls }) =>
          `${nodes} nodes: ${calls.answered} of ${calls.turns} turns in ${calls.calls} calls, ${calls.failed} failed, ${formatFigure(calls.p95Ms)} ms`,
      );
      return {
        figure: figures.join('; '),
        holds: load.every(({ calls }) => everyTurnIsAnswered(calls) && calls.p95Ms <= ANSWER_BAR_MS),
      };
    },
  },
  {
    claim: 'With four nodes each run of a periodic job happens once, and a limit of 20 calls a minute is one limit',
    bar: '1 a minute, 20 calls',
    measure: async () => {
      const { jobRunsAMinute, limit } = await measureNodesOnce();
      return {
        figure: `${jobRunsAMinute.most} a minute in ${jobRunsAMinute.minutes} minutes; ${limit.allowed} of ${limit.sent} calls`,
        holds: jobRunsAMinute.most === 1 && jobRunsAMinute.minutes === 2 && limit.allowed === 20,
      };
    },
  },
  {
    claim: 'One of four nodes is killed while 60 learners push turns: every acknowledged turn is there, and no other',
    bar: 'all, none doubled',
    measure: async () => {
      const { acknowledged, found, stored, repeated } = (await measureNodesOnce()).killed;
      return {
        figure: `${found} of ${acknowledged} found, ${stored} stored; ${repeated} were sent again`,
        holds: acknowledged > 0 && found === acknowledged && stored === acknowledged && repeated > 0,
      };
    },
  },
  {
    claim:
      'Of eight calls at that moment, those on the other nodes continue; one on the killed node is reopened on another, which takes over its lease and gets the conversation so far: no turn that the device knew is lost, and every turn is answered',
    bar: 'all, none lost',
    measure: async () => {
      const { calls } = (await measureNodesOnce()).killed;
      return {
        figure: `${calls.continued} of ${calls.cut} went on elsewhere within ${formatFigure(calls.outageMs)} ms with ${calls.resent} of ${calls.known} turns, ${calls.calls - calls.cut} where they were, ${calls.failed} failed; ${calls.answered} of ${calls.turns} turns answered; ${calls.leasesLeft} of ${calls.leases} leases left`,
        holds:
          everyTurnIsAnswered(calls) &&
          calls.cut > 0 &&
          calls.cut < calls.calls &&
          calls.continued === calls.cut &&
          calls.known > 0 &&
          calls.resent === calls.known &&
          calls.leases === calls.calls &&
          calls.leasesLeft === 0,
      };
    },
  },
];
