/** Log files in the data folder that replace each other, so that a report can say what happened. */
import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
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

/** `program` tells the main process and the host of one app apart. */
export function openLogFile(dataDir: string, program: 'app' | 'host' | 'main'): FileLogger {
  const folder = logFolder(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const fileNumber = (number: number): string => join(folder, `${program}.${number}.log`);
  const current = fileNumber(1);
  let bytes = existsSync(current) ? statSync(current).size : 0;

  /** Gives each file the next number; the last one is replaced. */
  function rotate(): void {
    for (let number = FILES - 1; number >= 1; number -= 1)
      if (existsSync(fileNumber(number))) renameSync(fileNumber(number), fileNumber(number + 1));
    bytes = 0;
  }

  // Windows cannot rename a file that is open, so the file is opened after the others have moved on.
  if (bytes >= MAX_FILE_BYTES) rotate();
  let destination = pino.destination({ dest: current, sync: true, mode: 0o600 });
  const logger = pino(
    { name: program, base: null, serializers: { err: describeError } },
    {
      write(line: string) {
        if (bytes >= MAX_FILE_BYTES) {
          destination.end();
          rotate();
          destination = pino.destination({ dest: current, sync: true, mode: 0o600 });
        }
        bytes += Buffer.byteLength(line);
        destination.write(line);
      },
    },
  );
  return {
    info: (about, message) => logger.info(about, message),
    warn: (about, message) => logger.warn(about, message),
    error: (about, message) => logger.error(about, message),
    close: () => destination.end(),
  };
}
