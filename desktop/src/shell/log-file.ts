/** Rotating log files in the data folder, so that a report can say what happened. */
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Logger } from '../host/index.ts';
import { describeError } from './describe-error.ts';

const MAX_FILE_BYTES = 1_000_000;
const FILES = 4;

export interface FileLogger extends Logger {
  close(): void;
}

export const logFolder = (dataDir: string): string => join(dataDir, 'logs');

/**
 * `program` distinguishes the main process from the host of the same app. A line that cannot be written, for example on
 * a full disk, is dropped, because the program that logs it must continue.
 */
export function openLogFile(dataDir: string, program: 'app' | 'host' | 'main'): FileLogger {
  const folder = logFolder(dataDir);
  const fileNumber = (number: number): string => join(folder, `${program}.${number}.log`);
  let file: number | null = null;
  let bytes = 0;
  let isClosed = false;

  function open(): number {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const opened = openSync(fileNumber(1), 'a', 0o600);
    bytes = fstatSync(opened).size;
    return opened;
  }

  function closeFile(): void {
    if (file === null) return;
    closeSync(file);
    file = null;
  }

  /** Gives each file the next number, up to the first free one; if all four exist, the last is replaced. */
  function rotate(): void {
    let free = 1;
    while (free < FILES && existsSync(fileNumber(free))) free += 1;
    for (let number = free - 1; number >= 1; number -= 1) renameSync(fileNumber(number), fileNumber(number + 1));
  }

  function write(line: string): void {
    if (isClosed) return;
    try {
      file ??= open();
      if (bytes >= MAX_FILE_BYTES) {
        // Windows cannot rename a file that is open.
        closeFile();
        rotate();
        file = open();
      }
      bytes += writeSync(file, line);
    } catch {}
  }

  const logger = pino({ name: program, base: null, serializers: { err: describeError } }, { write });
  return {
    info: (about, message) => logger.info(about, message),
    warn: (about, message) => logger.warn(about, message),
    error: (about, message) => logger.error(about, message),
    close: () => {
      isClosed = true;
      closeFile();
    },
  };
}
