/** Messages in the terminal that tell a learner why Parley cannot start. */
import { HostStartError, type HostStartFailure, startFailureOf } from '../host/index.ts';

const START_FAILURE_MESSAGES: Readonly<Record<HostStartFailure, string>> = {
  'host.already_running':
    'Parley is already running with this data folder. Close it first, or set PARLEY_DATA_DIR to another folder.',
  'storage.full': 'The disk is full. Free some space and start Parley again; nothing that was saved is lost.',
  'storage.unreadable':
    'The data folder cannot be read or written. Check that the folder belongs to you, or set PARLEY_DATA_DIR to another one.',
  'storage.newer':
    'A newer version of Parley has used this data folder. Start the newest version instead; nothing is lost.',
};

const PORT_MESSAGE =
  'Another program uses this port. Close it, or choose another port: npm start -- --port 0 finds a free one.';

/** The message is all that the learner needs; any other error is a bug, which needs its stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Returns the error itself if a learner can do nothing about it. */
export function toStartError(error: unknown): unknown {
  const failure = error instanceof HostStartError ? error.code : startFailureOf(error);
  if (failure !== null) return new StartError(START_FAILURE_MESSAGES[failure], { cause: error });
  const isPortTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  return isPortTaken ? new StartError(PORT_MESSAGE, { cause: error }) : error;
}
