/** Composes the application: one store, its features, and the router that implements the desktop contract. */
import { loadSharedUnderstanding } from '@parley/catalogue/understanding';
import type { TrayState } from '@parley/contract';
import { createUnderstanding } from '@parley/coach/understanding';
import { uuidv7 } from 'uuidv7';
import { keepNewFilesPrivate } from '@parley/file-permissions';
import { hostname, platform as systemPlatform } from 'node:os';
import { fileURLToPath } from 'node:url';
import { createAccount, createPlans } from './account/index.ts';
import { type CatalogueRows, createCatalogue, installBundledCatalogue } from './catalogue/index.ts';
import { createBackgroundWork } from './background-work.ts';
import { createBlog } from './blog/index.ts';
import { createCoachClient, createCoachMemory, listCoachHistory } from './coach/index.ts';
import { createAssignments, createCourses } from './courses/index.ts';
import { devicePlatform } from './device-platform.ts';
import { createHistory, createSearchIndex } from './history/index.ts';
import { createHostEvents } from './host-events.ts';
import type { HostOptions } from './host-options.ts';
import { createKeptRecordings } from './kept-recordings/index.ts';
import type { Logger } from './logger.ts';
import { createDrills } from './drill/index.ts';
import { createRealtimeSessions, createPractice } from './practice/index.ts';
import { createPracticeReports } from './practice-reports/index.ts';
import { createProgress } from './progress/index.ts';
import { openRecordings } from './recordings/index.ts';
import { createRemoteWipe } from './remote-wipe/index.ts';
import { createReview } from './review/index.ts';
import { createRouter, type HostRouter } from './router.ts';
import { createDeviceScorer, createStreamingRecognition } from './scorer/index.ts';
import { createServerChoices, readServerChoice } from './server-choice/index.ts';
import { createSettings } from './settings/index.ts';
import { createShadowing } from './shadowing/index.ts';
import { createSpeechPack } from './speech-pack/index.ts';
import { dismissRestoreNotice, type Identity, openStore, readRestoreNotice, type Store } from './store/index.ts';
import { connectToServer, createFileVault, readCredentials, readToken, type TokenVault } from './server/index.ts';
import { createCrashes, createSupport } from './support/index.ts';
import { completeInterruptedMove, createSwitchableSync } from './sync/index.ts';
import { createSystemClock, type SystemClock } from './system-clock.ts';
import { createTimeZone, type TimeZoneSource } from './time-zone.ts';
import { createToday } from './today/index.ts';
import { createTray } from './tray/index.ts';
import { createExporter, createImporter } from './transfer/index.ts';
import { createVideoCopies, createVideoFiles, type VideoFiles } from './videos/index.ts';
import { createVoice } from './voice/index.ts';

export interface Host {
  router: HostRouter;
  videoFiles: VideoFiles;
  /** The contents of the system's tray menu; null until the first window has sent its texts. */
  readTray(): TrayState | null;
  /** Resolves when all background work is done: backup, sync and overdue scores. */
  whenIdle(): Promise<void>;
  /** Tells the windows to reload after a switch to another profile. */
  announceReopening(): void;
  close(): Promise<void>;
}

const MAX_DEVICE_NAME = 80;

const silentLogger: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

async function loadBundledCatalogue(): Promise<CatalogueRows> {
  // The starter catalogue is read only once per device, so it is imported on demand.
  const { loadStarterCatalogue } = await import('@parley/catalogue');
  return loadStarterCatalogue();
}

/** Rejects with a `HostStartError` when another host holds the folder, or the folder cannot be used. */
export async function createHost(options: HostOptions): Promise<Host> {
  keepNewFilesPrivate();
  const vault = options.tokenVault ?? createFileVault(options.dataDir);
  const credentials = await readCredentials(vault);
  const systemTimeZone = createTimeZone({ platform: options.platform ?? process.platform });
  const systemClock = createSystemClock();
  let store: Store | null = null;
  try {
    store = await openStore({
      dataDir: options.dataDir,
      clock: options.clock ?? systemClock,
      newId: uuidv7,
      timeZone: options.timeZone ?? systemTimeZone.current,
      migrationsDir: options.migrationsDir ?? fileURLToPath(new URL('./store/migrations', import.meta.url)),
      repair: options.repair ?? false,
      ...(options.version === undefined ? {} : { appVersion: options.version }),
      knownIdentity: (): Identity | null => credentials,
    });
    await completeInterruptedMove(store, { vault, logger: options.logger ?? silentLogger });
    await installBundledCatalogue(store, options.loadCatalogue ?? loadBundledCatalogue);
    return composeHost(options, { store, vault, systemClock, systemTimeZone });
  } catch (error) {
    // The app may open this folder again without restarting.
    systemClock.close();
    store?.close();
    throw error;
  }
}

