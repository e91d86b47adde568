/**
 * Lists the packages that a product ships with, as CycloneDX. `npm sbom` cannot do this: the app's bundled packages are
 * development dependencies, so that the packager does not add them a second time.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readThirdPartyNotices } from './third-party-notices.ts';

/** The workspaces of each product; the first one gives it its name. */
const WORKSPACES = { desktop: ['desktop'], 'sync-server': ['sync-server', 'sync-server/admin'] } as const;
export type Product = keyof typeof WORKSPACES;
export const isProduct = (name: string): name is Product => name in WORKSPACES;

const Package = z.object({ name: z.string(), version: z.string() });

export async function makeSbom(rootDir: string, product: Product) {
  const workspaces = WORKSPACES[product];
  const { name, version } = Package.parse(
    JSON.parse(await readFile(join(rootDir, workspaces[0], 'package.json'), 'utf8')),
  );
  const notices = await Promise.all(workspaces.map((workspace) => readThirdPartyNotices(rootDir, workspace)));
  const componentsByPurl = new Map(
    notices.flat().map((notice) => {
      const purl = `pkg:npm/${notice.name.replace('@', '%40')}@${notice.version}`;
      const licenses = notice.licence === '' ? [] : [{ license: { name: notice.licence } }];
      return [purl, { type: 'library', name: notice.name, version: notice.version, purl, licenses }];
    }),
  );
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', name, version } },
    components: [...componentsByPurl.values()],
  };
}
