/** Electron's main process: one window, and one host in its own process. */
import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  MessageChannelMain,
  type MessagePortMain,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  safeStorage,
  session,
  shell,
  systemPreferences,
  Tray,
  utilityProcess,
} from 'electron';
import type { TrayTexts } from '@parley/contract';
import { keepNewFilesPrivate, preparePrivateFolder } from '@parley/file-permissions';
import { join } from 'node:path';
import { startFailureOf } from '../../host/start-failure.ts';
import { recordUncaughtErrors, openCrashFolder } from '../crash-folder.ts';
import { dataFolder } from '../data-folder.ts';
import { readDefaultServerUrl, readServerUrl } from '../environment-server-url.ts';
import { openLogFile } from '../log-file.ts';
import { appMenu } from './window/app-menu.ts';
import { APP_SCHEME, APP_URL, isAppUrl } from './protocol/app-origin.ts';
import { answerAppRequest, type AppProtocolParts } from './protocol/app-protocol.ts';
import { openAppWindow } from './window/app-window.ts';
import { findFileRoute, routeOfFile } from './protocol/course-pack-file.ts';
import { showsSession, findLinkedRoute, needsQuestion, routeOfLink } from './protocol/deep-link.ts';
import { buildServerUrl } from './build-server-url.ts';
import { createHostProcessClient, type HostProcessClient } from './host/host-process-client.ts';
import { HOST_PROCESS_NAME, recordCrashedProcesses, reloadCrashedWindows } from './crashed-processes.ts';
import { createKeychain } from './keychain/keychain.ts';
import { guardPermissions } from './window/permission-policy.ts';
import { openKnownTexts, type StartFailure, startFailureText } from './native-texts.ts';
import { resourcePaths } from './resource-paths.ts';
import { type AppTray, createAppTray, type SystemTray } from './tray/app-tray.ts';
import { createUpdates, hasUpdateLocation, keepUpToDate, type ReadyUpdate } from './updates.ts';

/** The `appId` of `electron-builder.yml`. */
const APP_ID = 'app.parley.desktop';

const { platform, env: environment } = process;
const dataDir = dataFolder({ platform, environment });
const windowDir = join(dataDir, 'window');
const location = {
  platform,
  isPackaged: app.isPackaged,
  resourcesDir: process.resourcesPath,
  mainDir: import.meta.dirname,
};
const paths = resourcePaths(location);

// This comes first because the instance lock and Chromium's profile are in the learner's folder, and child processes
// inherit the umask.
keepNewFilesPrivate();
/** Why the learner's folder cannot be used; undefined when it can. */
let folderFailure: unknown;
try {
  preparePrivateFolder(dataDir);
  preparePrivateFolder(windowDir);
  app.setPath('userData', windowDir);
} catch (error) {
  folderFailure = error;
}
// A file, because an app on Windows that was not started from a terminal has no standard error.
const logger = openLogFile(dataDir, 'main');
const crashes = { folder: openCrashFolder(dataDir), version: app.getVersion() };
recordUncaughtErrors({ ...crashes, source: 'main' });
recordCrashedProcesses(app, crashes);
reloadCrashedWindows(app);
/** The texts of menus and dialogs; a change is shown at once. */
const native = openKnownTexts(join(windowDir, 'native-texts.json'), () => showMenu());
app.enableSandbox();
protocol.registerSchemesAsPrivileged([
  {
    scheme: APP_SCHEME,
    privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true, stream: true },
  },
]);

/** On macOS, a link or a file may arrive before there is a window for it. */
let linkedPage: string | null = null;
const openFromSystem = (page: string | null): void => {
  // An invalid link does not replace an earlier one.
  if (page === null) return;
  linkedPage = page;
  if (app.isReady()) openLinkedPage(page);
};
app.on('open-url', (event, address) => {
  event.preventDefault();
  openFromSystem(routeOfLink(address));
});
app.on('open-file', (event, path) => {
  event.preventDefault();
  openFromSystem(routeOfFile(path));
});
if (app.isPackaged) app.setAsDefaultProtocolClient(APP_SCHEME);
// The installer gives the shortcuts this id. Windows shows no reminder from an app with a different id.
if (app.isPackaged && platform === 'win32') app.setAppUserModelId(APP_ID);

// There is no top-level await because Electron becomes ready only after this module has ended.
// The instance lock is in the learner's folder.
if (folderFailure !== undefined) void app.whenReady().then(() => failToStart(folderFailure));
else if (app.requestSingleInstanceLock()) app.whenReady().then(start).catch(failToStart);
else app.quit();

function failToStart(error: unknown): void {
  logger.error({ err: error }, 'app_start_failed');
  showStartFailure(startFailureOf(error), error instanceof Error ? error.message : String(error));
}

