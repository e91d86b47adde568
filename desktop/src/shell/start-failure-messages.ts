/** Sentences that a learner sees when the host cannot start. */
import type { HostStartFailure } from '../host/index.ts';

export const START_FAILURE_MESSAGES: Readonly<Record<HostStartFailure, string>> = {
  'host.already_running':
    'Parley is already running with this data folder. Close it first, or set PARLEY_DATA_DIR to another folder.',
  'storage.full': 'The disk is full. Free some space and start Parley again; nothing that was saved is lost.',
  'storage.unreadable':
    'The data folder cannot be read or written. Check who owns it, or set PARLEY_DATA_DIR to another one.',
};
