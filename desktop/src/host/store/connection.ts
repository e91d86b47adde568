/** Opens the learner's database so that a power cut loses nothing that was acknowledged. */
import Database from 'better-sqlite3';

export type Sqlite = Database.Database;

const BUSY_TIMEOUT_MS = 5_000;
/** Pages kept in memory: 16 MB, enough for any screen of a long history. */
const CACHE_KIB = 16_384;
/**
 * The log may grow to 64 MB before a commit waits for it to be written back: a history that comes in writes the same pages again and
 * again. Mostly it is written back before that, when nothing is going on.
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

/** Puts into the file what stands in its log; readers go on. */
export const writeBack = (sqlite: Sqlite): void => void sqlite.pragma('wal_checkpoint(PASSIVE)');

/** For a file that must not be changed any more. */
export const openForReading = (file: string): Sqlite => new Database(file, { readonly: true, fileMustExist: true });

const DAMAGE_CODES: readonly string[] = ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_IOERR_SHORT_READ'];

export const isDamage = (error: unknown): boolean =>
  error instanceof Database.SqliteError && DAMAGE_CODES.some((code) => error.code.startsWith(code));

export const isDiskFull = (error: unknown): boolean =>
  (error instanceof Database.SqliteError && error.code === 'SQLITE_FULL') ||
  (error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT'));

/** Whether every page of the file is what SQLite wrote. */
export function isSound(sqlite: Sqlite): boolean {
  try {
    return sqlite.pragma('quick_check(1)', { simple: true }) === 'ok';
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}

export const isForeignKeyFailure = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code === 'SQLITE_CONSTRAINT_FOREIGNKEY';

/** A key that is taken, a reference to nothing, a value that is missing. */
export const isConstraintFailure = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT');

export const isKeyTaken = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY';
