import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findCycles, findViolations, parseImports, readSources, type SourceFile } from './check-boundaries.ts';
import { BANS, LAYERS } from './import-rules.ts';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));
const aSource = (path: string, ...imports: string[]): SourceFile => ({ path, imports });
const planted = (path: string, specifier: string) => findViolations([aSource(path, specifier)]);

type Plants = Readonly<Record<string, readonly (readonly [path: string, specifier: string])[]>>;

const plantsOf = (plants: Plants): [key: string, path: string, specifier: string][] =>
  Object.entries(plants).flatMap(([key, imports]) =>
    imports.map(([path, specifier]): [string, string, string] => [key, path, specifier]),
  );

const innermostLayer = (path: string): string | undefined =>
  LAYERS.map(({ folder }) => folder)
    .filter((folder) => path.startsWith(`${folder}/`))
    .toSorted((a, b) => b.length - a.length)[0];

const plant = (path: string, ...specifiers: string[]): [string, string][] =>
  specifiers.map((specifier) => [path, specifier]);

/** Modules and packages that a layer must not import, by the layer's folder. */
const LAYER_PLANTS: Plants = {
  'packages/domain/src': plant(
    'packages/domain/src/scoring/scores.ts',
    'node:fs',
    'electron',
    'fastify',
    'react',
    '@parley/contract',
  ),
  'packages/contract/src': plant(
    'packages/contract/src/errors.ts',
    'node:fs',
    'electron',
    'fastify',
    'react',
    '@parley/speech',
  ),
  'packages/speech/src': plant('packages/speech/src/scorer.ts', 'electron', 'fastify', 'react', '@parley/coach'),
  'packages/speech-pack/src': plant(
    'packages/speech-pack/src/transcriber.ts',
    'electron',
    'fastify',
    'react',
    '@parley/speech',
  ),
  'packages/coach/src/model': plant(
    'packages/coach/src/model/judge.ts',
    'electron',
    'fastify',
    'react-dom/server',
    '@parley/contract',
  ),
  'packages/file-permissions/src': plant(
    'packages/file-permissions/src/index.ts',
    'electron',
    '@fastify/static',
    'react',
    '@parley/domain',
  ),
  'packages/idle-memory/src': plant(
    'packages/idle-memory/src/index.ts',
    'electron',
    '@fastify/static',
    'react',
    '@parley/domain',
  ),
  'packages/coach/src': plant(
    'packages/coach/src/index.ts',
    'node:fs',
    'electron',
    'fastify',
    'react',
    '@parley/speech',
  ),
  'packages/catalogue/src': plant(
    'packages/catalogue/src/index.ts',
    'electron',
    'fastify',
    'react',
    '@parley/contract',
  ),
  'packages/i18n/src': plant('packages/i18n/src/index.ts', 'node:fs', 'electron', 'fastify', 'react', '@parley/domain'),
  'packages/ui/src': plant('packages/ui/src/scores.tsx', 'node:fs', 'electron', 'fastify', '@parley/contract'),
  'desktop/src/renderer': plant(
    'desktop/src/renderer/today/today-screen.tsx',
    'node:path',
    'electron',
    'fastify',
    '@parley/speech',
  ),
  'desktop/src/host': plant(
    'desktop/src/host/practice/practice.ts',
    'electron',
    'fastify',
    '@tanstack/react-query',
    '@parley/ui',
  ),
  'desktop/src/shell/browser': plant(
    'desktop/src/shell/browser/window-access.ts',
    'electron',
    'fastify',
    'react',
    '@parley/speech',
  ),
  'desktop/src/shell': plant('desktop/src/shell/electron/main.ts', 'fastify', 'react', '@parley/coach'),
  'sync-server/admin/src': plant(
    'sync-server/admin/src/home/home-screen.tsx',
    'node:fs',
    'electron',
    'fastify',
    '@parley/coach',
  ),
  'sync-server/src/mail/templates': plant(
    'sync-server/src/mail/templates/render-html.ts',
    'node:fs',
    'electron',
    'fastify',
    '@parley/contract',
  ),
  'sync-server/src': plant('sync-server/src/sync/push/push.ts', 'electron', 'react', '@parley/ui'),
  'sync-server/src/compose': plant('sync-server/src/compose/build-app.ts', 'electron', 'react', '@parley/ui'),
};

/**
 * Relative imports that leave a layer, or that enter a feature other than through its `index.ts`, by the layer's
 * folder.
 */
