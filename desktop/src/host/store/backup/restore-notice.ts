/** The notice that a database was replaced. It is kept in a file until the learner has dismissed it. */
import type { RestoreNotice } from '@parley/contract';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { renameFile } from '../held-files.ts';
import type { Restored } from './restore-backup.ts';

const StoredNotice = z.object({
  takenAt: z.iso
    .datetime()
    .transform((iso) => new Date(iso))
    .nullable(),
  damagedFolder: z.string().nullable(),
});

const noticeFile = (dataDir: string): string => join(dataDir, 'restored.json');

export function writeRestoreNotice(dataDir: string, { takenAt, damagedFile }: Restored): void {
  // If the database was missing, there is no damaged file; if it was empty, there is nothing to keep.
  const isKept = (statSync(damagedFile, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const notice: RestoreNotice = { takenAt, damagedFolder: isKept ? dirname(damagedFile) : null };
  const file = noticeFile(dataDir);
  writeFileSync(`${file}.new`, JSON.stringify(notice), { flush: true, mode: 0o600 });
  renameFile(`${file}.new`, file);
}

/** Null when nothing was restored or the learner has dismissed the notice. */
export function readRestoreNotice(dataDir: string): RestoreNotice | null {
  const file = noticeFile(dataDir);
  if (!existsSync(file)) return null;
  try {
    return StoredNotice.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Something else has changed the file; no screen may fail because of that.
    return null;
  }
}

export const dismissRestoreNotice = (dataDir: string): void => rmSync(noticeFile(dataDir), { force: true });
