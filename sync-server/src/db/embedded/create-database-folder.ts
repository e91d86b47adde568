/**
 * Creates an empty embedded database in a process of its own. PGlite starts a second PostgreSQL for that, and the server would keep what it
 * needed of memory until it stops.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The built server has the compiled program in the same folder. */
const PROGRAM = ['ts', 'mjs']
  .map((ending) => new URL(`./create-database-folder-process.${ending}`, import.meta.url))
  .find((file) => existsSync(file));
/** PostgreSQL writes it into each folder of a database. */
const VERSION_FILE = 'PG_VERSION';

/**
 * Does nothing in a folder that has a database. The folder gets its name when its database is complete: a half of one, which is left when
 * the process is stopped, could never be opened. A failure is left to the server, which then creates it itself or says why it cannot.
 */
export async function createDatabaseFolder(folder: string): Promise<void> {
  if (existsSync(join(folder, VERSION_FILE)) || PROGRAM === undefined) return;
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  const child = fork(fileURLToPath(PROGRAM), [unfinished], {
    stdio: 'ignore',
    // The process ends before it could gain from optimised WebAssembly.
    execArgv: ['--disable-warning=ExperimentalWarning', '--liftoff-only'],
  });
  // It must not go on writing after the server was stopped.
  const kill = (): unknown => child.kill('SIGKILL');
  process.once('exit', kill);
  const [code] = (await once(child, 'exit')) as [number | null];
  process.off('exit', kill);
  if (code === 0) await rename(unfinished, folder).catch(() => undefined);
  await rm(unfinished, { recursive: true, force: true });
}
