import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { checkCatalogues, findProblems } from './check-catalogues.ts';
import { convertLiterals } from './literals.ts';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));

/** A new message may wait for its translators; `npm run messages` lists what is missing. */
const MIN_COVERAGE = 0.95;

it('keeps the languages of the interface translated, with the same placeholders', async () => {
  const { problems, messages, languages } = await checkCatalogues(rootDir);
  expect(languages).toEqual(['ar', 'de', 'es', 'ja', 'pt-BR', 'zh-Hans']);
  expect(problems.filter((problem) => problem.includes('other placeholders'))).toEqual([]);
  for (const language of languages) {
    const missing = problems.filter((problem) => problem.startsWith(`${language}: not translated`));
    expect(1 - missing.length / messages, missing.join('\n')).toBeGreaterThanOrEqual(MIN_COVERAGE);
  }
});

it.each([
  ['a missing message', {}, /not translated: Hello, \{name\}/],
  ['a lost placeholder', { 'Hello, {name}.': 'Hallo.' }, /other placeholders/],
  ['a message that no screen says', { 'Hello, {name}.': 'Hallo, {name}.', Gone: 'Weg' }, /no screen says: Gone/],
])('finds %s', (_what, catalogue, problem) => {
  expect(findProblems('de', catalogue as Record<string, string>, ['Hello, {name}.']).join('\n')).toMatch(problem);
});

/** Screens, without what is practised, drawn or spoken. */
const SCREENS_DIRS = ['desktop/src/renderer', 'sync-server/admin/src'];
const NO_SCREEN = /\.test\.|\.d\.ts$|worklet|router\.tsx$|translation-languages/;

it.each(SCREENS_DIRS)('finds no English literal in the screens: %s', async (folder) => {
  const names = await readdir(join(rootDir, folder), { recursive: true });
  const withLiterals: string[] = [];
  for (const name of names.filter((each) => /\.tsx?$/.test(each) && !NO_SCREEN.test(each))) {
    const source = await readFile(join(rootDir, folder, name), 'utf8');
    if (convertLiterals(name, source) !== source) withLiterals.push(name);
  }
  expect(withLiterals).toEqual([]);
});

it.each([
  ['text', '<p>Say it again</p>'],
  ['text around an element', '<p>Press <kbd>x</kbd> now</p>'],
  ['a label', '<Button label="Say it again" />'],
  ['an item of a list', "tags.map(() => 'Say it again')"],
  ['a sentence in a value', "const hint = isLoud ? 'Too loud to score' : null;"],
])('finds a literal: %s', (_what, code) => {
  const source = /^[<t]/.test(code) ? `export const screen = ${code};` : code;
  expect(convertLiterals('screen.tsx', source)).not.toBe(source);
});