function showStartFailure(code: StartFailure | null, message: string): void {
  const nativeTexts = native.current();
  dialog.showErrorBox(nativeTexts.cannotStart, code === null ? message : startFailureText(nativeTexts, code));
  app.quit();
}

function showMenu(): void {
  const texts = native.current();
  Menu.setApplicationMenu(
    Menu.buildFromTemplate(appMenu({ platform, isPackaged: app.isPackaged, texts, open: showScreen })),
  );
}

function start(): void {
  guardPermissions(session.defaultSession, {
    platform,
    getMediaAccessStatus: (media) => systemPreferences.getMediaAccessStatus(media),
    askForMediaAccess: (media) => systemPreferences.askForMediaAccess(media),
  });
  showMenu();
  const host = createHostClient();
  const findVideo: AppProtocolParts['findVideo'] = (asked) => host.findVideo(asked);
  protocol.handle(APP_SCHEME, (request) => answerAppRequest(request, { rendererDir: paths.rendererDir, findVideo }));
  connectWindows(host);
  const tray = createAppTray({ platform, system: traySystem(), open: openFromTray, quit: () => app.quit() });
  closeHostBeforeQuit(host, tray);
  keepTrayUpToDate(host, tray);
  showSavedFiles();
  app.on('browser-window-created', (_event, window) => {
    window.webContents.on('did-navigate-in-page', keepAwakeDuringSessions);
    window.on('closed', keepAwakeDuringSessions);
  });
  powerMonitor.on('suspend', () => sendToWindows('parley:sleep'));
  // Some systems announce only that the computer has woken up.
  powerMonitor.on('resume', () => sendToWindows('parley:sleep'));
  showWindow(linkedPage ?? routeOfWords(process.argv));
  app.on('second-instance', (_event, words) => openLinkedPage(routeOfWords(words)));
  app.on('activate', () => showWindow(null));
  if (hasUpdateLocation(location)) void startUpdates();
}

/** Updates come from where this build came from, never from a server that a learner or a link has named. */
async function startUpdates(): Promise<void> {
  const { autoUpdater } = (await import('electron-updater')).default;
  const updates = createUpdates({
    updater: autoUpdater,
    logger,
    isBusy: () => BrowserWindow.getAllWindows().some((window) => showsSession(window.webContents.getURL())),
    ask: askToRestart,
  });
  app.on('web-contents-created', (_event, contents) => {
    contents.on('did-navigate-in-page', () => void updates.askIfReady());
  });
  for (const window of BrowserWindow.getAllWindows())
    window.webContents.on('did-navigate-in-page', () => void updates.askIfReady());
  keepUpToDate(updates);
}

async function askToRestart({ version, notes }: ReadyUpdate): Promise<boolean> {
  const { updateReady, updateQuestion, restartNow, later } = native.current();
  const { response } = await dialog.showMessageBox({
    type: 'info',
    message: updateReady.replace('{version}', version),
    detail: `${notes}${notes === '' ? '' : '\n\n'}${updateQuestion}`,
    buttons: [restartNow, later],
    defaultId: 0,
    cancelId: 1,
  });
  return response === 0;
}

/** The argument that Windows and Linux pass on the command line: a link, or a file that was opened. */
const routeOfWords = (words: readonly string[]): string | null => findLinkedRoute(words) ?? findFileRoute(words);

/** The texts in the learner's language; null until the first window has sent them. */
let texts: TrayTexts | null = null;

/** Any web page can contain a link, so the learner is asked before it takes them elsewhere. */
function openLinkedPage(page: string | null): void {
  if (page === null || texts === null || !needsQuestion(page)) return showWindow(page);
  showWindow(null);
  const { openLink, yes, no } = texts;
  const question = { message: openLink, buttons: [yes, no], defaultId: 0, cancelId: 1 };
  void dialog.showMessageBox(question).then(({ response }) => {
    if (response === 0) showWindow(page);
  });
}

/** `page` is the route of an external link; null keeps the current page. */
function showWindow(page: string | null): void {
  const [window] = BrowserWindow.getAllWindows();
  if (window === undefined) {
    openAppWindow({ preloadFile: paths.preloadFile, stateFile: join(windowDir, 'window-state.json'), page });
    return;
  }
  // Any web page can contain such a link, so it does not interrupt a session.
  if (page !== null && !showsSession(window.webContents.getURL())) void window.loadURL(`${APP_URL}${page}`);
  if (window.isMinimized()) window.restore();
  // On macOS, `focus` does nothing for a window that is hidden or covered by another app.
  window.show();
}

/** A menu entry opens its screen, unless that would interrupt a session. */
const showScreen = (route: string): void => showWindow(`#${route}`);

function sendToWindows(channel: 'parley:closed' | 'parley:sleep'): void {
  for (const window of BrowserWindow.getAllWindows()) window.webContents.send(channel);
}

