/** `npm run screenshots -- …`: builds the window when its sources changed, then takes the pictures; see `desktop/e2e/screenshots.ts`. */
import { fileURLToPath } from 'node:url';
import { windowBuild } from './start/app-build.ts';
import { run } from './run.ts';

const rootDir = fileURLToPath(new URL('..', import.meta.url));
await windowBuild(rootDir).ensure((line) => console.log(line));
const args = ['--disable-warning=ExperimentalWarning', 'desktop/e2e/screenshots.ts', ...process.argv.slice(2)];
const { code } = await run({ program: process.execPath, args, cwd: rootDir });
process.exitCode = code ?? 1;
