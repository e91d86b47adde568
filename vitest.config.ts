import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** These run for minutes, although the first are small files: started last, they would leave one core idle at the end. */
const LONG_FILES = [/sync\/both-databases/, /every-practice/, /both-databases/, /realtime/];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = LONG_FILES.findIndex((pattern) => pattern.test(moduleId));
      return index === -1 ? LONG_FILES.length : index;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    include: ['{packages,desktop,sync-server,fakes,bench,scripts}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/out/**', 'desktop/e2e/**'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // The default of a second is too short when both cores are busy; a poll ends as soon as it holds.
    expect: { poll: { timeout: 15_000 } },
    pool: 'forks',
    // Realtime tests wait for speech most of the time, so one more worker for every two cores keeps the cores busy.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: LongestFirst },
  },
});
