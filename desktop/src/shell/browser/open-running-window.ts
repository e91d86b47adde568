/**
 * Opens another window of the Parley that is already running on a data folder. This module is small, so that a start
 * can try it first.
 */
import { findWindowBrowser, windowFolder } from './find-browser.ts';
import { openAppWindow } from './open-window.ts';
import { redirectFilePath } from './redirect-file.ts';
import { accessUrl, requestAccess } from './running-window.ts';

export interface WindowRequest {
  dataDir: string;
  /** False prints an address instead. */
  open: boolean;
  print: (line: string) => void;
}

/** Returns false when no shell runs on this folder. */
export async function openRunningWindow({ dataDir, open, print }: WindowRequest): Promise<boolean> {
  const browser = open ? findWindowBrowser() : null;
  const running = await requestAccess(dataDir, browser === null ? 'address' : 'file');
  if (running === null) return false;
  const windowDir = windowFolder(dataDir);
  if (browser !== null) openAppWindow(browser, { file: redirectFilePath(windowDir, running.token), windowDir }).unref();
  print(
    browser === null
      ? `Parley is already open: ${accessUrl(running.origin, running.token)}`
      : 'Parley is already open: opening another window.',
  );
  return true;
}
