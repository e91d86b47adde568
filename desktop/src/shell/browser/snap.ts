/**
 * Browsers that are Snaps, such as Ubuntu's Chromium. They cannot open hidden folders, and the data folder is inside
 * one.
 */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { hashSecret } from './window-access.ts';

const MAX_SCRIPT_BYTES = 20_000;

export function isSnap(program: string): boolean {
  if (program.startsWith('/snap/')) return true;
  try {
    const file = realpathSync(program);
    // Each command in /snap/bin is a link to the program `snap`.
    if (file.startsWith('/snap/') || basename(file) === 'snap') return true;
    // Ubuntu's `chromium-browser` is a script that starts the Snap.
    return statSync(file).size <= MAX_SCRIPT_BYTES && readFileSync(file, 'utf8').includes('/snap/bin/');
  } catch {
    return false;
  }
}

/** The folder for the window's profile and for the file that opens it, which the browser must be able to use. */
export function browserFolder({
  browser,
  dataDir,
  homeDir = homedir(),
}: {
  browser: string | null;
  dataDir: string;
  homeDir?: string;
}): string {
  if (browser === null || !isSnap(browser)) return dataDir;
  return join(homeDir, 'snap/chromium/common/parley', hashSecret(dataDir).slice(0, 16));
}
