/** `npm run screenshots -- …`: builds the renderer if needed and takes the screenshots; see `desktop/e2e/screenshots/screenshots.ts`. */
import { fileURLToPath } from 'node:url';
import { rendererBuild } from './start/app-build.ts';
import { runProgram } from './run-program.ts';

const rootDir = fileURLToPath(new URL('..', import.meta.url));
await rendererBuild(rootDir).ensure((line) => console.log(line));
const args = [
  '--disable-warning=ExperimentalWarning',
  'desktop/e2e/screenshots/screenshots.ts',
  ...process.argv.slice(2),
];
const { code } = await runProgram({ program: process.execPath, args, cwd: rootDir });
process.exitCode = code ?? 1;
