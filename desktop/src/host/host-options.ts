/** The options that a shell passes to the host. */
import type { SwitchFailure } from '@parley/contract';
import type { CatalogueRows } from './catalogue/index.ts';
import type { KeptRecordingOptions } from './kept-recordings/index.ts';
import type { Logger } from './logger.ts';
import type { ScorerFiles, SpeechScorer } from './scorer/index.ts';
import type { TokenVault } from './server/index.ts';
import type { ProfileSwitch } from './server-choice/index.ts';
import type { SpeechPackOptions } from './speech-pack/index.ts';
import type { Clock } from './store/index.ts';
import type { CrashFolder, Reopen } from './support/index.ts';
import type { TurnFetcherOptions } from './sync/index.ts';

export interface HostOptions {
  dataDir: string;
  /** Set by the operator who started the app; if set, the learner cannot choose another server. */
  serverUrl: string | null;
  /** The server that the build ships with, used until the learner chooses another one or none. */
  defaultServerUrl?: string | null;
  scorer?: SpeechScorer;
  /** Model files for the on-device scorer, used when no `scorer` is given. */
  scorerFiles?: ScorerFiles;
  clock?: Clock;
  /** Random number in [0, 1) for jitter. */
  chance?: () => number;
  logger?: Logger;
  /** The name that the learner sees in their list of devices. */
  deviceName?: string;
  platform?: NodeJS.Platform;
  tokenVault?: TokenVault;
  migrationsDir?: string;
  /** When to fetch the turns that a first sync has left out. */
  turns?: TurnFetcherOptions;
  /** Location of the bundled codec, and settings for copies of recordings. */
  keptRecordings?: KeptRecordingOptions;
  /** Location of the bundled voice worker in a packaged app. */
  voiceWorkerFile?: URL;
  /** Location of the bundled thread that transcribes with a speech pack, in a packaged app. */
  speechPack?: SpeechPackOptions;
  /** IANA name of the computer's current time zone; detected unless given. */
  timeZone?: () => string;
  version?: string;
  /**
   * The installation's other profiles. Without this, the folder holds the only profile, and its server changes in
   * place.
   */
  profiles?: ProfileSwitch;
  /** Checks and repairs the whole database before anything else. */
  repair?: boolean;
  /** Why the profile that the learner chose could not be opened, so that this one was opened again. */
  switchFailure?: SwitchFailure | null;
  /** Contacts no server and no local model, and does nothing in the background, to narrow down the cause of a fault. */
  safeMode?: boolean;
  /** The folder with the log files, for reports. */
  logDir?: string;
  reopen?: Reopen;
  /** Where the shell stores crash records; without it, none are kept. */
  crashFolder?: CrashFolder;
  /** Whether the shell supports a tray, notifications and starting at login. */
  hasTray?: boolean;
  /** Loads the catalogue that is used until the server has sent one. Defaults to the bundled starter catalogue. */
  loadCatalogue?: () => Promise<CatalogueRows>;
}
