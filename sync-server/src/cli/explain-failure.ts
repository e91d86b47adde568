/** Explains in one sentence why a command failed. Only bugs are shown with a stack trace. */
import { describeDatabaseFailure } from '../db/database-failure.ts';
import { DataFolderInUse } from '../db/embedded/lock-data-folder.ts';
import { CannotActAsOwner } from './act-as-owner.ts';
import { CommandFailure } from './command.ts';

export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return explainForeign(error);
  if ([CommandFailure, DataFolderInUse, CannotActAsOwner].some((explained) => error instanceof explained))
    return error.message;
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

/**
 * Both HOST and PORT and their metrics counterparts are named, because the error does not tell which of them it
 * concerns.
 */
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

const FILE_REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist: correct the path',
  ENOTDIR: 'is inside a file, not a folder: correct the path',
  EEXIST: 'is a file, and a folder is needed: correct the path',
  EISDIR: 'is a folder, and a file is needed: correct the path',
  EACCES: 'may not be used by this user: change its owner or its permissions, or choose another path',
  EPERM: 'may not be used by this user: change its owner or its permissions, or choose another path',
  EROFS: 'is on a disk that cannot be written to: choose another path',
};

function explainFile({ code = '', path }: SystemError): string | null {
  // The error of a write does not contain the path of the file.
  if (code === 'ENOSPC') return `${path ?? 'A file'} does not fit on the disk: free some space (${code}).`;
  const reason = FILE_REASONS[code];
  return path === undefined || reason === undefined ? null : `${path} ${reason} (${code}).`;
}

/** PGlite throws its file system's errors, with WASI error numbers, and they are not instances of `Error`. */
const WASI_ENOSPC = 51;

function explainForeign(thrown: unknown): string {
  const errno = typeof thrown === 'object' && thrown !== null && 'errno' in thrown ? thrown.errno : null;
  if (errno === null) return String(thrown);
  return errno === WASI_ENOSPC
    ? 'The embedded database does not fit on the disk: free some space in DATA_DIR.'
    : `The embedded database cannot use its files in DATA_DIR (error ${Number(errno)}): check their owner and the disk.`;
}

/** The library's message contains only the statement; what the database said is in the innermost cause. */
function explainQuery(error: Error): string | null {
  if (!error.message.startsWith('Failed query')) return null;
  let innermost: Error = error;
  while (innermost.cause instanceof Error) innermost = innermost.cause;
  return innermost === error ? null : `The database could not be used: ${innermost.message}`;
}
