/** Opens one app window, with a profile of its own inside the data folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

const QUIET = [
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-default-apps',
  '--window-size=1280,840',
];

/** The process ends when the learner closes the window. */
export function openAppWindow(browser: string, window: { address: string; dataDir: string }): ChildProcess {
  // Chromium refuses its sandbox to root; nobody else may go without it.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return spawn(
    browser,
    [`--app=${window.address}`, `--user-data-dir=${join(window.dataDir, 'browser')}`, ...QUIET, ...asRoot],
    {
      stdio: 'ignore',
    },
  );
}
