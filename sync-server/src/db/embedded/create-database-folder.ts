/**
 * Creates an empty embedded database in a separate process. PGlite starts a second PostgreSQL for that, whose memory
 * the server would otherwise keep until it stops.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { databaseFolders, isDatabase } from './database-folders.ts';

/** The built server has the compiled program in the same folder. */
const PROGRAM = ['ts', 'mjs']
  .map((ending) => new URL(`./create-database-folder-process.${ending}`, import.meta.url))
  .find((file) => existsSync(file));

/**
 * Does nothing if the folder has a database. A new database is created under a temporary name, because a half-finished
 * one, left by a process that was stopped, could never be opened. If this fails, the server tries to create the
 * database itself, or says why it cannot.
 */
export async function createDatabaseFolder(dataDir: string): Promise<void> {
  const { database, unfinished } = databaseFolders(dataDir);
  if (isDatabase(database) || PROGRAM === undefined) return;
  const child = fork(fileURLToPath(PROGRAM), [unfinished], {
    stdio: 'ignore',
    // The process ends before optimised WebAssembly would pay off.
    execArgv: ['--disable-warning=ExperimentalWarning', '--liftoff-only'],
  });
  // The process must not continue to write after the server has stopped.
  const kill = (): unknown => child.kill('SIGKILL');
  process.once('exit', kill);
  const [code] = (await once(child, 'exit')) as [number | null];
  process.off('exit', kill);
  if (code === 0) await rename(unfinished, database).catch(() => undefined);
  await rm(unfinished, { recursive: true, force: true });
}
