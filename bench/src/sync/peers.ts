/** The peers' packages: installed beside the bench when a race needs them, so that the product's own install stays small. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PEERS = new URL('../../peers/', import.meta.url);
const LOCK = new URL('package-lock.json', PEERS);
/** A copy of the lock file that was installed. */
const INSTALLED = new URL('node_modules/.installed-lock.json', PEERS);
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

const run = promisify(execFile);

/** Does nothing when what the lock file names is there already. */
export async function installPeers(say: (what: string) => void): Promise<void> {
  const lock = await readFile(LOCK, 'utf8');
  if ((await readFile(INSTALLED, 'utf8').catch(() => '')) === lock) return;
  say('installing the peers');
  await run('npm', ['ci', '--prefix', fileURLToPath(PEERS)], { maxBuffer: MAX_OUTPUT_BYTES });
  await writeFile(INSTALLED, lock);
}

/** A peer's module, resolved from where the peers are installed; the caller names the part of it that the race uses. */
export async function loadPeer<Module>(name: string): Promise<Module> {
  const { load } = (await import(new URL('load.js', PEERS).href)) as { load: (name: string) => Promise<unknown> };
  return (await load(name)) as Module;
}

/** A file inside a peer's package, for those that are started as programs. */
export const peerFile = (path: string): string => fileURLToPath(new URL(`node_modules/${path}`, PEERS));
