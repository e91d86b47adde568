/**
 * Keeps the log of a database whose own file is missing or empty. SQLite deletes such a log when it opens the file, but
 * it holds everything that has not been written back yet: in a new installation, all of the work.
 */
import { closeSync, openSync, readSync, statSync, writeFileSync } from 'node:fs';
import { databaseFile } from './backup.ts';

const LOG_HEADER_BYTES = 32;
const PAGE_SIZE_OFFSET = 8;
const DEFAULT_PAGE_SIZE = 4_096;

/** Fills the file with one empty page, whose content SQLite then reads from the log. */
export function keepLogOfLostFile(dataDir: string): void {
  const file = databaseFile(dataDir);
  if (sizeOf(file) > 0 || sizeOf(`${file}-wal`) <= LOG_HEADER_BYTES) return;
  const pageSize = readHeader(`${file}-wal`).readUInt32BE(PAGE_SIZE_OFFSET);
  // With another size, the log is damaged, and so is the database.
  const isValid = pageSize >= 512 && pageSize <= 65_536;
  writeFileSync(file, Buffer.alloc(isValid ? pageSize : DEFAULT_PAGE_SIZE), { flush: true, mode: 0o600 });
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

function readHeader(file: string): Buffer {
  const header = Buffer.alloc(LOG_HEADER_BYTES);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, header, 0, LOG_HEADER_BYTES, 0);
  } finally {
    closeSync(descriptor);
  }
  return header;
}
