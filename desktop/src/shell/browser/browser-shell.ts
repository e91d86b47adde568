/** The browser shell: a host, its window server, and a browser window if a browser is installed. */
import { keepNewFilesPrivate, preparePrivateFolder } from '@parley/file-permissions';
import { type AppHostOptions, openAppHost } from '../../host/index.ts';
import { recordUncaughtErrors, openCrashFolder } from '../crash-folder.ts';
import { logFolder, openLogFile } from '../log-file.ts';
import { toStartError } from '../start-failure-messages.ts';
import { closedByLearner, type Waits } from './closed-by-learner.ts';
import { findWindowBrowser, hasDisplay, thisMachine, windowFolder } from './find-browser.ts';
import { openAppWindow } from './open-window.ts';
import { openRunningWindow } from './open-running-window.ts';
import { removeStaleRedirectFiles } from './redirect-file.ts';
import { writeWindowFile, removeWindowFile } from './running-window.ts';
import { startWindowServer, type WindowServer } from './window-server.ts';

export interface BrowserShellOptions extends Pick<
  AppHostOptions,
  'serverUrl' | 'defaultServerUrl' | 'logger' | 'version' | 'clock' | 'safeMode'
> {
  dataDir: string;
  rendererDir: string;
  port?: number;
  /** False with `--no-open`, which only prints the address. */
  open: boolean;
  print: (line: string) => void;
  /** How long a window file stays valid while its browser starts. */
  fileLifetimeMs?: number;
  waits?: Waits;
}

export interface BrowserShell extends Pick<WindowServer, 'origin' | 'createWindowFile' | 'createAddress'> {
  /** Resolves when the learner closes the window; never resolves without a window. */
  closedByLearner: Promise<void>;
  close: () => Promise<void>;
}

const NO_BROWSER = 'No Chromium, Chrome or Edge was found to open a window: open the address above in one.';
const NO_DISPLAY =
  'There is no display to open a window on: open the address above in a browser. npm start -- --no-open only prints it.';

const NEVER_RESOLVES = new Promise<void>(() => undefined);

/**
 * Returns null when another shell already runs on this folder and has opened a window instead. Rejects with a `StartError` when the learner
 * has to do something first.
 */
export const startBrowserShell = (options: BrowserShellOptions): Promise<BrowserShell | null> =>
  openShell(options).catch((error: unknown) => {
    throw toStartError(error);
  });

async function openShell(options: BrowserShellOptions): Promise<BrowserShell | null> {
  // This runs before any file is written or read, and the browser inherits the umask.
  keepNewFilesPrivate();
  preparePrivateFolder(options.dataDir);
  if (await openRunningWindow(options)) return null;
  const browser = options.open ? findWindowBrowser() : null;
  const windowDir = windowFolder(options.dataDir);
  const log = openLogFile(options.dataDir, 'app');
  const crashFolder = openCrashFolder(options.dataDir);
  const stopRecording = recordUncaughtErrors({
    folder: crashFolder,
    source: 'host',
    version: options.version ?? 'development',
  });
  const host = await openAppHost({ logger: log, ...options, logDir: logFolder(options.dataDir), crashFolder }).catch(
    (error: unknown) => {
      log.error({ err: error }, 'host_start_failed');
      log.close();
      stopRecording();
      throw error;
    },
  );
  await removeStaleRedirectFiles(windowDir);
  const server = await startWindowServer({
    host,
    windowDir,
    rendererDir: options.rendererDir,
    ...(options.port === undefined ? {} : { port: options.port }),
    ...(options.fileLifetimeMs === undefined ? {} : { fileLifetimeMs: options.fileLifetimeMs }),
  }).catch(async (error: unknown) => {
    await host.close();
    log.close();
    stopRecording();
    throw error;
  });
  await writeWindowFile(options.dataDir, { origin: server.origin, key: server.key });
  options.print(browser === null ? `Parley is ready: ${server.createAddress()}` : 'Parley is ready.');
  if (options.open && browser === null) options.print(hasDisplay(thisMachine()) ? NO_BROWSER : NO_DISPLAY);
  const window = browser === null ? null : openAppWindow(browser, { file: await server.createWindowFile(), windowDir });
  let closing: Promise<void> | null = null;
  const onNoWindow = (): void => {
    if (closing === null)
      options.print(`No window has opened. Open this address in a browser: ${server.createAddress()}`);
  };
  return {
    origin: server.origin,
    createWindowFile: server.createWindowFile,
    createAddress: server.createAddress,
    closedByLearner:
      window === null
        ? NEVER_RESOLVES
        : closedByLearner(window, { windows: server.windows, onNoWindow, waits: options.waits }),
    close: () => {
      closing ??= (async () => {
        window?.kill();
        await removeWindowFile(options.dataDir);
        await server.close();
        await host.close();
        log.close();
        stopRecording();
      })();
      return closing;
    },
  };
}