interface HostBase {
  store: Store;
  vault: TokenVault;
  systemClock: SystemClock;
  systemTimeZone: TimeZoneSource;
}

/**
 * Everything that starts background work comes last and cannot throw: after a failure, the caller closes the store
 * under it.
 */
function composeHost(options: HostOptions, { store, vault, systemClock, systemTimeZone }: HostBase): Host {
  const { clock, timeZone } = store;
  const chance = options.chance ?? Math.random;
  const logger = options.logger ?? silentLogger;
  const events = createHostEvents();
  const scorer = options.scorer ?? createDeviceScorer(options.scorerFiles);
  const recordings = openRecordings(store, logger);
  const catalogue = createCatalogue(store);
  const searchIndex = createSearchIndex({ store, logger });
  const history = createHistory(store, searchIndex);
  const streamingRecognition = createStreamingRecognition({ scorer, logger });
  const settings = createSettings(store, { onDeviceChanged: () => coach.invalidateOffer() });
  const given = { fixed: options.serverUrl, builtIn: options.defaultServerUrl ?? null };
  const isSafeMode = options.safeMode ?? false;
  const serverUrl = isSafeMode ? null : readServerChoice(options.dataDir, given).url;
  const connect = (url: string | null) =>
    url === null
      ? null
      : connectToServer(url, () => readToken(vault, store.identity()), {
          localChoice: () => {
            const { localCoach, localTranscriber } = settings.read().device;
            return { coach: localCoach, transcriber: localTranscriber };
          },
        });
  // The coach has its own connection, so that a slow coach does not delay sync.
  let coachConnection = connect(serverUrl);
  const coach = createCoachClient({ connection: () => coachConnection, clock, timeZone });
  const voice = createVoice({
    logger,
    coach,
    ...(options.voiceWorkerFile === undefined ? {} : { workerFile: options.voiceWorkerFile }),
  });
  const shadowing = createShadowing({ voice, scorer, logger });
  const speechPack = createSpeechPack({
    dataDir: store.dataDir,
    serverUrl: () => (isSafeMode ? null : servers.read().url),
    logger,
    options: options.speechPack,
  });
  const understanding = createUnderstanding(loadSharedUnderstanding);
  const calls = createRealtimeSessions({ store, catalogue, recordings, scorer, coach, logger });
  const practice = createPractice({
    calls,
    understanding,
    store,
    catalogue,
    recordings,
    scorer,
    coach,
    streamingRecognition,
    transcribeHere: (pcm) => speechPack.transcribe(pcm),
    modelCoachAccess: () => account.modelCoachAccess(),
    checkPlace: (at) => courses.checkPlace(at),
    chance,
    logger,
  });
  const sync = createSwitchableSync({
    store,
    serverUrl,
    vault,
    chance,
    logger,
    device: {
      name: (options.deviceName ?? hostname()).slice(0, MAX_DEVICE_NAME) || 'My computer',
      platform: devicePlatform(options.platform ?? systemPlatform()),
    },
    turns: options.turns,
    fetchFilesBeforeMoving: () => keptRecordings.fetchAll(),
    onReceived: () => work.onUpToDate(),
    onWipeOrdered: (key) => remoteWipe.accept(key),
  });
  const servers = createServerChoices({
    store,
    vault,
    sync,
    given,
    profiles: options.profiles ?? null,
    logger,
    fetchFiles: () => keptRecordings.fetchAll(),
    onChanged(url) {
      coachConnection?.cancelAll();
      coachConnection = connect(url);
      coach.invalidateOffer();
      keptRecordings.changeServer(url);
    },
  });
  const remoteWipe = createRemoteWipe({
    store,
    sync,
    serverUrl: () => servers.read().url,
    reopen: options.reopen === undefined ? null : () => options.reopen?.({}),
    logger,
  });
  const keptRecordings = createKeptRecordings({
    store,
    recordings,
    sync,
    vault,
    chance,
    logger,
    serverUrl,
    options: options.keptRecordings,
  });
  const assignments = createAssignments({ store, sync });
  const account = createAccount({
    store,
    sync,
    hasServer: () => servers.read().url !== null,
    language: () => settings.read().device.shownLanguage,
    onSignedOut: () => assignments.forget(),
  });
  const courses = createCourses({
    store,
    catalogue,
    assignments,
    plan: () => account.plan(),
    onOpened: () => work.refreshAssignments(),
  });
  const tray = createTray({ store, settings });
  const videoFiles = createVideoFiles({
    store,
    checkVideo: (videoId) => courses.checkVideo(videoId),
    serverUrl: () => (isSafeMode ? null : servers.read().url),
    readToken: () => readToken(vault, store.identity()),
    findKept: (mediaId) => videoCopies.findKept(mediaId),
  });
  const videoCopies = createVideoCopies({
    store,
    findRemote: (videoId) => videoFiles.findRemote({ videoId, part: 'file' }),
    logger,
  });
  const practiceReports = createPracticeReports({ store, sync, logger });
  const work = createBackgroundWork({
    store,
    recordings,
    keptRecordings,
    practice,
    account,
    assignments,
    practiceReports,
    remoteWipe,
    hasServer: () => servers.read().url !== null,
    isSafeMode,
    logger,
  });
  const importer = createImporter({ store, settings, logger });
  const router = createRouter({
    account,
    exporter: createExporter({
      store,
      settings,
      fetchEverything: () => sync.fetchEverything(),
      listCopies: () => keptRecordings.listForExport(),
    }),
    importer,
    plans: createPlans({ sync, account }),
    catalogue,
    courses,
    videoCopies,
    speechPack,
    blog: createBlog(store),
    practice,
    calls,
    coach,
    memory: createCoachMemory({ store, coach }),
    coachHistory: () => listCoachHistory(store),
    review: createReview(store, {
      hasCopy: (recordingId) => keptRecordings.place(recordingId) === 'copy',
      pronounce: (word) => shadowing.pronounce(word),
    }),
    practiceReports,
    progress: createProgress(store),
    shadowing,
    drills: createDrills({ store, recordings, scorer, streamingRecognition, logger }),
    history,
    today: createToday({
      store,
      catalogue,
      courses,
      history,
      levelAnsweredAt: () => settings.read().device.levelAnsweredAt,
      onOpened: work.refreshAssignments,
    }),
    keptRecordings,
    voice,
    settings,
    servers,
    support: createSupport({
      store,
      platform: options.platform ?? process.platform,
      logDir: options.logDir ?? null,
      version: options.version ?? 'development',
      scorer: scorer.name,
      isSafeMode,
      syncStatus: () => sync.status(),
      serverUrl: () => servers.read().url,
      askServer: () => servers.describeAnswer(),
      reopen: options.reopen ?? null,
    }),
    crashes: createCrashes({
      folder: options.crashFolder ?? null,
      version: options.version ?? 'development',
      clock,
      newId: uuidv7,
      sync,
    }),
    tray,
    reportTimeZone: systemTimeZone.report,
    sync,
    events,
    logger,
    newId: uuidv7,
    about: () => ({
      version: options.version ?? 'development',
      dataFolder: options.dataDir,
      serverAddress: servers.read().url,
      restoredFrom: store.restoredFrom,
      restoreNotice: readRestoreNotice(store.dataDir),
      wipedAt: remoteWipe.wipedAt(),
      repaired: store.repaired,
      switchFailure: options.switchFailure ?? null,
      isSafeMode,
      hasTray: options.hasTray ?? false,
    }),
    dismissRestoreNotice: () => dismissRestoreNotice(store.dataDir),
    dismissWipeNotice: () => remoteWipe.dismissNotice(),
  });

  const unsubscribe = store.changes.subscribe((tables) => events.tablesChanged(tables));
  sync.onStatus((status) => events.syncChanged(status));
  const closing = new AbortController();
  work.start({ waitsForPull: serverUrl !== null });
  void servers.learnServerId(closing.signal);
  sync.start();
  if (!isSafeMode) keptRecordings.start();

  return {
    router,
    readTray: () => tray.read(),
    announceReopening: () => events.announceReopening(),
    videoFiles,
    async whenIdle() {
      await sync.whenIdle();
      await work.whenIdle();
      // New scores and finished sessions have to be pushed.
      await sync.whenIdle();
      await keptRecordings.whenIdle();
      await searchIndex.whenIdle();
    },
    async close() {
      work.stop();
      systemClock.close();
      closing.abort();
      searchIndex.close();
      events.close();
      await calls.close();
      await importer.close();
      await videoCopies.close();
      await speechPack.close();
      unsubscribe();
      coachConnection?.cancelAll();
      await keptRecordings.close();
      await sync.close();
      await work.whenIdle();
      understanding.close();
      await Promise.allSettled([scorer.close(), voice.close()]);
      try {
        recordings.closeFiles();
      } catch (error) {
        // The next start recovers these recordings. The store must be closed, or no window could open it again.
        logger.error({ err: error }, 'recordings_not_closed');
      }
      store.close();
    },
  };
}
