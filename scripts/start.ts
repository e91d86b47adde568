/** `npm start`: the sync server, the app, and a window. `npm start -- --no-open` prints the address instead. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { hasDisplay } from '../desktop/src/shell/browser/find-browser.ts';
import { dataFolder } from '../desktop/src/shell/data-folder.ts';
import { electronBuild, windowBuild } from './start/app-build.ts';
import { findElectron } from './start/electron-runtime.ts';
import { startLocalServer } from './start/local-server.ts';

const { values } = parseArgs({
  options: {
    'no-open': { type: 'boolean', default: false },
    port: { type: 'string' },
    'no-server': { type: 'boolean', default: false },
  },
});
const port = z.coerce.number().int().min(0).max(65_535).optional().safeParse(values.port);
if (!port.success) {
  console.error('--port takes a number from 0 to 65535.');
  process.exit(2);
}
const rootDir = fileURLToPath(new URL('..', import.meta.url));
const dataDir = dataFolder({ platform: process.platform, environment: process.env });
const say = (line: string): void => console.log(line);

// The shell's modules take half of a start: they load while the window is checked and the server comes up.
const shellModule = import('../desktop/src/shell/browser/index.ts');
const electron =
  values['no-open'] || !hasDisplay({ platform: process.platform, environment: process.env })
    ? null
    : findElectron(rootDir);
const build = electron === null ? windowBuild(rootDir) : electronBuild(rootDir);
await build.ensure(say);

const remote = process.env['PARLEY_SERVER_URL'];
const server = remote !== undefined || values['no-server'] ? null : await startLocalServer({ rootDir, dataDir, say });
const serverUrl = remote ?? server?.address ?? null;

if (electron === null) await openInBrowser();
else await openInElectron(electron);

async function openInElectron(program: string): Promise<void> {
  const app = spawn(program, [join(rootDir, 'desktop')], {
    stdio: 'inherit',
    env: { ...process.env, PARLEY_DATA_DIR: dataDir, ...(serverUrl === null ? {} : { PARLEY_SERVER_URL: serverUrl }) },
  });
  await once(app, 'exit');
  await server?.stop();
}

async function openInBrowser(): Promise<void> {
  const { startBrowserShell } = await shellModule;
  const shell = await startBrowserShell({
    dataDir,
    serverUrl,
    rendererDir: build.rendererDir,
    open: !values['no-open'],
    say,
    version: '0.1.0',
    ...(port.data === undefined ? {} : { port: port.data }),
  });
  const stop = async (): Promise<void> => {
    await shell?.close();
    await server?.stop();
    process.exit(0);
  };
  process.on('SIGINT', () => void stop());
  process.on('SIGTERM', () => void stop());
  await shell?.closedByLearner;
  await stop();
}
