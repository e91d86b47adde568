/** Rebuilds the renderer and the admin panel before the end-to-end journeys, so that they test the current sources. */
import { fileURLToPath } from 'node:url';
import { panelBuild, rendererBuild } from '../start/app-build.ts';

export async function setup(): Promise<void> {
  const rootDir = fileURLToPath(new URL('../..', import.meta.url));
  for (const build of [rendererBuild, panelBuild]) await build(rootDir).ensure((line) => console.log(line));
}
