/**
 * Deletes one account's data from a profile in which other accounts have work as well. On a shared computer, their
 * unsent changes and recordings may exist nowhere else.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseFile, openConnection, type Sqlite } from '../store/index.ts';
import { readExportOwner } from '../transfer/index.ts';

/** The tables with work of accounts that are not signed in, each with the column that names the owner. */
const PARKED_WORK = {
  outbox: 'put_away_for',
  rejected_changes: 'user_id',
  recordings: 'user_id',
  drill_attempts: 'user_id',
  waiting_reports: 'user_id',
} as const;
/** Their rows belong to the owner of their session. */
const SESSION_TABLES = ['scoring_attempts', 'session_clocks', 'session_drafts', 'session_hints', 'spoken_words'];

export function hasWorkOfOthers(dataDir: string, userId: string): boolean {
  if (!existsSync(databaseFile(dataDir))) return false;
  return withDatabase(dataDir, (sqlite) =>
    Object.entries(PARKED_WORK).some(
      ([table, owner]) =>
        hasTable(sqlite, table) &&
        sqlite.prepare(`SELECT 1 FROM ${table} WHERE ${owner} <> ? LIMIT 1`).get(userId) !== undefined,
    ),
  );
}

/** Null when the database is missing or has no identity. */
export function readDeviceId(dataDir: string): string | null {
  if (!existsSync(databaseFile(dataDir))) return null;
  return withDatabase(dataDir, (sqlite) =>
    hasTable(sqlite, 'sync_state')
      ? (sqlite.prepare<[], string>('SELECT device_id FROM sync_state').pluck().get() ?? null)
      : null,
  );
}

export async function eraseSharedProfile(dataDir: string, userId: string): Promise<void> {
  const kept = withDatabase(dataDir, (sqlite) => {
    sqlite.pragma('foreign_keys = OFF');
    sqlite.transaction(() => eraseRows(sqlite, userId))();
    // Without these two, the deleted rows would remain in the file's free pages and in its log.
    sqlite.exec('VACUUM');
    sqlite.pragma('wal_checkpoint(TRUNCATE)');
    return listKeptFiles(sqlite);
  });
  removeOtherFiles(join(dataDir, 'recordings'), kept);
  await removeExports(join(dataDir, 'exports'), userId);
}

function eraseRows(sqlite: Sqlite, userId: string): void {
  // The sessions in the database are those of the signed-in account; those of the others are parked in the outbox.
  for (const table of SESSION_TABLES)
    sqlite
      .prepare(`DELETE FROM ${table} WHERE session_id IN (SELECT id FROM practice_history WHERE user_id = ?)`)
      .run(userId);
  sqlite.prepare('DELETE FROM outbox WHERE put_away_for IS NULL OR put_away_for = ?').run(userId);
  sqlite.prepare('DELETE FROM imported_rows WHERE from_user_id = ?').run(userId);
  sqlite.prepare('DELETE FROM resync_seen').run();
  // Recordings without an owner are from before a recording had one.
  sqlite.prepare('DELETE FROM recordings WHERE user_id IS NULL').run();
  for (const table of listTablesWithOwner(sqlite)) sqlite.prepare(`DELETE FROM ${table} WHERE user_id = ?`).run(userId);
}

/** Includes `sync_state`, without which the next start creates a new identity. */
const listTablesWithOwner = (sqlite: Sqlite): string[] =>
  sqlite
    .prepare<[], string>(
      `SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
       WHERE m.type = 'table' AND c.name = 'user_id'`,
    )
    .pluck()
    .all();

const hasTable = (sqlite: Sqlite, name: string): boolean =>
  sqlite.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(name) !== undefined;

/** Files are named after a recording or, if they are copies, after their hash. */
function listKeptFiles(sqlite: Sqlite): ReadonlySet<string> {
  const names = sqlite
    .prepare<[], string>(
      `SELECT recording_id FROM recordings UNION SELECT recording_id FROM recording_uploads
       UNION SELECT sha256 FROM recording_copies UNION SELECT sha256 FROM recording_uploads`,
    )
    .pluck()
    .all();
  return new Set(names);
}

function removeOtherFiles(folder: string, kept: ReadonlySet<string>): void {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeOtherFiles(path, kept);
    else if (!kept.has(entry.name.split('.')[0] ?? '')) rmSync(path, { force: true, maxRetries: 10 });
  }
}

/** Keeps the exports of other accounts; a file or folder whose owner is unknown is deleted. */
async function removeExports(folder: string, userId: string): Promise<void> {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const owner = entry.isFile() ? await readOwner(path) : null;
    if (owner === null || owner === userId) rmSync(path, { recursive: true, force: true, maxRetries: 10 });
  }
}

async function readOwner(file: string): Promise<string | null> {
  const handle = await open(file);
  try {
    return await readExportOwner(handle);
  } finally {
    await handle.close();
  }
}

function withDatabase<Value>(dataDir: string, work: (sqlite: Sqlite) => Value): Value {
  const sqlite = openConnection(databaseFile(dataDir));
  try {
    return work(sqlite);
  } finally {
    sqlite.close();
  }
}
