/** A fake of the parts of Electron that the main process uses, with which `main.ts` can be imported. */
import { EventEmitter } from 'node:events';
import { expect, vi } from 'vitest';

export const HOME = 'parley://app/';

/** A window as far as the main process uses it. */
export class FakeWindow extends EventEmitter {
  address = '';
  isSmall = false;
  focused = 0;
  shown = 0;
  reloads = 0;
  isGone = false;
  readonly webContents = Object.assign(new EventEmitter(), {
    getURL: () => this.address,
    setWindowOpenHandler: () => undefined,
    reload: () => void (this.reloads += 1),
    isDestroyed: () => this.isGone,
    send: (channel: string) => void this.sent.push(channel),
  });
  /** The channels of the messages to the page. */
  readonly sent: string[] = [];
  loadURL = async (address: string): Promise<void> => void (this.address = address);
  isMinimized = (): boolean => this.isSmall;
  restore = (): void => void (this.isSmall = false);
  focus = (): void => void (this.focused += 1);
  /** As Electron does: shows the window and focuses it. */
  show = (): void => {
    this.shown += 1;
    this.focus();
  };
  getNormalBounds = () => ({ x: 0, y: 0, width: 800, height: 600 });
  isMaximized = () => false;
}

interface MenuItem {
  label?: string;
  submenu?: MenuItem[];
  click?: () => void;
}

/** A fake Electron that becomes ready when told to. */
export function aFakeElectron({ isFirst = true, isPackaged = false } = {}) {
  const windows: FakeWindow[] = [];
  let isReady = false;
  let becomeReady = (): void => undefined;
  const ready = new Promise<void>((resolve) => {
    becomeReady = () => {
      isReady = true;
      resolve();
    };
  });
  const app = Object.assign(new EventEmitter(), {
    isPackaged,
    userModelIds: [] as string[],
    quits: 0,
    setPath: () => undefined,
    enableSandbox: () => undefined,
    isReady: () => isReady,
    whenReady: () => ready,
    requestSingleInstanceLock: () => isFirst,
    setAsDefaultProtocolClient: () => true,
    setAppUserModelId: (id: string) => void app.userModelIds.push(id),
    getVersion: () => '0.0.0',
    quit: () => void (app.quits += 1),
  });
  class BrowserWindow extends FakeWindow {
    static getAllWindows = () => windows;
    constructor() {
      super();
      windows.push(this);
      app.emit('browser-window-created', {}, this);
    }
  }
  const ipcMain = new EventEmitter();
  const hosts: EventEmitter[] = [];
  const errorBoxes: string[] = [];
  const menu: MenuItem[] = [];
  const awake = new Set<number>();
  const powerMonitor = new EventEmitter();
  const display = { id: 1, workArea: { x: 0, y: 0, width: 1_280, height: 800 } };
  const module: object = {
    app,
    BrowserWindow,
    dialog: {
      showErrorBox: (_title: string, text: string) => void errorBoxes.push(text),
      showMessageBox: async () => ({ response: 1 }),
    },
    ipcMain,
    Menu: {
      setApplicationMenu: () => undefined,
      buildFromTemplate: (template: MenuItem[]) => void menu.push(...template),
    },
    MessageChannelMain: class {
      readonly port1 = {};
      readonly port2 = {};
    },
    protocol: { registerSchemesAsPrivileged: () => undefined, handle: () => undefined },
    safeStorage: {},
    screen: { getPrimaryDisplay: () => display, getAllDisplays: () => [display] },
    session: {
      defaultSession: {
        setPermissionRequestHandler: () => undefined,
        setPermissionCheckHandler: () => undefined,
        setDevicePermissionHandler: () => undefined,
        on: () => undefined,
      },
    },
    shell: {},
    systemPreferences: {},
    Tray: EventEmitter,
    Notification: Object.assign(EventEmitter, { isSupported: () => false }),
    powerMonitor,
    powerSaveBlocker: {
      start: () => {
        awake.add(1);
        return 1;
      },
      stop: (id: number) => void awake.delete(id),
    },
    utilityProcess: {
      fork: () => {
        const host = Object.assign(new EventEmitter(), { postMessage: () => undefined, kill: () => true });
        hosts.push(host);
        return host;
      },
    },
  };
  return {
    module,
    app,
    windows,
    powerMonitor,
    /** The requests to keep the screen on. */
    awake,
    /** The texts of the error dialogs. */
    errorBoxes,
    /** Marks the page as loaded: connects it to a host, and returns the host's process. */
    connectPage: (): EventEmitter => {
      ipcMain.emit('parley:ready', { senderFrame: { parent: null, url: HOME, postMessage: () => undefined } });
      const host = hosts.at(-1);
      if (host === undefined) throw new Error('no host process');
      return host;
    },
    /** Selects a menu entry by its label. */
    choose: (label: string): void => {
      const entry = menu.flatMap(({ submenu }) => submenu ?? []).find((each) => each.label === label);
      if (entry?.click === undefined) throw new Error(`the menu has no "${label}"`);
      entry.click();
    },
    /** Passes an address as macOS does. Returns whether the app accepted it. */
    openUrl: (address: string): boolean => {
      const event = { isTaken: false, preventDefault: () => void (event.isTaken = true) };
      app.emit('open-url', event, address);
      return event.isTaken;
    },
    /** Passes a file as macOS does. Returns whether the app accepted it. */
    openFile: (path: string): boolean => {
      const event = { isTaken: false, preventDefault: () => void (event.isTaken = true) };
      app.emit('open-file', event, path);
      return event.isTaken;
    },
    /** Passes the arguments of a second start, as Windows and Linux do. */
    startAgain: (...words: string[]) => app.emit('second-instance', {}, ['/opt/parley/parley', ...words], '/'),
    becomeReady: () => becomeReady(),
    ready: async () => {
      becomeReady();
      await vi.waitFor(() => expect(app.listenerCount('second-instance')).toBe(1));
    },
    only: (): FakeWindow => {
      expect(windows).toHaveLength(1);
      const [window] = windows;
      if (window === undefined) throw new Error('no window');
      return window;
    },
  };
}

const argv = [...process.argv];
const { platform } = process;
const pretendToRunOn = (value: NodeJS.Platform): unknown => Object.defineProperty(process, 'platform', { value });

interface MainOptions {
  isFirst?: boolean;
  isPackaged?: boolean;
  argv?: string[];
  /** The platform of this computer, unless given. */
  platform?: NodeJS.Platform;
}

/** Imports a fresh `main.ts`, with a fake Electron that becomes ready when told to. */
export async function startMain(options: MainOptions = {}) {
  const electron = aFakeElectron(options);
  vi.resetModules();
  vi.doMock('electron', () => electron.module);
  process.argv = ['/opt/parley/parley', ...(options.argv ?? [])];
  pretendToRunOn(options.platform ?? platform);
  // Node does not have it.
  Object.assign(process, { resourcesPath: '/opt/parley/resources' });
  await import('../main.ts');
  return electron;
}

export function forgetMain(): void {
  process.removeAllListeners('uncaughtExceptionMonitor');
  process.argv = [...argv];
  pretendToRunOn(platform);
  vi.doUnmock('electron');
}