function createHostClient(): HostProcessClient<MessagePortMain> {
  return createHostProcessClient<MessagePortMain>({
    fork: () => utilityProcess.fork(paths.hostFile, [], { serviceName: HOST_PROCESS_NAME, stdio: 'inherit' }),
    start: {
      dataDir,
      serverUrl: readServerUrl(environment),
      // A packaged app accepts nothing from its environment that would lead learners elsewhere without asking.
      defaultServerUrl: buildServerUrl() ?? (app.isPackaged ? null : readDefaultServerUrl(environment)),
      version: app.getVersion(),
      safeMode: process.argv.includes('--safe-mode'),
      migrationsDir: paths.migrationsDir,
      modelDir: paths.modelDir,
      scorerWorkerFile: paths.scorerWorkerFile,
      opusWorkerFile: paths.opusWorkerFile,
      transcriptionWorkerFile: paths.transcriptionWorkerFile,
      voiceWorkerFile: paths.voiceWorkerFile,
    },
    cipher: createKeychain(safeStorage, platform),
    onFailed: ({ code, message }) => showStartFailure(code, message),
    onExited: () => {
      sendToWindows('parley:closed');
      logger.error({}, 'host_process_exited');
    },
  });
}

function connectWindows(host: HostProcessClient<MessagePortMain>): void {
  ipcMain.on('parley:ready', (event) => {
    const { senderFrame } = event;
    if (senderFrame === null || senderFrame.parent !== null || !isAppUrl(senderFrame.url)) return;
    const { port1: theirs, port2: hosts } = new MessageChannelMain();
    host.connect(hosts);
    senderFrame.postMessage('parley:port', null, [theirs]);
  });
}

const openFromTray = (route: string | null): void => showWindow(route === null ? null : `#${route}`);

function traySystem(): Parameters<typeof createAppTray>[0]['system'] {
  return {
    createTray: (): SystemTray => {
      const tray = new Tray(paths.trayIconFile);
      return {
        setToolTip: (text) => tray.setToolTip(text),
        setMenu: (menu) => tray.setContextMenu(menu as Menu),
        onClick: (listener) => void tray.on('click', listener),
        destroy: () => tray.destroy(),
      };
    },
    buildMenu: (template) => Menu.buildFromTemplate(template),
    notify: (notification, onClick) => {
      if (!Notification.isSupported()) return;
      const shown = new Notification(notification);
      shown.on('click', onClick);
      shown.show();
    },
    launchesAtLogin: () => app.getLoginItemSettings().openAtLogin,
    setLaunchAtLogin: (isOn) => app.setLoginItemSettings({ openAtLogin: isOn }),
    setBadge: (count) => void app.setBadgeCount(count),
  };
}

const TRAY_CHECK_MS = 60_000;

function keepTrayUpToDate(host: HostProcessClient<MessagePortMain>, tray: AppTray): void {
  const check = async (): Promise<void> => {
    const state = await host.readTray();
    if (state !== null) {
      texts = state.texts;
      native.learn(texts.native);
    }
    tray.apply(state);
  };
  setInterval(() => void check(), TRAY_CHECK_MS).unref();
  // A changed setting takes effect at the latest when the learner leaves the window.
  app.on('browser-window-blur', () => void check());
  app.on('browser-window-focus', () => void check());
  // The first window sends the texts of menus and dialogs.
  app.on('web-contents-created', (_event, contents) => {
    contents.on('did-navigate-in-page', () => void check());
  });
}

/** The system's id for our request to keep the screen on; null outside a session. */
let awake: number | null = null;
function keepAwakeDuringSessions(): void {
  const isSpeaking = BrowserWindow.getAllWindows().some((window) => showsSession(window.webContents.getURL()));
  if (isSpeaking && awake === null) awake = powerSaveBlocker.start('prevent-display-sleep');
  if (isSpeaking || awake === null) return;
  powerSaveBlocker.stop(awake);
  awake = null;
}

/** A file that the learner saved, such as an export, is shown in its folder. */
function showSavedFiles(): void {
  session.defaultSession.on('will-download', (_event, item) => {
    item.once('done', (_done, state) => {
      if (state === 'completed') shell.showItemInFolder(item.getSavePath());
    });
  });
}

function closeHostBeforeQuit(host: HostProcessClient<MessagePortMain>, tray: AppTray): void {
  let isHostClosed = false;
  app.on('window-all-closed', () => {
    if (platform !== 'darwin' && !tray.isShown()) app.quit();
  });
  app.on('will-quit', (event) => {
    if (isHostClosed) return;
    event.preventDefault();
    void host.close().finally(() => {
      isHostClosed = true;
      app.quit();
    });
  });
}
