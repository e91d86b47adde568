/** Promises about an installation: where the work is kept, updates, packages, what helps when something breaks, and the built server. */
import { runTests, type TestCounts } from '../measure/run-tests.ts';
import { notMeasured, type Outcome, type ProductPromise } from './promise.ts';

const toOutcome = ({ passed, failed, skipped }: TestCounts, of: string): Outcome => ({
  figure: `${passed} of ${passed + failed} ${of}${skipped > 0 ? `, ${skipped} not run here` : ''}`,
  holds: failed === 0 && passed > 0,
});

const tests = (...args: string[]): Promise<Outcome> => runTests(args).then((counts) => toOutcome(counts, 'tests'));
const journeys = (name: string): Promise<Outcome> =>
  runTests(['--config', 'desktop/e2e/vitest.config.ts', name]).then((counts) => toOutcome(counts, 'journeys'));

export const promises: readonly ProductPromise[] = [
  {
    claim:
      'In Chromium a new installation asks where the work is kept, follows a school’s link after a question, keeps two servers apart and comes back',
    bar: 'all journeys',
    measure: () => journeys('installed-journey'),
  },
  {
    claim:
      'Each server has a profile of its own: nothing is mixed or lost, work without a server goes along only on request, an older installation stays whole',
    bar: 'all tests',
    measure: () => tests('desktop/src/host/profiles', 'desktop/src/host/server-choice'),
  },
  {
    claim: 'Electron’s main process, against a fake of Electron: links, menu, windows, host process, keychain',
    bar: 'all tests',
    measure: () => tests('desktop/src/shell/electron/main.test.ts', 'desktop/src/shell/electron/host'),
  },
  {
    claim:
      'An update of the server’s feed is offered with its notes; a damaged, an older and one of another stage is not, nor any during a session',
    bar: 'all tests',
    measure: () => tests('desktop/src/shell/electron/updates.test.ts'),
  },
  {
    claim:
      'A report holds versions, checks and logs but no message of an error; a damaged index is repaired without losing a row',
    bar: 'all tests',
    measure: () => tests('desktop/src/host/support', 'desktop/src/shell/log-file.test.ts'),
  },
  {
    claim: 'Each package gets only the native files of its system; the bundled app opens its host, speaks and scores',
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
];
