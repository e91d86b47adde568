/**
 * `npm test`: unit and feature tests, then the end-to-end journeys, without the slow ones, and the suites of the server on PostgreSQL.
 * `npm test -- --all` (`npm run test:all`) runs all of them, on both databases. `npm test -- PATH` runs the tests at that path, which may
 * be one `*.suite.ts`; `--database pglite` or `--database postgres` runs the suites on one database.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SLOW_TAG } from '@parley/test-kit/slow-tag';
import { ensureTestPrograms } from './test/ensure-test-programs.ts';
import { listQuickJourneys } from './test/quick-journeys.ts';
import { readTestOptions, type TestOptions } from './test/test-options.ts';
import {
  countLeftOut,
  describeFailedTests,
  describeRetriedTests,
  describeSlowestTests,
  TestReport,
} from './test/test-report.ts';
import { runNodeTool } from './run-node-tool.ts';

const SLOWEST_TESTS = 20;

const rootDir = fileURLToPath(new URL('..', import.meta.url));
const { selection, leavesOutSlow, environment } = readOptions();
const reportDir = await mkdtemp(join(tmpdir(), 'parley-test-'));
/** Tests start many processes, and most of each start is spent on resolving and compiling modules. */
const quickStart = {
  NODE_COMPILE_CACHE: join(rootDir, '.cache/compile'),
  NODE_OPTIONS: [
    process.env['NODE_OPTIONS'] ?? '',
    // A file URL, because Node splits this variable at the spaces of a path.
    `--import ${new URL('test/resolve-drizzle-once.ts', import.meta.url).href}`,
  ]
    .join(' ')
    .trim(),
};
const reports: TestReport[] = [];
const totals = { passed: 0, failed: 0, skipped: 0, leftOut: 0 };

function readOptions(): TestOptions {
  try {
    return readTestOptions(process.argv.slice(2), rootDir);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(2);
  }
}

async function runTests(name: string, args: readonly string[]): Promise<void> {
  const reportFile = join(reportDir, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const { code } = await runNodeTool({
    packageName: 'vitest',
    args: ['run', ...reporters, ...(leavesOutSlow ? [`--tags-filter=!${SLOW_TAG.name}`] : []), ...args],
    rootDir,
    environment: { ...quickStart, ...environment },
  });
  const text = await readFile(reportFile, 'utf8').catch(() => null);
  const report = text === null ? null : TestReport.parse(JSON.parse(text));
  if (report !== null) reports.push(report);
  totals.passed += report?.numPassedTests ?? 0;
  const leftOut = report === null ? 0 : countLeftOut(report);
  totals.leftOut += leftOut;
  totals.skipped += (report?.numPendingTests ?? 0) - leftOut;
  // A file that fails to load reports no failed test, so the exit code decides.
  const failed = report?.numFailedTests ?? 0;
  totals.failed += code !== 0 && failed === 0 ? 1 : failed;
}

const hasBrowser = await ensureTestPrograms(rootDir);
await runTests('unit', selection);
if (selection.length === 0) {
  const journeys = leavesOutSlow ? listQuickJourneys(rootDir) : [];
  if (hasBrowser) await runTests('end-to-end', ['--config', 'desktop/e2e/vitest.config.ts', ...journeys]);
  else totals.failed += 1;
}
await rm(reportDir, { recursive: true });
console.log(`\nThe slowest tests:\n${describeSlowestTests(reports, { rootDir, count: SLOWEST_TESTS }).join('\n')}\n`);
const retried = describeRetriedTests(reports, rootDir);
if (retried.length > 0) console.log(`What passed only at its second try:\n${retried.join('\n')}\n`);
const failures = describeFailedTests(reports, rootDir);
if (failures.length > 0) console.log(`What failed:\n${failures.join('\n')}\n`);
if (leavesOutSlow)
  console.log(`Left to npm run test:all: ${totals.leftOut} slow tests, and the suites on the second database.\n`);
console.log(
  `${totals.passed} passed, ${totals.failed} failed${totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''}`,
);
process.exit(totals.failed > 0 ? 1 : 0);
