import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { longestFirst } from '@parley/test-kit/longest-first';
import { SLOW_TAG } from '@parley/test-kit/slow-tag';
import { defineConfig } from 'vitest/config';

const shared = {
  pool: 'forks',
  // Loading the host and the server takes longer than many journeys, so the files share the processes of their workers.
  isolate: false,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 10_000 } },
  // A browser that starts late on a busy machine says nothing about the product, so a failing journey is repeated once.
  retry: 1,
} as const;
/**
 * These tests measure timing and compare recordings sample by sample, so nothing else may run beside them: Chromium's
 * fake microphone drops audio that is not read in time.
 */
const TIMED = ['realtime', 'practice', 'drill', 'sound-cues'].map((name) => `journeys/practice/${name}-journey.e2e.ts`);

const WORKERS = Math.ceil(availableParallelism() * 1.5);

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  test: {
    tags: [SLOW_TAG],
    sequence: { sequencer: longestFirst([/account-journey/, /plan-journey/]) },
    globalSetup: '../../scripts/test/prepare-journeys.ts',
    projects: [
      // Tests spend half of the time waiting for speech, so one more worker for every two cores keeps the cores busy.
      {
        test: { ...shared, name: 'journeys', include: ['journeys/**/*.e2e.ts'], exclude: TIMED, maxWorkers: WORKERS },
      },
      {
        test: { ...shared, name: 'timed', include: TIMED, fileParallelism: false, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
