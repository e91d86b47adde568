/**
 * A local page that redirects a browser to the window server with a one-time token. Command lines are visible to every
 * user, so the browser gets only the path of this file, which only its owner can read (as in Jupyter).
 */
import { rmSync } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hashSecret } from './window-access.ts';

const redirectFolder = (windowDir: string): string => join(windowDir, 'open-window');

/** The name is visible on a command line, so it must not reveal the token. */
export const redirectFilePath = (windowDir: string, token: string): string =>
  join(redirectFolder(windowDir), `${hashSecret(token)}.html`);

/** `address` must need no escaping in HTML. */
export async function writeRedirectFile(file: string, address: string): Promise<void> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // An existing folder would otherwise keep its permissions.
  await chmod(folder, 0o700);
  await writeFile(file, redirectPage(address), { mode: 0o600, flag: 'wx' });
}

export const removeRedirectFile = (file: string): void => rmSync(file, { force: true });

/** Removes files that a killed shell has left; their tokens are no longer valid. */
export const removeStaleRedirectFiles = (windowDir: string): Promise<void> =>
  rm(redirectFolder(windowDir), { recursive: true, force: true });

/** Redirects at once and leaves no entry in the browser's history. */
export const redirectPage = (address: string): string =>
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="referrer" content="no-referrer">' +
  `<meta http-equiv="refresh" content="0;url=${address}"><title>Parley</title></head>` +
  `<body><a href="${address}">Parley</a></body></html>`;
