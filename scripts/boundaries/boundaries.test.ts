import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findViolations, importsOf, readSources } from './check-boundaries.ts';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));
const planted = (path: string, specifier: string) => findViolations([{ path, imports: [specifier] }]);

describe('the boundaries', () => {
  it('hold in the code as it is, and the check reads it', async () => {
    const sources = await readSources(rootDir);
    expect(sources.length).toBeGreaterThan(120);
    expect(sources.flatMap(({ imports }) => imports).length).toBeGreaterThan(400);
    expect(findViolations(sources)).toEqual([]);
  });

  it.each([
    ['packages/domain/src/scores.ts', 'node:fs'],
    ['packages/domain/src/scores.ts', '@parley/contract'],
    ['packages/coach/src/index.ts', '@parley/speech'],
    ['packages/ui/src/scores.tsx', '@parley/contract'],
    ['packages/file-permissions/src/index.ts', '@parley/domain'],
    ['packages/file-permissions/src/index.ts', 'electron'],
    ['desktop/src/renderer/today/today-screen.tsx', 'node:path'],
    ['desktop/src/renderer/today/today-screen.tsx', 'electron'],
    ['desktop/src/renderer/today/today-screen.tsx', '../../host/index.ts'],
    ['desktop/src/renderer/today/today-screen.tsx', '@parley/speech'],
    ['desktop/src/renderer/today/today-screen.tsx', '../history/history-screen.tsx'],
    ['desktop/src/host/practice/practice.ts', 'electron'],
    ['desktop/src/host/practice/practice.ts', 'fastify'],
    ['desktop/src/host/practice/practice.ts', 'react'],
    ['desktop/src/host/practice/practice.ts', '../store/connection.ts'],
    ['desktop/src/shell/browser/access.ts', 'electron'],
    ['sync-server/src/sync/push.ts', '../account/tokens.ts'],
    ['sync-server/src/sync/push.ts', '@parley/ui'],
  ])('catch a planted import: %s may not have %s', (path, specifier) => {
    expect(planted(path, specifier)).toHaveLength(1);
  });

  it.each([
    ['desktop/src/host/practice/practice.ts', '../store/index.ts'],
    ['desktop/src/host/practice/practice.ts', './scene.ts'],
    ['desktop/src/renderer/today/today-screen.tsx', '../app/screen.tsx'],
    ['sync-server/src/sync/push.ts', '../db/client.ts'],
    ['packages/speech/src/scorer.ts', '@parley/domain'],
  ])('let an allowed import be: %s may have %s', (path, specifier) => {
    expect(planted(path, specifier)).toEqual([]);
  });

  it('see every form of import, and no comment', () => {
    const source = `
      import a from 'one';
      import type { B } from 'two';
      import {
        c,
      } from 'three';
      export * from 'four';
      import 'five';
      const d = await import('six');
      // import e from 'seven';
    `;
    expect(importsOf(source)).toEqual(['one', 'two', 'three', 'four', 'five', 'six']);
  });
});
