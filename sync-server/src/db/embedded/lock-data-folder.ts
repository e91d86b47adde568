/** Keeps two processes from opening one embedded database, which would damage it. */
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import { join } from 'node:path';

const LOCK_FILE = 'server.lock';
const RENEWED_EVERY_MS = 5_000;
const EXPIRES_AFTER_MS = 60_000;

export class DataFolderInUse extends Error {}

/**
 * Locks the folder for this process and returns a function that unlocks it. Throws `DataFolderInUse` while another
 * process has it open. Each container counts as a separate host, and its server usually has the same process number as
 * that of any other.
 */
export function lockDataFolder(
  dir: string,
  host: string = hostname(),
  onLost: (dir: string) => void = endProcess,
): () => void {
  const path = join(dir, LOCK_FILE);
  const own = `${process.pid}\n${host}\n`;
  const claim = (): void => writeFileSync(path, own, { flag: 'wx', mode: 0o600 });
  try {
    claim();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    refuseIfHeld({ dir, path, host }, error);
    rmSync(path, { force: true });
    claim();
  }
  const renewal = setInterval(() => {
    if (renew(path, own)) return;
    clearInterval(renewal);
    onLost(dir);
  }, RENEWED_EVERY_MS);
  renewal.unref();
  return () => {
    clearInterval(renewal);
    if (readLock(path) === own) rmSync(path, { force: true });
  };
}

function refuseIfHeld({ dir, path, host }: { dir: string; path: string; host: string }, cause: Error): void {
  const text = readLock(path);
  if (text === null) return;
  const [number, ownerHost = ''] = text.split('\n');
  const owner = Number(number);
  // Earlier versions did not record the host. An empty file is being written, or its process was killed while writing
  // it.
  if (text !== '' && (ownerHost === '' || ownerHost === host)) {
    // A process that was killed leaves its file behind. In a container, the next process has the same number.
    if (owner === process.pid || !isRunning(owner) || isFromBeforeBoot(path)) return;
    throw new DataFolderInUse(
      `Process ${owner} has the database in ${dir} open: stop the server first. If no server runs, delete ${path}.`,
      { cause },
    );
  }
  // Whether a process on another host is running shows only in its renewals.
  if (isExpired(path)) return;
  const who = text === '' ? 'Another process' : `Process ${owner} on ${ownerHost}`;
  throw new DataFolderInUse(
    `${who} has the database in ${dir} open: stop the server first. If it was killed, try again in a minute, or delete ${path}.`,
    { cause },
  );
}

function readLock(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

function isExpired(path: string): boolean {
  const renewedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return renewedAt === undefined || Date.now() - renewedAt > EXPIRES_AFTER_MS;
}

/**
 * A server that was running when the computer restarted left its file behind, and another program may now have its
 * process number.
 */
function isFromBeforeBoot(path: string): boolean {
  const renewedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  return renewedAt < Date.now() - uptime() * 1_000 - EXPIRES_AFTER_MS;
}

/** Returns false if another process has taken over the lock, because this one was suspended for a while. */
function renew(path: string, own: string): boolean {
  try {
    const text = readLock(path);
    if (text !== null && text !== '' && text !== own) return false;
    const now = new Date();
    utimesSync(path, now, now);
  } catch {
    // The next renewal comes long before the lock expires, and the server continues until then.
  }
  return true;
}

/** Two processes that write to one database damage it, so this one must not even close it. */
function endProcess(dir: string): void {
  console.error(`Another server has taken over the database in ${dir}, so this one ends. Run only one.`);
  process.exit(1);
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
