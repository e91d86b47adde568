/** Keeps two processes from opening one embedded database, which would damage it. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LOCK_FILE = 'server.lock';

export class DataFolderInUse extends Error {}

/** Locks the folder for this process and returns how to unlock it. Throws `DataFolderInUse` while another process has it open. */
export function lockDataFolder(dir: string): () => void {
  const path = join(dir, LOCK_FILE);
  const claim = (): void => writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 });
  try {
    claim();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    const owner = Number(readFileSync(path, 'utf8'));
    // A process that was killed leaves its file behind. In a container the next one has the same number.
    if (owner !== process.pid && isRunning(owner))
      throw new DataFolderInUse(
        `Process ${owner} has the database in ${dir} open: stop the server first. If no server runs, delete ${path}.`,
        { cause: error },
      );
    rmSync(path, { force: true });
    claim();
  }
  return () => rmSync(path, { force: true });
}

function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
