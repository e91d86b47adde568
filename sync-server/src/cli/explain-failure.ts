/** Explains in one sentence why a command failed. Only a bug shows its stack. */
import { describeDatabaseFailure } from '../db/database-failure.ts';
import { DataFolderInUse } from '../db/embedded/lock-data-folder.ts';
import { CommandFailure } from './command.ts';

export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof CommandFailure || error instanceof DataFolderInUse) return error.message;
  return (
    explainListening(error) ??
    describeDatabaseFailure(error)?.reason ??
    explainFile(error) ??
    explainQuery(error) ??
    error.stack ??
    error.message
  );
}

type SystemError = Error &
  Partial<Record<'code' | 'syscall' | 'address' | 'hostname' | 'path', string>> & { port?: number };

/** HOST and PORT are named with those for the metrics, because the error does not tell which of them it is about. */
function explainListening(error: SystemError): string | null {
  const { code, syscall, address = '', port = '', hostname } = error;
  const isOwnName = [process.env['HOST'], process.env['METRICS_HOST']].includes(hostname);
  if (syscall === 'getaddrinfo' && hostname !== undefined && isOwnName)
    return `The host name ${hostname} has no address: correct HOST or METRICS_HOST.`;
  if (syscall !== 'listen') return null;
  if (code === 'EADDRINUSE')
    return `Another program uses ${address}:${port}: set PORT or METRICS_PORT, or stop the other program.`;
  if (code === 'EADDRNOTAVAIL') return `This machine has no address ${address}: correct HOST or METRICS_HOST.`;
  if (code === 'EACCES') return `The system does not allow port ${port}: set PORT or METRICS_PORT to one above 1023.`;
  return null;
}

const FILE_CODES: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'is not in a folder',
  EACCES: 'is not accessible to this user',
  EROFS: 'is on a read-only disk',
  ENOSPC: 'does not fit on the disk',
};

function explainFile({ code = '', path }: SystemError): string | null {
  const reason = FILE_CODES[code];
  return path === undefined || reason === undefined ? null : `${path} ${reason} (${code}).`;
}

/** The library names the statement only, and what the database said is the innermost cause. */
function explainQuery(error: Error): string | null {
  if (!error.message.startsWith('Failed query')) return null;
  let innermost: Error = error;
  while (innermost.cause instanceof Error) innermost = innermost.cause;
  return innermost === error ? null : `The database could not be used: ${innermost.message}`;
}
