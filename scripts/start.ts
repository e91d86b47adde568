/** `npm start`: starts the sync server, the app and a window. `npm start -- --no-open` prints the address instead. */
import { keepNewFilesPrivate, preparePrivateFolder } from '../packages/file-permissions/src/index.ts';
import { releaseMemoryAtRest } from '../packages/idle-memory/src/index.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasDisplay } from '../desktop/src/shell/browser/find-browser.ts';
import { openRunningWindow } from '../desktop/src/shell/browser/open-running-window.ts';
import { electronBuild, panelBuild, rendererBuild } from './start/app-build.ts';
import { SECRET_VARIABLES } from '../sync-server/src/compose/config/secret-variables.ts';
import { findElectron } from './start/find-electron.ts';
import { type LocalServer, startLocalServer } from './start/start-local-server.ts';
import { readStartOptions } from './start/start-options.ts';

const options = readStartOptions();
const { dataDir, remoteServerUrl } = options;
const rootDir = fileURLToPath(new URL('..', import.meta.url));
const say = (line: string): void => console.log(line);

// Loading the shell takes half of the start, so it runs while the build is checked and the server comes up.
const shellModule = import('../desktop/src/shell/browser/index.ts');
const hasWindow = options.opensWindow && hasDisplay({ platform: process.platform, environment: process.env });
const electron = hasWindow ? findElectron(rootDir) : null;
const build = electron === null ? rendererBuild(rootDir) : electronBuild(rootDir);
await build.ensure(say);

await start().catch(async (error: unknown) => {
  const { StartError, toStartError } = await shellModule;
  const cause = toStartError(error);
  if (!(cause instanceof StartError)) throw error;
  console.error(cause.message);
  process.exit(1);
});

async function start(): Promise<void> {
  // File permissions are tightened only after the build, because build output is not private.
  keepNewFilesPrivate();
  preparePrivateFolder(dataDir);
  // Done before the server starts, because a Parley that is already open has a server on the same data.
  if (electron === null && (await openRunningWindow({ dataDir, open: options.opensWindow, print: say })))
    process.exit(0);
  const startsServer = options.startsServer && remoteServerUrl === null;
  const server = startsServer ? await startLocalServer({ rootDir, dataDir, server: options.server, say }) : null;
  if (server !== null)
    // The panel is needed later than the window, so nothing waits for it.
    panelBuild(rootDir)
      .ensure(say)
      .then(() => say(`The admin panel: ${server.address}/admin`))
      .catch((error: unknown) => say(String(error)));
  // The server process has its own copy by now. The app and its browser do not need the keys, so they must not inherit
  // them.
  for (const name of SECRET_VARIABLES) delete process.env[name];

  if (electron === null) await openInBrowser(server);
  else await openInElectron(electron, server);
}

async function openInElectron(program: string, server: LocalServer | null): Promise<void> {
  const app = spawn(program, [join(rootDir, 'desktop'), ...(options.safeMode ? ['--safe-mode'] : [])], {
    stdio: 'inherit',
    env: {
      ...process.env,
      PARLEY_DATA_DIR: dataDir,
      ...(server === null ? {} : { PARLEY_DEFAULT_SERVER_URL: server.address }),
    },
  });
  await once(app, 'exit');
  await server?.stop();
}

async function openInBrowser(server: LocalServer | null): Promise<void> {
  const { startBrowserShell } = await shellModule;
  const shell = await startBrowserShell({
    dataDir,
    serverUrl: remoteServerUrl,
    // The learner may choose a server other than the one that was started for them.
    defaultServerUrl: server?.address ?? null,
    safeMode: options.safeMode,
    rendererDir: build.rendererDir,
    open: options.opensWindow,
    print: say,
    version: '0.1.0',
    ...(options.port === undefined ? {} : { port: options.port }),
  });
  releaseMemoryAtRest();
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
