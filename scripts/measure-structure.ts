/** `node scripts/measure-structure.ts [FOLDER]`: prints the figures of docs/structure.md for a checkout, this one by default. */
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findCycles, parseImports } from './boundaries/check-boundaries.ts';
import { runProgram } from './run-program.ts';

const LONG_FILE_LINES = 250;
const TEST = /\.(test|suite|e2e)\.tsx?$|(^|\/)(test-kit|e2e)\//;
/** Where the state of a call lives. */
const CALL_FOLDERS: Readonly<Record<string, RegExp>> = {
  host: /^desktop\/src\/host\/practice\/(realtime|call)\//,
  renderer: /^desktop\/src\/renderer\/practice\/(realtime|call)\//,
  // Without the fakes, which once lay in a folder of the integration.
  server: /^sync-server\/src\/(app|coach\/realtime|integrations\/openai\/realtime)\/(?!t[w]in\/)/,
};

const rootDir = resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));
const { output } = await runProgram({ program: 'git', args: ['ls-files'], cwd: rootDir, quiet: true });
const sources = await Promise.all(
  output
    .split('\n')
    .filter((path) => /\.tsx?$/.test(path))
    .map(async (path) => ({ path, text: await readFile(join(rootDir, path), 'utf8') })),
);

type Kind = 'product' | 'tests' | 'fakes' | 'bench' | 'scripts';
const kindOf = (path: string): Kind =>
  TEST.test(path)
    ? 'tests'
    : path.startsWith('fakes/')
      ? 'fakes'
      : path.startsWith('bench/')
        ? 'bench'
        : path.startsWith('scripts/')
          ? 'scripts'
          : 'product';

const lineCount = (text: string): number => text.split('\n').length - 1;
const linesByKind = new Map<Kind, number>();
const filesByFolder = new Map<string, number>();
for (const { path, text } of sources) {
  linesByKind.set(kindOf(path), (linesByKind.get(kindOf(path)) ?? 0) + lineCount(text));
  if (TEST.test(path)) continue;
  filesByFolder.set(dirname(path), (filesByFolder.get(dirname(path)) ?? 0) + 1);
}

const longFiles = sources.filter(({ path, text }) => !TEST.test(path) && lineCount(text) > LONG_FILE_LINES);
const [largest = ['none', 0]] = [...filesByFolder].toSorted(([, a], [, b]) => b - a);
const cycles = findCycles(sources.map(({ path, text }) => ({ path, imports: parseImports(text) })));
const mutableVariables = Object.entries(CALL_FOLDERS).map(([part, folder]) => {
  const code = sources.filter(({ path }) => folder.test(path) && !TEST.test(path));
  return `${part} ${code.reduce((count, { text }) => count + (text.match(/^\s*let /gm)?.length ?? 0), 0)}`;
});

console.log(`files over ${LONG_FILE_LINES} lines: ${longFiles.length}`);
for (const { path, text } of longFiles) console.log(`  ${path}: ${lineCount(text)}`);
console.log(`largest folder: ${largest[0]}, ${largest[1]} files`);
console.log(`circles of files that import each other: ${cycles.length}`);
console.log(`lines: ${[...linesByKind].map(([kind, lines]) => `${kind} ${lines.toLocaleString('en')}`).join(', ')}`);
console.log(`mutable variables of a call: ${mutableVariables.join(', ')}`);
