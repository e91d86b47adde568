/** The browser shell: a host, its window server, and a window if there is something to open one with. */
import { once } from 'node:events';
import { keepNewFilesPrivate, preparePrivateFolder } from '@parley/file-permissions';
import { createHost, type HostOptions, HostStartError } from '../../host/index.ts';
import { START_FAILURES } from '../start-failure.ts';
import { findBrowser, hasDisplay } from './find-browser.ts';
import { openAppWindow } from './open-window.ts';
import { redirectFileOf, removeOldRedirectFiles } from './redirect-file.ts';
import { announceWindow, askRunningWindow, openingAddress, withdrawWindow } from './running-window.ts';
import { startWindowServer, type WindowServer } from './window-server.ts';

export interface BrowserShellOptions extends Pick<HostOptions, 'serverUrl' | 'logger' | 'version'> {
  dataDir: string;
  rendererDir: string;
  port?: number;
  /** `--no-open`: only the address is printed. */
  open: boolean;
  say: (line: string) => void;
  /** How long a browser that is being started is waited for. */
  fileLifetimeMs?: number;
}

export interface BrowserShell extends Pick<WindowServer, 'origin' | 'createWindowFile' | 'createAddress'> {
  /** Resolves when the learner closed the window; never without one. */
  closedByLearner: Promise<void>;
  close: () => Promise<void>;
}

const NEVER = new Promise<void>(() => undefined);

/** Null when another start already runs on this folder: its window was opened again. */
export async function startBrowserShell(options: BrowserShellOptions): Promise<BrowserShell | null> {
  // Before the first file is written or read: the browser that is started inherits the mask.
  keepNewFilesPrivate();
  preparePrivateFolder(options.dataDir);
  const machine = { platform: process.platform, environment: process.env };
  const browser = options.open && hasDisplay(machine) ? findBrowser(machine) : null;
  if (await openRunningWindow(options, browser)) return null;
  const host = await createHost(options).catch((error: unknown) => {
    if (error instanceof HostStartError) throw new Error(START_FAILURES[error.code], { cause: error });
    throw error;
  });
  await removeOldRedirectFiles(options.dataDir);
  const server = await startWindowServer({
    host,
    dataDir: options.dataDir,
    rendererDir: options.rendererDir,
    ...(options.port === undefined ? {} : { port: options.port }),
    ...(options.fileLifetimeMs === undefined ? {} : { fileLifetimeMs: options.fileLifetimeMs }),
  });
  await announceWindow(options.dataDir, { origin: server.origin, key: server.key });
  options.say(browser === null ? `Parley is ready: ${server.createAddress()}` : 'Parley is ready.');
  if (options.open && browser === null)
    options.say('No Chromium, Chrome or Edge was found to open a window: open the address above in one.');
  const window =
    browser === null
      ? null
      : openAppWindow(browser, { file: await server.createWindowFile(), dataDir: options.dataDir });
  let closing: Promise<void> | null = null;
  return {
    origin: server.origin,
    createWindowFile: server.createWindowFile,
    createAddress: server.createAddress,
    closedByLearner: window === null ? NEVER : once(window, 'exit').then(() => undefined),
    close: () => {
      closing ??= (async () => {
        window?.kill();
        await withdrawWindow(options.dataDir);
        await server.close();
        await host.close();
      })();
      return closing;
    },
  };
}

/** Whether there is one. */
async function openRunningWindow({ dataDir, say }: BrowserShellOptions, browser: string | null): Promise<boolean> {
  const running = await askRunningWindow(dataDir, browser === null ? 'address' : 'file');
  if (running === null) return false;
  if (browser !== null) openAppWindow(browser, { file: redirectFileOf(dataDir, running.token), dataDir }).unref();
  say(
    browser === null
      ? `Parley is already open: ${openingAddress(running.origin, running.token)}`
      : 'Parley is already open: another window of it opens.',
  );
  return true;
}
