/** What the main process and the host's process say to each other, beside the window's port. */
import type { HostStartFailure } from '../../host/index.ts';
import type { ResourcePaths } from './resource-paths.ts';

/** All that a host needs to open; it crosses a process, so files are paths. */
export interface HostStart extends Pick<
  ResourcePaths,
  'migrationsDir' | 'modelDir' | 'scorerWorkerFile' | 'voiceWorkerFile'
> {
  dataDir: string;
  serverUrl: string | null;
  /** The one that was built in, until the learner chooses another. */
  defaultServerUrl: string | null;
  version: string;
}

export type ToHost =
  | { type: 'open'; start: HostStart }
  /** Comes with the window's end of a channel. */
  | { type: 'window' }
  | { type: 'cipher-answer'; id: number; answer: string | null }
  | { type: 'close' };

export type FromHost =
  | { type: 'opened' }
  | { type: 'failed'; code: HostStartFailure | null; message: string }
  /** Only the main process reaches the keychain. Null when it has none, or cannot read what it is given. */
  | { type: 'cipher-request'; id: number; act: 'seal' | 'unseal'; text: string };
