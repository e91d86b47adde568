/** Opens one app window, with a profile of its own inside the data folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const QUIET = [
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-default-apps',
  '--window-size=1280,840',
];

/** The process ends when the learner closes the window. `file`: the page to begin with, since every user can read a command line. */
export function openAppWindow(browser: string, window: { file: string; dataDir: string }): ChildProcess {
  // Chromium refuses its sandbox to root; nobody else may go without it.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return spawn(
    browser,
    [
      `--app=${pathToFileURL(window.file).href}`,
      `--user-data-dir=${join(window.dataDir, 'browser')}`,
      ...QUIET,
      ...asRoot,
    ],
    {
      stdio: 'ignore',
    },
  );
}
