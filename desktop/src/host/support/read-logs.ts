/** Reads the newest lines of the log files, for a report. */
import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MAX_BYTES = 200_000;

export function readNewestLogLines(logDir: string): string[] {
  let names: string[];
  try {
    names = readdirSync(logDir).filter((name) => name.endsWith('.log'));
  } catch {
    return ['There are no log files yet.'];
  }
  const files = names
    .map((name) => ({ name, file: join(logDir, name) }))
    .map((each) => ({ ...each, writtenMs: statSync(each.file).mtimeMs }))
    .toSorted((a, b) => b.writtenMs - a.writtenMs);
  const lines: string[] = [];
  let left = MAX_BYTES;
  for (const { name, file } of files) {
    if (left <= 0) break;
    const text = readEnd(file, left);
    left -= text.length;
    lines.push(`--- ${name}`, ...text.split('\n').filter((line) => line !== ''));
  }
  return lines;
}

/** Returns at most the last bytes of a file, from the beginning of a line. */
function readEnd(file: string, maxBytes: number): string {
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    const length = Math.min(size, maxBytes);
    const buffer = Buffer.alloc(length);
    readSync(handle, buffer, 0, length, size - length);
    const text = buffer.toString('utf8');
    return length < size ? text.slice(text.indexOf('\n') + 1) : text;
  } finally {
    closeSync(handle);
  }
}
