/** Opens the learner's database so that a power cut loses nothing that was acknowledged. */
import Database from 'better-sqlite3';

export type Sqlite = Database.Database;

const BUSY_TIMEOUT_MS = 5_000;
/** A page cache of 16 MB is enough for any screen of a long history. */
const CACHE_KIB = 16_384;
/**
 * A first pull writes the same pages repeatedly, so commits wait for a checkpoint only when the log exceeds 64 MB. When
 * sync is idle, the log is written back earlier.
 */
const CHECKPOINT_PAGES = 16_384;

export function openConnection(file: string): Sqlite {
  const sqlite = new Database(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    sqlite.pragma('journal_mode = WAL');
    sqlite.pragma('synchronous = FULL');
    sqlite.pragma('foreign_keys = ON');
    sqlite.pragma(`cache_size = -${CACHE_KIB}`);
    sqlite.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    sqlite.pragma('temp_store = MEMORY');
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** Copies the log into the database file without blocking readers. */
export const checkpoint = (sqlite: Sqlite): void => void sqlite.pragma('wal_checkpoint(PASSIVE)');

/** Opens a file that must not be changed. */
export const openForReading = (file: string): Sqlite => new Database(file, { readonly: true, fileMustExist: true });

/** Opens a file for work that is repeated after a crash anyway, so no write waits for the disk. */
export function openScratchFile(file: string): Sqlite {
  const sqlite = new Database(file);
  try {
    sqlite.pragma('journal_mode = OFF');
    sqlite.pragma('synchronous = OFF');
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

const DAMAGE_CODES: readonly string[] = ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_IOERR_SHORT_READ'];

export const isDamageError = (error: unknown): boolean =>
  error instanceof Database.SqliteError && DAMAGE_CODES.some((code) => error.code.startsWith(code));

export const isDiskFullError = (error: unknown): boolean =>
  (error instanceof Database.SqliteError && error.code === 'SQLITE_FULL') ||
  (error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT'));

/** Whether SQLite's quick check finds no damage. */
export function isIntact(sqlite: Sqlite): boolean {
  try {
    return sqlite.pragma('quick_check(1)', { simple: true }) === 'ok';
  } catch (error) {
    if (isDamageError(error)) return false;
    throw error;
  }
}

export const isForeignKeyFailure = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code === 'SQLITE_CONSTRAINT_FOREIGNKEY';

/** A duplicate key, a missing referenced row or a missing value. */
export const isConstraintFailure = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT');

export const isKeyTaken = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY';
