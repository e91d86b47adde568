/** `npm test`: unit and feature tests, then whole journeys in a real browser; `npm test -- PATH` runs only what lies there. */
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { ensureTestPrograms } from './test/browser.ts';
import { run } from './run.ts';

const Report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numFailedTestSuites: z.number(),
});

const rootDir = fileURLToPath(new URL('..', import.meta.url));
const vitest = join(rootDir, 'node_modules/vitest/vitest.mjs');
const paths = process.argv.slice(2);
const reports = await mkdtemp(join(tmpdir(), 'parley-test-'));
const sums = { passed: 0, failed: 0, skipped: 0 };

async function runTests(name: string, args: readonly string[]): Promise<void> {
  const reportFile = join(reports, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const { code } = await run({ program: process.execPath, args: [vitest, 'run', ...reporters, ...args], cwd: rootDir });
  const text = await readFile(reportFile, 'utf8').catch(() => null);
  const report = text === null ? null : Report.parse(JSON.parse(text));
  sums.passed += report?.numPassedTests ?? 0;
  sums.skipped += report?.numPendingTests ?? 0;
  // A file that could not be loaded has no failed test of its own, and has failed all the same.
  const failed = report?.numFailedTests ?? 0;
  sums.failed += code !== 0 && failed === 0 ? 1 : failed;
}

const hasBrowser = await ensureTestPrograms(rootDir);
await runTests('unit', paths);
if (paths.length === 0) {
  if (hasBrowser) await runTests('end-to-end', ['--config', 'desktop/e2e/vitest.config.ts']);
  else sums.failed += 1;
}
console.log(`${sums.passed} passed, ${sums.failed} failed${sums.skipped > 0 ? `, ${sums.skipped} skipped` : ''}`);
process.exit(sums.failed > 0 ? 1 : 0);
