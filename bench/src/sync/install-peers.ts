/** Installs the packages of the peers only when a comparison needs them, so that the install of the product stays small. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PEERS = new URL('../../peers/', import.meta.url);
const LOCK = new URL('package-lock.json', PEERS);
/** A copy of the installed lock file. */
const INSTALLED = new URL('node_modules/.installed-lock.json', PEERS);
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

const run = promisify(execFile);

/** Does nothing when the locked packages are already installed. */
export async function installPeers(say: (what: string) => void): Promise<void> {
  const lock = await readFile(LOCK, 'utf8');
  if ((await readFile(INSTALLED, 'utf8').catch(() => '')) === lock) return;
  say('installing the peers');
  await run('npm', ['ci', '--prefix', fileURLToPath(PEERS)], { maxBuffer: MAX_OUTPUT_BYTES });
  await writeFile(INSTALLED, lock);
}

/** Loads a module of a peer; the caller declares the part of its interface that the comparison uses. */
export async function loadPeer<Module>(name: string): Promise<Module> {
  const { load } = (await import(new URL('load.js', PEERS).href)) as { load: (name: string) => Promise<unknown> };
  return (await load(name)) as Module;
}

/** Returns the path of a file in a peer package that is started as a program. */
export const peerFile = (path: string): string => fileURLToPath(new URL(`node_modules/${path}`, PEERS));
