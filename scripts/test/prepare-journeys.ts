/** Runs before the end-to-end journeys: rebuilds the renderer and the admin panel from their sources, and creates the servers' database. */
import { fileURLToPath } from 'node:url';
import { ensureServerTemplate } from '@parley/sync-server/test-kit/server-folder';
import { panelBuild, rendererBuild } from '../start/app-build.ts';

export async function setup(): Promise<void> {
  const rootDir = fileURLToPath(new URL('../..', import.meta.url));
  for (const build of [rendererBuild, panelBuild]) await build(rootDir).ensure((line) => console.log(line));
  await ensureServerTemplate();
}
