/** Writes the log to standard output, which may be a file on a full disk; the server must continue even then. */
import { type DestinationStream, pino } from 'pino';

/** The size of the buffer while the disk is full; further lines are dropped. */
const MAX_WAITING_CHARACTERS = 4 * 1_024 ** 2;

export function openLogStream(): DestinationStream {
  const stream = pino.destination({ dest: process.stdout.fd, sync: false, maxLength: MAX_WAITING_CHARACTERS });
  let isFailing = false;
  // Without a listener, an error would end the process. The next line tries again.
  stream.on('error', () => {
    isFailing = true;
  });
  stream.on('write', () => {
    isFailing = false;
  });
  // When the process ends, pino flushes its buffer, and would retry forever while writing fails.
  const flush = stream.flushSync.bind(stream);
  stream.flushSync = () => {
    if (!isFailing) flush();
  };
  return stream;
}
