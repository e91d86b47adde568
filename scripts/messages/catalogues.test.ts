import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { checkCatalogues, findGaps, findProblems } from './check-catalogues.ts';
import { findHtmlLiterals } from './html-literals.ts';
import { convertLiterals } from './literals.ts';
import { readExplanations } from './read-explanations.ts';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));

it('knows the languages of the interface', async () => {
  const { languages } = await checkCatalogues(rootDir);
  expect(languages).toEqual(['ar', 'de', 'es', 'ja', 'pt-BR', 'zh-Hans']);
});

it.each([
  ['a missing message', {}, /not translated: Hello, \{name\}/],
  ['a lost placeholder', { 'Hello, {name}.': 'Hallo.' }, /other placeholders/],
  ['a message that no screen says', { 'Hello, {name}.': 'Hallo, {name}.', Gone: 'Weg' }, /no screen says: Gone/],
])('finds %s', (_what, catalogue, problem) => {
  expect(findProblems('de', catalogue as Record<string, string>, ['Hello, {name}.']).join('\n')).toMatch(problem);
});

it('finds a sentence that is shown without its values', () => {
  const use = { message: 'Hello, <0>{name}</0>.', file: 'screen.tsx', isFormattedBare: true };
  expect(findGaps([use])).toEqual(['screen.tsx: without values: Hello, <0>{name}</0>.']);
  expect(
    findGaps([
      { ...use, isFormattedBare: false },
      { ...use, message: 'Hello, <0>you</0>.' },
    ]),
  ).toEqual([]);
});

it('reads the starter catalogue’s explanations, and nothing that is practised', () => {
  const explanations = readExplanations();
  for (const text of ['Public service', 'Settling in', 'Agree on a time', 'to say no', 'Consonants in a row'])
    expect(explanations).toContain(text);
  expect(explanations).toContain('You are new to the team, and {coach} has been there for years.');
  expect(explanations).toContain('A client who complains is still talking to you. First understand, then solve.');
  for (const text of [
    'Ask a colleague for help',
    'Hi. You look worried. Is everything all right?',
    'help',
    'Ship or sheep',
  ])
    expect(explanations).not.toContain(text);
});

it('finds a second word for a thing that has one', () => {
  const problems = findProblems('de', { 'Best score': 'Bestes Ergebnis' }, ['Best score']);
  expect(problems.join('\n')).toMatch(/"Ergebnis" is not the glossary’s word/);
  expect(findProblems('de', { 'Best score': 'Beste Punktzahl' }, ['Best score'])).toEqual([]);
  expect(findProblems('de', { 'No sessions yet': 'Noch keine Gespräche' }, ['No sessions yet']).join('\n')).toMatch(
    /"Gespräch" is not the glossary’s word/,
  );
});

it.each([
  ['text', '<p>Say it again</p>'],
  ['text around an element', '<p>Press <kbd>x</kbd> now</p>'],
  ['a label', '<Button label="Say it again" />'],
  ['an item of a list', "tags.map(() => 'Say it again')"],
  ['a sentence in a value', "const hint = isLoud ? 'Too loud to score' : null;"],
  ['a sentence with a semicolon', "const text = 'The line broke; what you say is kept.';"],
  ['a number with its unit', "const options = [{ value: '1000', label: '1 s' }];"],
  ['a template with a semicolon', 'const text = `The model ${name}; it gets your words`;'],
])('finds a literal: %s', (_what, code) => {
  const source = /^[<t]/.test(code) ? `export const screen = ${code};` : code;
  expect(convertLiterals('screen.tsx', source)).not.toBe(source);
});

it.each([
  ['markup', 'const picture = \'<g fill="#fff"><path d="M1 1l2 0"/></g>\';'],
  ['a style', "const style = 'color: red; margin: 0;';"],
  ['a picture', 'const url = `data:image/svg+xml;charset=utf-8,${picture}`;'],
  ['code', "const source = 'if (isOpen) { close(); }';"],
])('leaves %s alone', (_what, code) => {
  expect(convertLiterals('screen.tsx', code)).toBe(code);
});

it('finds text and labels in page templates, and ignores practised English', () => {
  const source =
    'const body = html`<h1>Sign in</h1><img alt="A picture" />${t("Go on")}<p lang="en">Good morning.</p>`;';
  expect(findHtmlLiterals('page.ts', source)).toEqual(['A picture', 'Sign in']);
});