const REACH_PLANTS: Plants = {
  'packages/coach/src': plant('packages/coach/src/index.ts', '../../speech/src/scorer.ts'),
  'desktop/src/renderer': plant(
    'desktop/src/renderer/today/today-screen.tsx',
    '../../host/index.ts',
    '../history/history-screen.tsx',
  ),
  'desktop/src/host': plant('desktop/src/host/practice/practice.ts', '../store/connection.ts'),
  'desktop/src/shell': plant('desktop/src/shell/electron/main.ts', '../../renderer/app.tsx'),
  'sync-server/admin/src': plant('sync-server/admin/src/home/home-screen.tsx', '../../../src/school/index.ts'),
  'sync-server/src/mail/templates': plant('sync-server/src/mail/templates/render-html.ts', '../mail.ts'),
  'sync-server/src': plant('sync-server/src/sync/push/push.ts', '../../account/devices/devices.ts'),
};

/** Imports that a rule forbids whatever the layers allow, by rule. */
const BAN_PLANTS: Plants = {
  'integrations import no feature': [['sync-server/src/integrations/smtp/smtp-transport.ts', '../../mail/index.ts']],
  'ports import neither features nor adapters': [
    ['sync-server/src/ports/payments/payments.ts', '../../billing/index.ts'],
    ['sync-server/src/ports/payments/payments.ts', '../../integrations/stripe/index.ts'],
  ],
  'only integrations import the SDK of a provider': [
    ['sync-server/src/billing/billing.ts', 'stripe'],
    ['sync-server/src/compose/connect-ai-services.ts', 'openai/resources/shared'],
    ['sync-server/src/mail/mail.ts', 'nodemailer'],
  ],
  'only the composition root knows adapters': [
    ['sync-server/src/http/routes/coaching-selector.ts', '../../integrations/openai/index.ts'],
    ['sync-server/src/main.ts', './integrations/stripe/index.ts'],
  ],
  'host/store imports no feature': [['desktop/src/host/store/store.ts', '../sync/index.ts']],
  'screens do not import the frame with its router': [
    ['desktop/src/renderer/today/today-screen.tsx', '../frame/router.tsx'],
  ],
  'production code imports no fakes, test kits or benchmarks': [
    ['sync-server/src/main.ts', '@parley/fakes/openai/index.ts'],
    ['desktop/src/host/create-host.ts', './test-kit/open-host.ts'],
    ['sync-server/src/index.ts', '../../bench/src/year/index.ts'],
  ],
};

describe('import boundaries', () => {
  it('finds no violation in the current code', async () => {
    const sources = await readSources(rootDir);
    expect(sources.length).toBeGreaterThan(120);
    expect(sources.flatMap(({ imports }) => imports).length).toBeGreaterThan(400);
    expect(findViolations(sources)).toEqual([]);
    expect(findCycles(sources)).toEqual([]);
  });

  it.each(plantsOf(LAYER_PLANTS))('keeps %s closed: %s must not import %s', (folder, path, specifier) => {
    expect(innermostLayer(path)).toBe(folder);
    expect(planted(path, specifier)).toContain(`${path} must not import ${specifier}`);
  });

  it.each(plantsOf(REACH_PLANTS))('keeps %s closed: %s must not reach %s', (folder, path, specifier) => {
    expect(innermostLayer(path)).toBe(folder);
    expect(planted(path, specifier)).toContainEqual(expect.stringMatching(/ must not reach into | must enter /));
  });

  it.each(plantsOf(BAN_PLANTS))('rejects a violation of "%s": %s imports %s', (rule, path, specifier) => {
    expect(planted(path, specifier)).toContainEqual(expect.stringMatching(new RegExp(`: ${rule}$`)));
  });

  it('has a planted violation for every layer and every rule', () => {
    expect(Object.keys(LAYER_PLANTS).toSorted()).toEqual(LAYERS.map(({ folder }) => folder).toSorted());
    expect(Object.keys(BAN_PLANTS).toSorted()).toEqual(BANS.map(({ rule }) => rule).toSorted());
    for (const plants of Object.values({ ...LAYER_PLANTS, ...BAN_PLANTS })) expect(plants).not.toEqual([]);
  });

  it('plants every kind of module and a package that a layer forbids', () => {
    for (const { folder, forbids, packages } of LAYERS) {
      const specifiers = (LAYER_PLANTS[folder] ?? []).map(([, specifier]) => specifier);
      for (const forbidden of forbids)
        expect(
          specifiers.some((specifier) => forbidden.test(specifier)),
          `${folder}: ${forbidden.source}`,
        ).toBe(true);
      const used = specifiers.flatMap((specifier) => /^@parley\/([a-z-]+)/.exec(specifier)?.[1] ?? []);
      expect(
        used.some((name) => !packages.includes(name)),
        `${folder}: a package`,
      ).toBe(true);
    }
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
