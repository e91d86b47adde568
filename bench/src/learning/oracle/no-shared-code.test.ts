import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const IMPORT = /(?:from|import\()\s*'([^']+)'/g;
const FOLDER = new URL('./', import.meta.url);

const importsOf = (source: string): string[] => [...source.matchAll(IMPORT)].map(([, from = '']) => from);
const isAllowed = (from: string): boolean => from === 'ts-fsrs' || /^\.\/[\w-]+\.ts$/.test(from);

it('imports no product code into the oracle of random histories', () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  expect(files.length).toBeGreaterThan(0);
  for (const file of files)
    expect([file, importsOf(readFileSync(new URL(file, FOLDER), 'utf8')).filter((from) => !isAllowed(from))]).toEqual([
      file,
      [],
    ]);
});

it('detects a planted import', () => {
  expect(importsOf("import { projectWord } from '@parley/domain';").filter((from) => !isAllowed(from))).toHaveLength(1);
});
