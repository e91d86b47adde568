import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A test or a group of tests at the start of a line, up to its function. In between are the options, which may contain
 * tags.
 */
const TOP_LEVEL = /^(?:it|describe)\b[\s\S]*?=> \{/gm;
const SLOW = "tags: ['slow']";

/** The journeys that are not entirely slow. The others are not started, because loading one takes seconds. */
export function listQuickJourneys(rootDir: string): string[] {
  return globSync('desktop/e2e/journeys/**/*.e2e.ts', { cwd: rootDir }).filter((file) => {
    const tests = readFileSync(join(rootDir, file), 'utf8').match(TOP_LEVEL) ?? [];
    return tests.length === 0 || tests.some((test) => !test.includes(SLOW));
  });
}
