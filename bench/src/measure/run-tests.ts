/** Runs tests of the project and counts their results. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const ROOT_DIR = fileURLToPath(new URL('../../../', import.meta.url));

const Report = z.object({
  success: z.boolean(),
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  testResults: z.array(
    z.object({
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()).default([]) }),
      ),
    }),
  ),
});
const MAX_REASON_CHARACTERS = 300;

export interface TestCounts {
  passed: number;
  failed: number;
  skipped: number;
}

/** `args` are vitest arguments: paths, or `--config`. `environment` is added to the variables of this process. */
export async function runTests(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<TestCounts> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-prove-'));
  const reportFile = join(dir, 'report.json');
  const vitest = join(ROOT_DIR, 'node_modules/vitest/vitest.mjs');
  await new Promise<void>((resolve) => {
    execFile(
      process.execPath,
      [vitest, 'run', ...args, '--reporter=json', `--outputFile.json=${reportFile}`],
      { cwd: ROOT_DIR, env: { ...process.env, ...environment }, maxBuffer: 64 * 1024 * 1024 },
      () => resolve(),
    );
  });
  const report = Report.parse(JSON.parse(await readFile(reportFile, 'utf8')));
  await rm(dir, { recursive: true, force: true });
  for (const { status, fullName, failureMessages } of report.testResults.flatMap((file) => file.assertionResults))
    if (status === 'failed')
      console.error(`  failed: ${fullName}: ${(failureMessages[0] ?? '').slice(0, MAX_REASON_CHARACTERS)}`);
  // The tests of a file that cannot be loaded, or whose setup fails, are not counted at all.
  const failed = report.success ? report.numFailedTests : Math.max(1, report.numFailedTests);
  return { passed: report.numPassedTests, failed, skipped: report.numPendingTests };
}

export const runJourneyTests = (): Promise<TestCounts> => runTests(['--config', 'desktop/e2e/vitest.config.ts']);

/** Runs the crash tests: each kills a practising host twice and looks for everything that it had acknowledged. */
export const runCrashTests = (): Promise<TestCounts> => runTests(['desktop/src/host/practice/crash.test.ts']);
