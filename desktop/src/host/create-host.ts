/** Puts the application together: one store, its features, and the router that speaks the desktop contract. */
import { uuidv7 } from 'uuidv7';
import { keepNewFilesPrivate } from '@parley/file-permissions';
import { hostname, platform as systemPlatform } from 'node:os';
import { fileURLToPath } from 'node:url';
import { createAccount, createExporter, createPlans } from './account/index.ts';
import { type CatalogueRows, createCatalogue, fillEmptyCatalogue } from './catalogue/index.ts';
import { createCloudCoach, createCoachMemory } from './coach/index.ts';
import { createHistory, createSearchIndex } from './history/index.ts';
import { createHostEvents } from './host-events.ts';
import type { Logger } from './logger.ts';
import { createDrills } from './drill/index.ts';
import { createCalls, createPractice } from './practice/index.ts';
import { openRecordings } from './recordings/index.ts';
import { createRouter, type HostRouter } from './router.ts';
import { createDeviceScorer, createLiveFollowing, type ScorerFiles, type SpeechScorer } from './scorer/index.ts';
import { createServers, readServerChoice } from './server/index.ts';
import { createSettings } from './settings/index.ts';
import { BACKUP_EVERY_MS, type Clock, type Identity, openStore } from './store/index.ts';
import {
  adoptAccount,
  connectToServer,
  createFileVault,
  createReconnectingSync,
  readCredentials,
  type TokenVault,
} from './sync/index.ts';
import { createToday } from './today/index.ts';
import { createVoice } from './voice/index.ts';

export interface HostOptions {
  dataDir: string;
  /** The server that whoever started the app has named: then no other can be chosen. */
  serverUrl: string | null;
  /** The server that the app came with, until the learner chooses another, or none. */
  defaultServerUrl?: string | null;
  scorer?: SpeechScorer;
  /** For the scorer of this device, when no other is given. */
  scorerFiles?: ScorerFiles;
  clock?: Clock;
  /** 0 up to 1, for jitter. */
  chance?: () => number;
  logger?: Logger;
  /** As the learner sees it in their list of devices. */
  deviceName?: string;
  platform?: NodeJS.Platform;
  tokenVault?: TokenVault;
  migrationsDir?: string;
  /** Where a packaged app has put the bundled voice's thread. */
  voiceWorkerFile?: URL;
  /** IANA name; the learner's days and weeks are counted in it. */
  timeZone?: string;
  version?: string;
  /** What can be practised before a server has said so; the bundled starter catalogue when left out. */
  loadCatalogue?: () => Promise<CatalogueRows>;
}

export interface Host {
  router: HostRouter;
  /** When everything under way in the background is done: backup, sync, overdue scores. */
  whenIdle(): Promise<void>;
  close(): Promise<void>;
}

const DUE_EVERY_MS = 10 * 60_000;
const MAX_DEVICE_NAME = 80;

const silent: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

function devicePlatform(platform: NodeJS.Platform): 'windows' | 'macos' | 'linux' | 'other' {
  if (platform === 'win32') return 'windows';
  if (platform === 'darwin') return 'macos';
  return platform === 'linux' ? 'linux' : 'other';
}

async function loadBundledCatalogue(): Promise<CatalogueRows> {
  // Read once in a device's life: no later start pays for it.
  const { loadStarterCatalogue } = await import('@parley/catalogue');
  return loadStarterCatalogue();
}

