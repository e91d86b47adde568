/** `npm run build`: builds the admin panel that the sync server serves, if its sources have changed. */
import { fileURLToPath } from 'node:url';
import { panelBuild } from './start/app-build.ts';

await panelBuild(fileURLToPath(new URL('..', import.meta.url))).ensure((line) => console.log(line));
