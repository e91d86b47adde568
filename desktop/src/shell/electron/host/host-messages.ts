/** Messages between the main process and the host process, besides the window's port. */
import type { TrayState, VideoFile } from '@parley/contract';
import type { HostResult, HostStartFailure, VideoSource } from '../../../host/index.ts';
import type { ResourcePaths } from '../resource-paths.ts';

/** Everything that a host needs to open. It crosses a process boundary, so files are passed as paths. */
export interface HostStart extends Pick<
  ResourcePaths,
  'migrationsDir' | 'modelDir' | 'scorerWorkerFile' | 'voiceWorkerFile' | 'opusWorkerFile' | 'transcriptionWorkerFile'
> {
  dataDir: string;
  serverUrl: string | null;
  /** The server that the build ships with, used until the learner chooses another. */
  defaultServerUrl: string | null;
  version: string;
  safeMode: boolean;
}

export type ToHost =
  | { type: 'open'; start: HostStart }
  /** Sent together with the window's end of a channel. */
  | { type: 'window' }
  | { type: 'cipher-answer'; id: number; answer: string | null }
  | { type: 'video-request'; id: number; asked: VideoFile }
  | { type: 'tray-request'; id: number }
  | { type: 'close' };

export type FromHost =
  | { type: 'opened' }
  | { type: 'failed'; code: HostStartFailure | null; message: string }
  | { type: 'video-answer'; id: number; source: HostResult<VideoSource> }
  | { type: 'tray-answer'; id: number; state: TrayState | null }
  /**
   * Only the main process can reach the keychain. The response is null if there is none or it cannot decrypt the text.
   */
  | { type: 'cipher-request'; id: number; act: 'seal' | 'unseal'; text: string };
