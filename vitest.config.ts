import { availableParallelism } from 'node:os';
import { longestFirst } from '@parley/test-kit/longest-first';
import { SLOW_TAG } from '@parley/test-kit/slow-tag';
import { configDefaults, defineConfig } from 'vitest/config';

/** These run for a minute or more, although the first ones are small files. */
const LONG_FILES = [/sync\/both-databases/, /both-databases/, /every-practice/, /realtime/, /scorer/, /turns-later/];

const NO_UNIT_TESTS = [...configDefaults.exclude, '**/out/**', 'desktop/e2e/**'];

/** Tests of the desktop's shell that start it, or change the process in which they run. */
const OF_THE_PROCESS = [
  'browser-shell',
  'closed-by-learner',
  'command-line',
  'crash-folder',
  'main',
  'main-failures',
  'packaging',
  'serve-host',
  'updates',
  'window-videos',
];

/**
 * These files share the processes of their workers, because starting one and loading the host into it takes longer than most of their
 * tests. They close what they open and leave the process as it was. The named exceptions change or measure their own process.
 */
const SHARED = [
  'packages/*/src/**/!(scorer|file-permissions).test.{ts,tsx}',
  'desktop/src/{host,renderer}/**/!(private-files).test.{ts,tsx}',
  `desktop/src/shell/**/!(${OF_THE_PROCESS.join('|')}).test.ts`,
  'sync-server/src/**/!(body-attacks|speech-memory).test.ts',
  'sync-server/admin/src/**/*.test.{ts,tsx}',
  'fakes/src/**/*.test.ts',
  'bench/src/**/*.test.ts',
  'scripts/**/!(start-local-server).test.ts',
];

/** These run their suites on PGlite and on PostgreSQL. */
const ON_BOTH_DATABASES = [
  'sync-server/src/**/both-databases.test.ts',
  'sync-server/src/http/limits/request-limits.test.ts',
  'bench/src/year/year.test.ts',
];

export default defineConfig({
  test: {
    tags: [SLOW_TAG],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // One race among nine thousand tests must not hide the state of the others. `npm test` lists each test that needed
    // a second attempt.
    retry: 1,
    // The default of a second is too short when both cores are busy; a poll ends as soon as it succeeds.
    expect: { poll: { timeout: 15_000 } },
    pool: 'forks',
    setupFiles: 'scripts/test/temporary-folder.ts',
    // Realtime tests wait for speech most of the time, so one more worker for every two cores keeps the cores busy.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: longestFirst(LONG_FILES) },
    // Each file belongs to exactly one of these.
    projects: [
      {
        extends: true,
        test: {
          name: 'isolated',
          include: ['{packages,desktop,sync-server,fakes,bench,scripts}/**/*.test.{ts,tsx}'],
          exclude: [...NO_UNIT_TESTS, ...SHARED, ...ON_BOTH_DATABASES],
        },
      },
      {
        extends: true,
        test: {
          name: 'databases',
          isolate: false,
          include: ON_BOTH_DATABASES,
          exclude: NO_UNIT_TESTS,
          globalSetup: 'sync-server/test-kit/postgres-cluster.ts',
        },
      },
      {
        extends: true,
        test: { name: 'shared', isolate: false, include: SHARED, exclude: [...NO_UNIT_TESTS, ...ON_BOTH_DATABASES] },
      },
    ],
  },
});
