/** `npm start`: the sync server, the app, and a window. `npm start -- --no-open` prints the address instead. */
import { keepNewFilesPrivate, preparePrivateFolder } from '../packages/file-permissions/src/index.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasDisplay } from '../desktop/src/shell/browser/find-browser.ts';
import { electronBuild, windowBuild } from './start/app-build.ts';
import { SECRET_VARIABLES } from '../sync-server/src/app/secret-variables.ts';
import { findElectron } from './start/electron-runtime.ts';
import { startLocalServer } from './start/local-server.ts';
import { readStartOptions } from './start/start-options.ts';

const options = readStartOptions();
const { dataDir, remoteServerUrl } = options;
const rootDir = fileURLToPath(new URL('..', import.meta.url));
const say = (line: string): void => console.log(line);

// The shell's modules take half of a start: they load while the window is checked and the server comes up.
const shellModule = import('../desktop/src/shell/browser/index.ts');
const hasWindow = options.opensWindow && hasDisplay({ platform: process.platform, environment: process.env });
const electron = hasWindow ? findElectron(rootDir) : null;
const build = electron === null ? windowBuild(rootDir) : electronBuild(rootDir);
await build.ensure(say);

// Only now: the build is no learner's file.
keepNewFilesPrivate();
preparePrivateFolder(dataDir);
const startsServer = options.startsServer && remoteServerUrl === null;
const server = startsServer ? await startLocalServer({ rootDir, dataDir, say }) : null;
const serverUrl = remoteServerUrl ?? server?.address ?? null;
// The server has its own copy by now. The app and the browser that it starts have no use for the keys, so they do not inherit them.
for (const name of SECRET_VARIABLES) delete process.env[name];

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
    open: options.opensWindow,
    say,
    version: '0.1.0',
    ...(options.port === undefined ? {} : { port: options.port }),
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
