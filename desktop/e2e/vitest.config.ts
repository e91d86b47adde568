import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const shared = {
  pool: 'forks',
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 10_000 } },
  // A browser that starts late on a busy machine says nothing about the product, so a journey that fails is repeated once.
  retry: 1,
} as const;
/**
 * These tests measure timing and compare recordings sample for sample, so nothing else may run beside them: Chromium's
 * fake microphone drops audio that is not read in time.
 */
const TIMED = ['realtime-journey.e2e.ts', 'practice-journey.e2e.ts'];

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  test: {
    globalSetup: '../../scripts/test/build-renderer.ts',
    projects: [
      // Tests mostly wait for speech, so two run well on two cores.
      {
        test: { ...shared, name: 'journeys', include: ['*.e2e.ts'], exclude: TIMED, maxWorkers: 2 },
      },
      {
        test: { ...shared, name: 'timed', include: TIMED, fileParallelism: false, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
