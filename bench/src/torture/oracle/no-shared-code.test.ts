/** Ensures that the oracle and the second client share no code with the product, so that they can judge it. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const FOLDERS = {
  'the oracle': new URL('./', import.meta.url),
  'the second client': new URL('../../second-client/', import.meta.url),
};
const IMPORT = /(?:from|import\()\s*'([^']+)'/g;
const ALLOWED = [/^node:/, /^\.\/[\w-]+\.ts$/, /^better-sqlite3$/];

const findForeignImports = (source: string): string[] =>
  [...source.matchAll(IMPORT)].flatMap(([, from = '']) =>
    ALLOWED.some((allowed) => allowed.test(from)) ? [] : [from],
  );

describe('independence from the product', () => {
  it.each(Object.entries(FOLDERS))('%s imports no product code', (_name, folder) => {
    const files = readdirSync(folder).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
    expect(files.length).toBeGreaterThan(3);
    for (const file of files)
      expect([file, findForeignImports(readFileSync(new URL(file, folder), 'utf8'))]).toEqual([file, []]);
  });

  it('detects a planted import', () => {
    expect(
      findForeignImports(`import { entities } from '@parley/domain';\nimport x from '../messages.ts';`),
    ).toHaveLength(2);
  });
});
