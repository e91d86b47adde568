/** The programs that `npm run check` runs. Their caches are in `.cache`, which git ignores. */

export interface Tool {
  name: string;
  packageName: string;
  /** The command, if its name differs from the package's. */
  command?: string;
  args: readonly string[];
}

export const LINT: Tool = { name: 'lint', packageName: 'oxlint', args: ['--type-aware', '--deny-warnings'] };
export const TYPES: Tool = { name: 'types', packageName: 'typescript', command: 'tsc', args: ['-b'] };
export const TYPES_OF_TESTS: Tool = {
  name: 'types of tests',
  packageName: 'typescript',
  command: 'tsc',
  args: ['-p', 'tsconfig.tests.json'],
};
export const FORMAT: Tool = {
  name: 'format',
  packageName: 'prettier',
  args: [
    '--check',
    '.',
    '--log-level=warn',
    '--cache',
    '--cache-strategy=content',
    '--cache-location=.cache/prettier.json',
  ],
};
export const DEAD_CODE: Tool = {
  name: 'dead code',
  packageName: 'knip',
  args: ['--no-progress', '--cache', '--cache-location', '.cache/knip'],
};
export const EXPORTS_FOR_TESTS: Tool = {
  name: 'exports that only tests use',
  packageName: 'knip',
  args: ['--no-progress', '--production', '--config', 'knip.production.json', '--include', 'exports,files'],
};
