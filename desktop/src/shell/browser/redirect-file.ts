/**
 * A page that leads a browser to the window server with a one-time token. Every user of a computer can read the command lines of all
 * programs, so a browser is started with the path of this file, which only its owner can read (as Jupyter does).
 */
import { rmSync } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fingerprintOf } from './access.ts';

const folderIn = (dataDir: string): string => join(dataDir, 'open-window');

/** The name gives nothing away: it stands on a command line. */
export const redirectFileOf = (dataDir: string, token: string): string =>
  join(folderIn(dataDir), `${fingerprintOf(token)}.html`);

/** `address` must need no escaping in HTML. */
export async function writeRedirectFile(file: string, address: string): Promise<void> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // A folder that was there before keeps its rights otherwise.
  await chmod(folder, 0o700);
  await writeFile(file, redirectPage(address), { mode: 0o600, flag: 'wx' });
}

export const removeRedirectFile = (file: string): void => rmSync(file, { force: true });

/** Those that a killed shell has left. Their tokens are worth nothing any more. */
export const removeOldRedirectFiles = (dataDir: string): Promise<void> =>
  rm(folderIn(dataDir), { recursive: true, force: true });

/** Goes on by itself, and leaves no step to go back to. */
export const redirectPage = (address: string): string =>
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="referrer" content="no-referrer">' +
  `<meta http-equiv="refresh" content="0;url=${address}"><title>Parley</title></head>` +
  `<body><a href="${address}">Parley</a></body></html>`;
