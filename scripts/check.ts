/** `npm run check`: format, types, lint, dead code, boundaries and what must never be committed. */
import { fileURLToPath } from 'node:url';
import { findViolations, readSources } from './boundaries/check-boundaries.ts';
import { findStrays } from './strays.ts';
import { run } from './run.ts';

const rootDir = fileURLToPath(new URL('..', import.meta.url));

const tools: [name: string, program: string, args: string[]][] = [
  ['types', 'tsc', ['-b']],
  ['types of tests', 'tsc', ['-p', 'tsconfig.tests.json']],
  ['format', 'prettier', ['--check', '.', '--log-level', 'warn']],
  ['lint', 'oxlint', ['--type-aware', '--deny-warnings']],
  ['dead code', 'knip', ['--no-progress']],
];

let failed = 0;
const report = (name: string, problems: string): void => {
  if (problems.trim() === '') return console.log(`✓ ${name}`);
  failed += 1;
  console.log(`✗ ${name}\n${problems}`);
};

for (const [name, program, args] of tools) {
  const { code, output } = await run({ program, args, cwd: rootDir, quiet: true });
  report(name, code === 0 ? '' : output);
}
const sources = await readSources(rootDir);
report(
  'boundaries',
  sources.length < 120 ? `only ${sources.length} files were read` : findViolations(sources).join('\n'),
);
report('strays', (await findStrays(rootDir)).join('\n'));
process.exit(failed > 0 ? 1 : 0);
