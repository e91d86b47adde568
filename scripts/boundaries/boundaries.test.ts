import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findCycles, findViolations, parseImports, readSources, type SourceFile } from './check-boundaries.ts';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));
const aSource = (path: string, ...imports: string[]): SourceFile => ({ path, imports });
const planted = (path: string, specifier: string) => findViolations([aSource(path, specifier)]);

describe('import boundaries', () => {
  it('finds no violation in the current code', async () => {
    const sources = await readSources(rootDir);
    expect(sources.length).toBeGreaterThan(120);
    expect(sources.flatMap(({ imports }) => imports).length).toBeGreaterThan(400);
    expect(findViolations(sources)).toEqual([]);
    expect(findCycles(sources)).toEqual([]);
  });

  it.each([
    ['packages/domain/src/scoring/scores.ts', 'node:fs'],
    ['packages/domain/src/scoring/scores.ts', '@parley/contract'],
    ['packages/coach/src/index.ts', '@parley/speech'],
    ['packages/ui/src/scores.tsx', '@parley/contract'],
    ['packages/i18n/src/index.ts', 'node:fs'],
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
    ['desktop/src/shell/browser/window-access.ts', 'electron'],
    ['sync-server/src/sync/push/push.ts', '../../account/devices/devices.ts'],
    ['sync-server/src/sync/push/push.ts', '@parley/ui'],
  ])('rejects a planted import: %s of %s', (path, specifier) => {
    expect(planted(path, specifier)).toHaveLength(1);
  });

  it.each([
    ['integrations import no feature', 'sync-server/src/integrations/smtp/smtp-transport.ts', '../../mail/index.ts'],
    [
      'ports import neither features nor adapters',
      'sync-server/src/ports/payments/payments.ts',
      '../../billing/index.ts',
    ],
    [
      'ports import neither features nor adapters',
      'sync-server/src/ports/payments/payments.ts',
      '../../integrations/stripe/index.ts',
    ],
    ['only integrations import the SDK of a provider', 'sync-server/src/billing/billing.ts', 'stripe'],
    [
      'only integrations import the SDK of a provider',
      'sync-server/src/compose/connect-ai-services.ts',
      'openai/resources/shared',
    ],
    ['only integrations import the SDK of a provider', 'sync-server/src/mail/mail.ts', 'nodemailer'],
    [
      'only the composition root knows adapters',
      'sync-server/src/http/routes/coaching-selector.ts',
      '../../integrations/openai/index.ts',
    ],
    ['only the composition root knows adapters', 'sync-server/src/main.ts', './integrations/stripe/index.ts'],
    ['host/store imports no feature', 'desktop/src/host/store/store.ts', '../sync/index.ts'],
    [
      'screens do not import the frame with its router',
      'desktop/src/renderer/today/today-screen.tsx',
      '../frame/router.tsx',
    ],
    [
      'production code imports no fakes, test kits or benchmarks',
      'sync-server/src/main.ts',
      '@parley/fakes/openai/index.ts',
    ],
    [
      'production code imports no fakes, test kits or benchmarks',
      'desktop/src/host/create-host.ts',
      './test-kit/open-host.ts',
    ],
    [
      'production code imports no fakes, test kits or benchmarks',
      'sync-server/src/index.ts',
      '../../bench/src/year/index.ts',
    ],
  ])('rejects a violation of "%s": %s imports %s', (rule, path, specifier) => {
    expect(planted(path, specifier)).toContainEqual(expect.stringContaining(rule));
  });

  it('has a planted violation for every rule', async () => {
    const { BANS } = await import('./import-rules.ts');
    const test = await readFile(new URL(import.meta.url), 'utf8');
    for (const { rule } of BANS) expect(test).toContain(`'${rule}'`);
  });

  it('finds files that import each other', () => {
    const circle = [
      aSource('a/one.ts', './two.ts'),
      aSource('a/two.ts', './three.ts'),
      aSource('a/three.ts', './one.ts'),
    ];
    expect(findCycles(circle)).toHaveLength(1);
    expect(findCycles([aSource('a/one.ts', './two.ts'), aSource('a/two.ts')])).toEqual([]);
  });

  it.each([
    ['desktop/src/host/practice/practice.ts', '../store/index.ts'],
    ['desktop/src/host/practice/practice.ts', './session/guided-scene.ts'],
    ['sync-server/src/compose/development-payments.ts', '@parley/fakes/stripe/index.ts'],
    ['sync-server/src/integrations/smtp/smtp-transport.ts', '../../ports/mail/mail-transport.ts'],
    ['desktop/src/renderer/today/today-screen.tsx', '../foundation/screen/screen.tsx'],
    ['sync-server/src/sync/push/push.ts', '../../db/client.ts'],
    ['packages/speech/src/scorer.ts', '@parley/domain'],
  ])('accepts an allowed import: %s of %s', (path, specifier) => {
    expect(planted(path, specifier)).toEqual([]);
  });

  it('finds every form of import and ignores comments', () => {
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
    expect(parseImports(source)).toEqual(['one', 'two', 'three', 'four', 'five', 'six']);
  });
});
