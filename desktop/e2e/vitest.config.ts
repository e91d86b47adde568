import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const shared = {
  pool: 'forks',
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 10_000 } },
} as const;
/**
 * How soon a coach falls silent, and whether a recording is what the microphone heard sample for sample: nothing else may take its share of
 * the machine. Chromium's made-up microphone drops what is not fetched in time.
 */
const TIMED = ['call-journey.e2e.ts', 'practice-journey.e2e.ts'];

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  test: {
    globalSetup: '../../scripts/test/build-window.ts',
    projects: [
      // Most of a journey is waiting for somebody to speak: two share two cores well.
      {
        test: { ...shared, name: 'journeys', include: ['**/*.e2e.ts'], exclude: TIMED, maxWorkers: 2 },
      },
      {
        test: { ...shared, name: 'timed', include: TIMED, fileParallelism: false, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
