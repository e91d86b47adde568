/**
 * Replaces a damaged or lost database with its newest good backup. Nothing is moved before the replacement is on disk.
 * A marker file exists until the unsent changes have been restored too, so that after a crash at any step the next
 * start continues.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isDamageError, isIntact, openScratchFile } from '../connection.ts';
import { removeIfPossible, renameFile } from '../held-files.ts';
import { databaseFile, formatTimestamp, listBackups, syncToDisk } from './backup.ts';

export interface Restored {
  /** When the backup was made; null if there was no good one, so the database starts empty. */
  takenAt: Date | null;
  /** Where the damaged file is now. */
  damagedFile: string;
}

const Marker = z.object({
  damagedFolder: z.string().regex(/^[\dTZ-]+$/),
  takenAt: z.iso
    .datetime()
    .transform((iso) => new Date(iso))
    .nullable(),
});
type Marker = z.infer<typeof Marker>;

const markerFile = (dataDir: string): string => join(dataDir, 'restoring.json');
const replacementFile = (dataDir: string): string => `${databaseFile(dataDir)}.new`;

/** Whether the database is missing or an empty file although there are backups of it. */
export const isDatabaseLost = (dataDir: string, now: Date): boolean =>
  (statSync(databaseFile(dataDir), { throwIfNoEntry: false })?.size ?? 0) === 0 && listBackups(dataDir, now).length > 0;

export function restoreNewestBackup(dataDir: string, now: Date): Restored {
  const takenAt = prepareReplacement(dataDir, now);
  // An unfinished restore left the unsent changes in its folder.
  const damagedFolder = readMarker(dataDir)?.damagedFolder ?? unusedFolder(dataDir, now);
  const marker = { damagedFolder, takenAt };
  writeMarker(dataDir, marker);
  return replaceDatabase(dataDir, marker, now);
}

/** Continues an interrupted restore. Returns null if there was none. */
export function continueRestore(dataDir: string, now: Date): Restored | null {
  const marker = readMarker(dataDir);
  if (marker === null) return null;
  if (existsSync(replacementFile(dataDir))) return replaceDatabase(dataDir, marker, now);
  return toRestored(dataDir, marker);
}

/** Call this when the unsent changes have been restored. */
export function finishRestore(dataDir: string): void {
  // The file is emptied first: after a power cut, a deleted file may reappear, and its changes would replace newer
  // ones.
  writeFileSync(markerFile(dataDir), '', { flush: true });
  removeIfPossible(markerFile(dataDir));
}

/**
 * Copies the newest good backup next to the database and returns when it was made. If there is none, the copy is an
 * empty database.
 */
function prepareReplacement(dataDir: string, now: Date): Date | null {
  const file = replacementFile(dataDir);
  for (const backup of listBackups(dataDir, now)) {
    removeReplacement(file);
    copyFileSync(backup.file, file);
    if (!isSound(file)) continue;
    syncToDisk(file);
    return backup.takenAt;
  }
  removeReplacement(file);
  writeFileSync(file, '', { flush: true, mode: 0o600 });
  return null;
}

function removeReplacement(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true });
}

/** Checks a copy, so that the backup itself is never written to. */
function isSound(file: string): boolean {
  try {
    const copy = openScratchFile(file);
    try {
      return isIntact(copy);
    } finally {
      copy.close();
    }
  } catch (error) {
    if (isDamageError(error)) return false;
    throw error;
  }
}

/** Moves the damaged database and its logs away, because unsent changes may still be readable in them. */
function replaceDatabase(dataDir: string, marker: Marker, now: Date): Restored {
  const restored = toRestored(dataDir, marker);
  // If the marked folder already has the damaged file, a newer file has taken its place and gets a folder of its own.
  const isMoved = existsSync(restored.damagedFile) && existsSync(databaseFile(dataDir));
  const folder = join(dataDir, 'damaged', isMoved ? unusedFolder(dataDir, now) : marker.damagedFolder);
  for (const suffix of ['', '-wal', '-shm']) {
    const file = databaseFile(dataDir) + suffix;
    if (!existsSync(file)) continue;
    mkdirSync(folder, { recursive: true });
    renameFile(file, join(folder, `parley.sqlite${suffix}`));
  }
  renameFile(replacementFile(dataDir), databaseFile(dataDir));
  return restored;
}

const toRestored = (dataDir: string, { damagedFolder, takenAt }: Marker): Restored => ({
  takenAt,
  damagedFile: join(dataDir, 'damaged', damagedFolder, 'parley.sqlite'),
});

function unusedFolder(dataDir: string, now: Date): string {
  const name = formatTimestamp(now);
  let unused = name;
  for (let count = 2; existsSync(join(dataDir, 'damaged', unused)); count += 1) unused = `${name}-${count}`;
  return unused;
}

function readMarker(dataDir: string): Marker | null {
  const file = markerFile(dataDir);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (text === '') return null;
  try {
    return Marker.parse(JSON.parse(text));
  } catch {
    // The marker is written in one step, so something else must have changed it. The app must start even so.
    return null;
  }
}

function writeMarker(dataDir: string, marker: Marker): void {
  const file = markerFile(dataDir);
  writeFileSync(`${file}.new`, JSON.stringify(marker), { flush: true, mode: 0o600 });
  renameFile(`${file}.new`, file);
}
