/** Opens an app window with its own browser profile inside the data folder, or in a folder that a Snap can use. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const QUIET_FLAGS = [
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-default-apps',
  '--window-size=1280,840',
];

/**
 * The process exits when the learner closes the window. `file` is the first page; it is a file because every user can
 * read a command line.
 */
export function openAppWindow(browser: string, window: { file: string; windowDir: string }): ChildProcess {
  // Chromium refuses to run its sandbox as root; other users keep the sandbox.
  const rootFlags = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const opened = spawn(
    browser,
    [
      `--app=${pathToFileURL(window.file).href}`,
      `--user-data-dir=${join(window.windowDir, 'browser')}`,
      ...QUIET_FLAGS,
      ...rootFlags,
    ],
    {
      stdio: 'ignore',
    },
  );
  // Without a listener, a browser that cannot be started would end this program.
  opened.on('error', () => undefined);
  return opened;
}
