/** Reads what vitest's JSON reporter writes. */
import { relative } from 'node:path';
import { SLOW_TAG } from '@parley/test-kit/slow-tag';
import { z } from 'zod';

export const TestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numFailedTestSuites: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      /** Why the file could not be loaded; empty if it could. */
      message: z.string().default(''),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          duration: z.number().nullish(),
          status: z.string().optional(),
          tags: z.array(z.string()).default([]),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});
export type TestReport = z.infer<typeof TestReport>;

/** Counts the tests that were left out because they are slow. */
export const countLeftOut = ({ testResults }: TestReport): number =>
  testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status, tags }) => status === 'skipped' && tags.includes(SLOW_TAG.name)).length;

interface SlowTest {
  name: string;
  file: string;
  durationMs: number;
}

/** Lists the slowest tests of all reports, slowest first, one per line. */
export function describeSlowestTests(reports: readonly TestReport[], { rootDir, count }: DescribeOptions): string[] {
  const tests = reports.flatMap(({ testResults }) =>
    testResults.flatMap(({ name: file, assertionResults }) =>
      assertionResults.map(({ fullName, duration }): SlowTest => ({
        name: fullName,
        file,
        durationMs: Math.round(duration ?? 0),
      })),
    ),
  );
  return tests
    .sort((a, b) => b.durationMs - a.durationMs)
    .slice(0, count)
    .map(({ name, file, durationMs }) => `${String(durationMs).padStart(7)} ms  ${relative(rootDir, file)}: ${name}`);
}

/** Lists each failed test and each file that could not be loaded, with the first line of its message, one per line. */
export function describeFailedTests(reports: readonly TestReport[], rootDir: string): string[] {
  return reports.flatMap(({ testResults }) =>
    testResults.flatMap(({ name, message, assertionResults }) => {
      const file = relative(rootDir, name);
      const failed = assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => `${file}: ${fullName}: ${firstLine(failureMessages?.[0] ?? '')}`);
      return failed.length === 0 && message !== '' ? [`${file}: ${firstLine(message)}`] : failed;
    }),
  );
}

/** Lists each test that passed at its second attempt, with the first line of why the first one failed, one per line. */
export const describeRetriedTests = (reports: readonly TestReport[], rootDir: string): string[] =>
  reports.flatMap(({ testResults }) =>
    testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.flatMap(({ fullName, status, failureMessages }) => {
        const reason = status === 'passed' ? failureMessages?.[0] : undefined;
        return reason === undefined ? [] : [`${relative(rootDir, name)}: ${fullName}: ${firstLine(reason)}`];
      }),
    ),
  );

const firstLine = (text: string): string => text.trim().split('\n', 1)[0] ?? '';

interface DescribeOptions {
  rootDir: string;
  count: number;
}
