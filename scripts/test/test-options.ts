/** Reads the arguments of `npm test`. */
import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

const DATABASES = ['pglite', 'postgres'] as const;

export interface TestOptions {
  /** Vitest's own filters, such as paths and `-t NAME`. */
  selection: readonly string[];
  /** Whether slow tests, and suites on a second database, are left to `--all`. A selection runs completely. */
  leavesOutSlow: boolean;
  /** For the test processes: the databases, and the one suite to run. Without a database, suites run on both. */
  environment: Record<string, string>;
}

/** Lists the suites of a folder. */
const SUITES_FILE = 'both-databases.test.ts';

/** Throws with a sentence about the argument that cannot be used. */
export function readTestOptions(args: readonly string[], rootDir: string): TestOptions {
  const selection = args.filter((arg) => arg !== '--all');
  const option = selection.findIndex((arg) => arg === '--database' || arg.startsWith('--database='));
  const [name, next] = option === -1 ? [] : selection.splice(option, selection[option] === '--database' ? 2 : 1);
  const database = option === -1 ? null : (name?.split('=')[1] ?? next ?? '');
  if (database !== null && !DATABASES.some((known) => known === database))
    throw new Error(`--database must be ${DATABASES.join(' or ')}, not "${database}".`);
  const suites = selection.filter((path) => path.endsWith('.suite.ts'));
  if (suites.length > 1) throw new Error('A suite runs alone: give the path of one.');
  const [suite] = suites;
  const suiteFile = suite === undefined ? null : resolve(rootDir, suite);
  const leavesOutSlow = selection.length === 0 && !args.includes('--all');
  const databases = database ?? (leavesOutSlow ? 'first' : null);
  return {
    leavesOutSlow,
    selection: selection.map((arg) => (arg === suite && suiteFile !== null ? findSuitesFile(suiteFile, rootDir) : arg)),
    environment: {
      ...(databases === null ? {} : { PARLEY_TEST_DATABASE: databases }),
      ...(suiteFile === null ? {} : { PARLEY_TEST_SUITE: suiteFile }),
    },
  };
}

/** Finds the test file that runs a suite on the databases: one of the same name, or the list in the closest folder above. */
export function findSuitesFile(suiteFile: string, rootDir: string): string {
  if (!existsSync(suiteFile)) throw new Error(`There is no suite at ${suiteFile}.`);
  const own = suiteFile.replace(/\.suite\.ts$/, '.test.ts');
  if (existsSync(own)) return relative(rootDir, own);
  for (let dir = dirname(suiteFile); `${dir}${sep}`.startsWith(resolve(rootDir)); dir = dirname(dir)) {
    const file = join(dir, SUITES_FILE);
    if (existsSync(file)) return relative(rootDir, file);
  }
  throw new Error(`No ${SUITES_FILE} runs ${basename(suiteFile)}.`);
}
