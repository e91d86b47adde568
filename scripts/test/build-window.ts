/** Before any journey: the window that it opens is of the sources as they are now, whoever runs it. */
import { fileURLToPath } from 'node:url';
import { windowBuild } from '../start/app-build.ts';

export async function setup(): Promise<void> {
  await windowBuild(fileURLToPath(new URL('../..', import.meta.url))).ensure((line) => console.log(line));
}
