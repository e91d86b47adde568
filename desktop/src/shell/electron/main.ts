/** Electron's main process: one window, one host in a process of its own, and what stands between them. */
import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  MessageChannelMain,
  type MessagePortMain,
  protocol,
  safeStorage,
  session,
  systemPreferences,
  utilityProcess,
} from 'electron';
import { keepNewFilesPrivate, preparePrivateFolder } from '@parley/file-permissions';
import { join } from 'node:path';
import { pino } from 'pino';
import { dataFolder } from '../data-folder.ts';
import { readServerUrl } from '../server-address.ts';
import { START_FAILURES } from '../start-failure.ts';
import { appMenu } from './app-menu.ts';
import { APP_SCHEME, APP_URL, isAppUrl } from './app-origin.ts';
import { answerAppRequest } from './app-protocol.ts';
import { openAppWindow } from './app-window.ts';
import { isTalking, pageAmong, pageOf } from './deep-link.ts';
import { builtServerUrl } from './built-server.ts';
import { createHostLink, type HostLink } from './host-link.ts';
import { createKeychain } from './keychain.ts';
import { guardPermissions } from './permission-policy.ts';
import { resourcePaths } from './resource-paths.ts';
import { keepUpToDate, knowsWhereToLook } from './updates.ts';

const { platform, env: environment } = process;
const dataDir = dataFolder({ platform, environment });
const windowDir = join(dataDir, 'window');
const place = { isPackaged: app.isPackaged, resourcesDir: process.resourcesPath, mainDir: import.meta.dirname };
const paths = resourcePaths(place);
const logger = pino({ name: 'main' }, pino.destination({ dest: 2, sync: true }));

// Before anything else: the lock on a single instance and Chromium's profile lie in the learner's folder.
// Chromium and the host's process inherit the mask.
keepNewFilesPrivate();
preparePrivateFolder(dataDir);
preparePrivateFolder(windowDir);
app.setPath('userData', windowDir);
app.enableSandbox();
protocol.registerSchemesAsPrivileged([
  { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
]);

/** On macOS a link may come before there is a window for it. */
let linkedPage: string | null = null;
app.on('open-url', (event, address) => {
  event.preventDefault();
  const page = pageOf(address);
  // One that means nothing takes no other's place.
  if (page === null) return;
  linkedPage = page;
  if (app.isReady()) showWindow(page);
});
if (app.isPackaged) app.setAsDefaultProtocolClient(APP_SCHEME);

// No await at the top: Electron is not ready before this module has ended.
if (app.requestSingleInstanceLock()) app.whenReady().then(start).catch(giveUp);
else app.quit();

function giveUp(error: unknown): void {
  logger.error({ err: error }, 'the app could not start');
  dialog.showErrorBox('Parley cannot start', error instanceof Error ? error.message : String(error));
  app.quit();
}

function start(): void {
  protocol.handle(APP_SCHEME, (request) => answerAppRequest(request, paths.rendererDir));
  guardPermissions(session.defaultSession, {
    platform,
    getMediaAccessStatus: (media) => systemPreferences.getMediaAccessStatus(media),
    askForMediaAccess: (media) => systemPreferences.askForMediaAccess(media),
  });
  Menu.setApplicationMenu(Menu.buildFromTemplate(appMenu({ platform, isPackaged: app.isPackaged })));
  const host = linkHost();
  connectWindows(host);
  quitInOrder(host);
  showWindow(linkedPage ?? pageAmong(process.argv));
  app.on('second-instance', (_event, words) => showWindow(pageAmong(words)));
  app.on('activate', () => showWindow(null));
  if (knowsWhereToLook(place)) void keepUpToDate(logger);
}

/** `page`: where a link from outside leads; null leaves it where it is. */
function showWindow(page: string | null): void {
  const [window] = BrowserWindow.getAllWindows();
  if (window === undefined) {
    openAppWindow({ preloadFile: paths.preloadFile, stateFile: join(windowDir, 'window-state.json'), page });
    return;
  }
  // Any web page can hold such a link: it takes nobody out of a conversation.
  if (page !== null && !isTalking(window.webContents.getURL())) void window.loadURL(`${APP_URL}${page}`);
  if (window.isMinimized()) window.restore();
  window.focus();
}

function linkHost(): HostLink<MessagePortMain> {
  return createHostLink<MessagePortMain>({
    fork: () => utilityProcess.fork(paths.hostFile, [], { serviceName: 'Parley host', stdio: 'inherit' }),
    start: {
      dataDir,
      serverUrl: readServerUrl(environment),
      defaultServerUrl: builtServerUrl(),
      version: app.getVersion(),
      migrationsDir: paths.migrationsDir,
      modelDir: paths.modelDir,
      scorerWorkerFile: paths.scorerWorkerFile,
      voiceWorkerFile: paths.voiceWorkerFile,
    },
    cipher: createKeychain(safeStorage, platform),
    onFailed: ({ code, message }) => {
      dialog.showErrorBox('Parley cannot start', code === null ? message : START_FAILURES[code]);
      app.quit();
    },
    onGone: () => {
      logger.error({}, 'the host ended by itself');
      for (const window of BrowserWindow.getAllWindows()) window.webContents.send('parley:closed');
    },
  });
}

function connectWindows(host: HostLink<MessagePortMain>): void {
  ipcMain.on('parley:ready', (event) => {
    const { senderFrame } = event;
    if (senderFrame === null || senderFrame.parent !== null || !isAppUrl(senderFrame.url)) return;
    const { port1: theirs, port2: hosts } = new MessageChannelMain();
    host.connect(hosts);
    senderFrame.postMessage('parley:port', null, [theirs]);
  });
}

function quitInOrder(host: HostLink<MessagePortMain>): void {
  let isHostClosed = false;
  app.on('window-all-closed', () => {
    if (platform !== 'darwin') app.quit();
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
