/**
 * Checks the whole database on request. If it is damaged beyond repair, it is replaced by its newest backup, as at any
 * start.
 */
import type { RepairOutcome } from '@parley/contract';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Sqlite } from '../connection.ts';
import { backupFolder, databaseFile, formatTimestamp } from './backup.ts';

/** Keeps the files as they are, damaged or not. They are never removed automatically. */
export function copyBeforeRepair(dataDir: string, now: Date): void {
  const folder = join(backupFolder(dataDir), `before-repair-${formatTimestamp(now)}`);
  mkdirSync(folder, { recursive: true });
  for (const suffix of ['', '-wal']) {
    const file = databaseFile(dataDir) + suffix;
    if (existsSync(file)) copyFileSync(file, join(folder, `parley.sqlite${suffix}`));
  }
}

/** Returns null when the database is still damaged. */
export function checkAndReindex(sqlite: Sqlite): Exclude<RepairOutcome, 'restored'> | null {
  if (isSound(sqlite)) return 'sound';
  // Most damage is in an index, which can be rebuilt from its table.
  sqlite.exec('REINDEX');
  return isSound(sqlite) ? 'reindexed' : null;
}

const isSound = (sqlite: Sqlite): boolean => sqlite.pragma('integrity_check(1)', { simple: true }) === 'ok';
