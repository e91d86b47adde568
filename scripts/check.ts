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
import { DEAD_CODE, EXPORTS_FOR_TESTS, FORMAT, LINT, type Tool, TYPES, TYPES_OF_TESTS } from './check/tools.ts';
import { runNodeTool } from './run-node-tool.ts';

interface Check {
  name: string;
  /** Resolves to the problems found; an empty text means none. */
  findProblems: () => Promise<string>;
}

const rootDir = fileURLToPath(new URL('..', import.meta.url));

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

/** The slowest check comes first, so that it does not start last. */
const checks: readonly Check[] = [
  ...[LINT, TYPES, FORMAT, TYPES_OF_TESTS, DEAD_CODE, EXPORTS_FOR_TESTS].map(toolCheck),
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
