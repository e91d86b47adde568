/** The oracle and the second client judge the product only as long as they share no code with it. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const FOLDERS = {
  'the oracle': new URL('./', import.meta.url),
  'the second client': new URL('../../second-client/', import.meta.url),
};
const IMPORT = /(?:from|import\()\s*'([^']+)'/g;
const ALLOWED = [/^node:/, /^\.\/[\w-]+\.ts$/, /^better-sqlite3$/];

const foreignImports = (source: string): string[] =>
  [...source.matchAll(IMPORT)].flatMap(([, from = '']) =>
    ALLOWED.some((allowed) => allowed.test(from)) ? [] : [from],
  );

describe('code that judges the product', () => {
  it.each(Object.entries(FOLDERS))('%s imports nothing of it', (_name, folder) => {
    const files = readdirSync(folder).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
    expect(files.length).toBeGreaterThan(3);
    for (const file of files)
      expect([file, foreignImports(readFileSync(new URL(file, folder), 'utf8'))]).toEqual([file, []]);
  });

  it('would be noticed if it did', () => {
    expect(foreignImports(`import { entities } from '@parley/domain';\nimport x from '../messages.ts';`)).toHaveLength(
      2,
    );
  });
});
