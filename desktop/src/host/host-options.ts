/** The options that a shell passes to the host. */
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
  /** Set by the operator who started the app; the learner then cannot choose another server. */
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
  /** When turns that a first sync has left out are fetched. */
  turns?: TurnFetcherOptions;
  /** Location of the bundled codec, and how copies of recordings are kept. */
  keptRecordings?: KeptRecordingOptions;
  /** Location of the bundled voice worker in a packaged app. */
  voiceWorkerFile?: URL;
  /** Location of the bundled thread that transcribes with a speech pack, in a packaged app. */
  speechPack?: SpeechPackOptions;
  /** IANA name of where the computer is now; detected unless given. */
  timeZone?: () => string;
  version?: string;
  /** The other profiles. Without any, the folder is the only one, and its server changes in place. */
  profiles?: ProfileSwitch;
  /** Checks and repairs all of the database before anything else. */
  repair?: boolean;
  /** Speaks to no server and no local model, and does nothing in the background, to find out what is broken. */
  safeMode?: boolean;
  /** The folder of the log files, for reports. */
  logDir?: string;
  reopen?: Reopen;
  /** Where the shell keeps crashes; without it none is noted. */
  crashFolder?: CrashFolder;
  /** Whether the shell can show a tray and notifications, and start at login. */
  hasTray?: boolean;
  /** Loads the catalogue that is used until the server has sent one. Defaults to the bundled starter catalogue. */
  loadCatalogue?: () => Promise<CatalogueRows>;
}
