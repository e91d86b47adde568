/** The browser shell: a host, its window server, and a window if there is something to open one with. */
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createHost, type HostOptions, HostStartError } from '../../host/index.ts';
import { START_FAILURES } from '../start-failure.ts';
import { findBrowser, hasDisplay } from './find-browser.ts';
import { openAppWindow } from './open-window.ts';
import { announceWindow, findRunningWindow, withdrawWindow } from './running-window.ts';
import { startWindowServer } from './window-server.ts';

export interface BrowserShellOptions extends Pick<HostOptions, 'serverUrl' | 'logger' | 'version'> {
  dataDir: string;
  rendererDir: string;
  port?: number;
  /** `--no-open`: only the address is printed. */
  open: boolean;
  say: (line: string) => void;
}

export interface BrowserShell {
  address: string;
  /** Resolves when the learner closed the window; never without one. */
  closedByLearner: Promise<void>;
  close: () => Promise<void>;
}

const NEVER = new Promise<void>(() => undefined);

/** Null when another start already runs on this folder: its window was opened again. */
export async function startBrowserShell(options: BrowserShellOptions): Promise<BrowserShell | null> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const machine = { platform: process.platform, environment: process.env };
  const browser = options.open && hasDisplay(machine) ? findBrowser(machine) : null;
  const running = await findRunningWindow(options.dataDir);
  if (running !== null) {
    if (browser !== null) openAppWindow(browser, { address: running, dataDir: options.dataDir }).unref();
    options.say(`Parley is already open: ${running}`);
    return null;
  }
  const host = await createHost(options).catch((error: unknown) => {
    if (error instanceof HostStartError) throw new Error(START_FAILURES[error.code], { cause: error });
    throw error;
  });
  const server = await startWindowServer({
    host,
    rendererDir: options.rendererDir,
    ...(options.port === undefined ? {} : { port: options.port }),
  });
  await announceWindow(options.dataDir, server.address);
  options.say(`Parley is ready: ${server.address}`);
  if (options.open && browser === null)
    options.say('No Chromium, Chrome or Edge was found to open a window: open the address above in one.');
  const window =
    browser === null ? null : openAppWindow(browser, { address: server.address, dataDir: options.dataDir });
  let closing: Promise<void> | null = null;
  return {
    address: server.address,
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
