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

const ALL = ['{packages,desktop,sync-server,fakes,bench,scripts}/**/*.test.{ts,tsx}'];
const NEVER = ['**/node_modules/**', '**/out/**', 'desktop/e2e/**'];

/** These change what belongs to their whole process, such as its clock, environment or umask, or listen to its events. */
const OWN_PROCESS = [
  '**/private-files.test.ts',
  'desktop/src/shell/**/*.test.ts',
  'packages/coach/src/model/model-coach.test.ts',
  'packages/file-permissions/src/file-permissions.test.ts',
  'scripts/build-server.test.ts',
  'sync-server/src/check-services/check-services.test.ts',
  'sync-server/src/cli/cli.test.ts',
  'sync-server/src/coach/announce-loading.test.ts',
  'sync-server/src/integrations/openai/realtime/learner/turn-transcripts.test.ts',
];

export default defineConfig({
  test: {
    projects: [
      // Importing the modules takes longer than many tests, so the files of one process share them.
      { extends: true, test: { name: 'shared', include: ALL, exclude: [...NEVER, ...OWN_PROCESS], isolate: false } },
      { extends: true, test: { name: 'alone', include: OWN_PROCESS, exclude: NEVER } },
    ],
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
