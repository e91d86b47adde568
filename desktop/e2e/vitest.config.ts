import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const shared = {
  pool: 'forks',
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 10_000 } },
} as const;
/** It is measured how soon a coach falls silent: nothing else may take its share of the machine. */
const TIMED = 'call-journey.e2e.ts';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  test: {
    projects: [
      // Most of a journey is waiting for somebody to speak: two share two cores well.
      {
        test: { ...shared, name: 'journeys', include: ['**/*.e2e.ts'], exclude: [TIMED], maxWorkers: 2 },
      },
      {
        test: { ...shared, name: 'timed', include: [TIMED], fileParallelism: false, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
