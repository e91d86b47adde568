/** Locks a data folder for one host. The operating system releases the lock even when the process is killed. */
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { HostStartError } from './host-start-error.ts';

export interface InstanceLock {
  release(): void;
}

/** Throws `host.already_running` when another host holds the folder. */
export function lockDataFolder(dataDir: string): InstanceLock {
  const lock = new Database(join(dataDir, 'instance.lock'), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY'))
      throw new HostStartError('host.already_running', 'Parley is already open with this data folder.');
    throw error;
  }
  return { release: () => lock.close() };
}