/** Rejects with a `HostStartError` when another host holds the folder, or the folder cannot be used. */
export async function createHost(options: HostOptions): Promise<Host> {
  const clock = options.clock ?? { now: () => new Date() };
  const chance = options.chance ?? Math.random;
  const logger = options.logger ?? silent;
  keepNewFilesPrivate();
  const vault = options.tokenVault ?? createFileVault(options.dataDir);
  const credentials = await readCredentials(vault);
  const store = await openStore({
    dataDir: options.dataDir,
    clock,
    newId: uuidv7,
    migrationsDir: options.migrationsDir ?? fileURLToPath(new URL('./store/migrations', import.meta.url)),
    ...(options.version === undefined ? {} : { appVersion: options.version }),
    knownIdentity: (): Identity | null => credentials,
  });
  // The last run was killed between joining an account and moving to it.
  if (credentials !== null) adoptAccount(store, { ...credentials, isRegistered: true });
  await fillEmptyCatalogue(store, options.loadCatalogue ?? loadBundledCatalogue);

  const events = createHostEvents();
  const scorer = options.scorer ?? createDeviceScorer(options.scorerFiles);
  const recordings = openRecordings(store);
  const catalogue = createCatalogue(store);
  const searchIndex = createSearchIndex({ store, logger });
  const history = createHistory(store, searchIndex);
  const following = createLiveFollowing({ scorer, logger });
  const timeZone = options.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const settings = createSettings(store, { onDeviceChanged: () => coach.forgetOffer() });
  const given = { fixed: options.serverUrl, byDefault: options.defaultServerUrl ?? null };
  const { url: serverUrl } = readServerChoice(options.dataDir, given);
  const connect = (url: string | null) =>
    url === null
      ? null
      : connectToServer(url, async () => (await readCredentials(vault))?.token ?? null, {
          localChoice: () => {
            const { localCoach, localTranscriber } = settings.read().device;
            return { coach: localCoach, transcriber: localTranscriber };
          },
        });
  // A connection of its own: a coach that is slow holds up no sync.
  let coachConnection = connect(serverUrl);
  const coach = createCloudCoach({ connection: () => coachConnection, clock, timeZone });
  const voice = createVoice({
    logger,
    coach,
    ...(options.voiceWorkerFile === undefined ? {} : { workerFile: options.voiceWorkerFile }),
  });
  const calls = createCalls({ store, catalogue, recordings, scorer, coach, logger });
  const practice = createPractice({
    calls,
    store,
    catalogue,
    recordings,
    scorer,
    coach,
    following,
    liveAccess: () => account.liveAccess(),
    chance,
    logger,
  });
  const sync = createReconnectingSync({
    store,
    serverUrl,
    vault,
    chance,
    logger,
    device: {
      name: (options.deviceName ?? hostname()).slice(0, MAX_DEVICE_NAME) || 'My computer',
      platform: devicePlatform(options.platform ?? systemPlatform()),
    },
  });
  const servers = createServers({
    store,
    vault,
    sync,
    given,
    onChanged(url) {
      coachConnection?.hangUp();
      coachConnection = connect(url);
      coach.forgetOffer();
    },
  });
  const account = createAccount({ store, sync, hasServer: () => servers.read().url !== null, timeZone });
  const router = createRouter({
    account,
    exporter: createExporter({ store, timeZone }),
    plans: createPlans({ sync, account }),
    catalogue,
    practice,
    calls,
    coach,
    memory: createCoachMemory({ store, coach }),
    drills: createDrills({ store, recordings, scorer, following, logger }),
    history,
    today: createToday({
      store,
      catalogue,
      history,
      timeZone,
    }),
    recordings,
    voice,
    settings,
    servers,
    sync,
    events,
    logger,
    newId: uuidv7,
    about: () => ({
      version: options.version ?? 'development',
      dataFolder: options.dataDir,
      serverAddress: servers.read().url,
      scorer: scorer.name,
      restoredFrom: store.restoredFrom,
    }),
  });

  const unsubscribe = store.changes.subscribe((tables) => events.tablesChanged(tables));
  sync.onStatus((status) => events.syncChanged(status));
  sync.start();

  let background: Promise<void> = Promise.resolve();
  const inBackground = (what: string, work: () => Promise<void>): void => {
    background = background.then(work).catch((error: unknown) => logger.error({ err: error }, what));
  };
  const doWhatIsDue = (): void => {
    inBackground('overdue sessions could not be finished', () => practice.finishWhatIsDue());
    inBackground('the daily backup failed', () => store.backUpIfDue());
    // What the server says of the account holds for a while: it is asked while it can be.
    inBackground('the account could not be asked for', async () => void (await account.state()));
  };
  if (store.notPrivate === null)
    inBackground('the files of the data folder could not be closed to others', () => store.restrictFiles());
  else logger.warn({ reason: store.notPrivate }, 'data_folder_not_private');
  doWhatIsDue();
  const timer = setInterval(doWhatIsDue, Math.min(DUE_EVERY_MS, BACKUP_EVERY_MS));
  timer.unref();

  return {
    router,
    async whenIdle() {
      await background;
      await sync.whenIdle();
      await searchIndex.whenIdle();
    },
    async close() {
      clearInterval(timer);
      searchIndex.close();
      events.close();
      await calls.close();
      unsubscribe();
      coachConnection?.hangUp();
      await sync.close();
      await background;
      await Promise.allSettled([scorer.close(), voice.close()]);
      recordings.closeFiles();
      store.close();
    },
  };
}
