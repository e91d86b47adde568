/**
 * `npm run check`: types, format, lint, dead code, import boundaries, translations, vocabulary and content that must never be committed.
 */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { findCycles, findViolations, readSources } from './boundaries/check-boundaries.ts';
import { findVocabularyProblems } from './check/find-banned-terms.ts';
import { findForbiddenContent } from './check/find-forbidden-content.ts';
import { checkCatalogues, findLiterals } from './messages/check-catalogues.ts';
import { runInParallel } from './check/run-in-parallel.ts';
import { runNodeTool } from './run-node-tool.ts';

interface Check {
  name: string;
  /** Resolves to the problems found; an empty text means none. */
  findProblems: () => Promise<string>;
}

const rootDir = fileURLToPath(new URL('..', import.meta.url));

interface Tool {
  name: string;
  packageName: string;
  command?: string;
  args: string[];
}

const toolCheck = ({ name, ...tool }: Tool): Check => ({
  name,
  findProblems: async () => {
    const { code, output } = await runNodeTool({ ...tool, rootDir, quiet: true });
    if (code === 0) return '';
    return output.trim() === '' ? `${tool.packageName} exited with code ${code}` : output;
  },
});

async function findBoundaryProblems(): Promise<string> {
  const sources = await readSources(rootDir);
  if (sources.length < 120) return `only ${sources.length} files were read`;
  return [...findViolations(sources), ...findCycles(sources)].join('\n');
}

const findMessageProblems = async (): Promise<string> =>
  [...(await checkCatalogues(rootDir)).problems, ...(await findLiterals(rootDir))].join('\n');

/** Ordered by how long they take, so that the slowest does not start last. The caches lie in `.cache`, which git ignores. */
const checks: readonly Check[] = [
  toolCheck({ name: 'lint', packageName: 'oxlint', args: ['--type-aware', '--deny-warnings'] }),
  toolCheck({ name: 'types', packageName: 'typescript', command: 'tsc', args: ['-b'] }),
  toolCheck({
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
  }),
  toolCheck({ name: 'types of tests', packageName: 'typescript', command: 'tsc', args: ['-p', 'tsconfig.tests.json'] }),
  toolCheck({
    name: 'dead code',
    packageName: 'knip',
    args: ['--no-progress', '--cache', '--cache-location', '.cache/knip'],
  }),
  toolCheck({
    name: 'exports that only tests use',
    packageName: 'knip',
    args: ['--no-progress', '--production', '--config', 'knip.production.json', '--include', 'exports,files'],
  }),
  { name: 'messages', findProblems: findMessageProblems },
  { name: 'boundaries', findProblems: findBoundaryProblems },
  { name: 'vocabulary', findProblems: async () => (await findVocabularyProblems(rootDir)).join('\n') },
  { name: 'forbidden content', findProblems: async () => (await findForbiddenContent(rootDir)).join('\n') },
];

let failed = 0;
await runInParallel(
  checks.map(({ name, findProblems }) => async () => {
    const problems = await findProblems();
    if (problems.trim() === '') return console.log(`✓ ${name}`);
    failed += 1;
    console.log(`✗ ${name}\n${problems}`);
  }),
  Math.max(2, availableParallelism()),
);
process.exit(failed > 0 ? 1 : 0);
