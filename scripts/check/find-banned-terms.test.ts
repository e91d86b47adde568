import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { BANNED_TERMS, findBannedTerms, findVocabularyProblems } from './find-banned-terms.ts';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));

it('finds no banned term in the current code', { tags: ['slow'] }, async () => {
  expect(await findVocabularyProblems(rootDir)).toEqual([]);
});

it.each(BANNED_TERMS.map(({ example, use }) => [example, use]))('finds a planted "%s"', (example, use) => {
  expect(findBannedTerms('src/a.ts', `const first = 1;\n${example}`)).toContainEqual(
    expect.stringMatching(new RegExp(`^src/a.ts:2: .*use ${use}$`)),
  );
});

it('finds a banned term in the name of a file', () => {
  expect(findBannedTerms('src/own-secret.ts', '')).toHaveLength(1);
});

it('accepts a term only where it is the name of something stored or sent', () => {
  const message = "{ type: 'giveMeAMoment', on: true }";
  expect(findBannedTerms('packages/contract/src/server/realtime.ts', message)).toEqual([]);
  expect(findBannedTerms('packages/contract/src/desktop/practice/realtime.ts', message)).toHaveLength(1);
});

it('accepts standard terms', () => {
  for (const text of ['between', 'a window', 'the learner hears the coach', 'hello world', 'a heartbeat'])
    expect(findBannedTerms('src/a.ts', text)).toEqual([]);
});
