import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ENGLISH_TEXTS } from './native-texts.ts';

const LINK = 'A'.repeat(43);
const ADDRESS = `parley://sign-in?link=${LINK}`;
const HOME = 'parley://app/';
const SIGN_IN = `${HOME}#/sign-in?link=${LINK}`;
const MALFORMED = [
  'parley://sign-in?link=short',
  'parley://open/session/1',
  'parley://open/review/../session/1',
  'parley://app/#/settings',
  'https://example.com',
  'no address',
  '',
];

/** A window as far as the main process uses it. */
class FakeWindow extends EventEmitter {
  address = '';
  isSmall = false;
  focused = 0;
  readonly webContents = Object.assign(new EventEmitter(), {
    getURL: () => this.address,
    setWindowOpenHandler: () => undefined,
    send: (channel: string) => void this.sent.push(channel),
  });
  /** The channels of the messages to the page. */
  readonly sent: string[] = [];
  loadURL = async (address: string): Promise<void> => void (this.address = address);
  isMinimized = (): boolean => this.isSmall;
  restore = (): void => void (this.isSmall = false);
  focus = (): void => void (this.focused += 1);
  getNormalBounds = () => ({ x: 0, y: 0, width: 800, height: 600 });
  isMaximized = () => false;
}

interface MenuItem {
  label?: string;
  submenu?: MenuItem[];
  click?: () => void;
}

/** A fake Electron that becomes ready when told to. */
function aFakeElectron({ isFirst = true } = {}) {
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
    isPackaged: false,
    quits: 0,
    setPath: () => undefined,
    enableSandbox: () => undefined,
    isReady: () => isReady,
    whenReady: () => ready,
    requestSingleInstanceLock: () => isFirst,
    setAsDefaultProtocolClient: () => true,
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
  const menu: MenuItem[] = [];
  const awake = new Set<number>();
  const powerMonitor = new EventEmitter();
  const display = { id: 1, workArea: { x: 0, y: 0, width: 1_280, height: 800 } };
  const module = {
    app,
    BrowserWindow,
    dialog: { showErrorBox: () => undefined, showMessageBox: async () => ({ response: 1 }) },
    ipcMain: new EventEmitter(),
    Menu: {
      setApplicationMenu: () => undefined,
      buildFromTemplate: (template: MenuItem[]) => void menu.push(...template),
    },
    MessageChannelMain: MessageChannel,
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
    utilityProcess: {},
  };
  return {
    module,
    app,
    windows,
    powerMonitor,
    /** The requests to keep the screen on. */
    awake,
    /** Chooses a menu entry by its label. */
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

const words = [...process.argv];
let dataDir = '';

async function startMain(options: { isFirst?: boolean; argv?: string[] } = {}) {
  const electron = aFakeElectron(options);
  vi.resetModules();
  vi.doMock('electron', () => electron.module);
  process.argv = ['/opt/parley/parley', ...(options.argv ?? [])];
  await import('./main.ts');
  return electron;
}

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'parley-main-'));
  vi.stubEnv('PARLEY_DATA_DIR', dataDir);
});
afterEach(() => {
  process.removeAllListeners('uncaughtExceptionMonitor');
  process.argv = [...words];
  vi.doUnmock('electron');
  vi.unstubAllEnvs();
  rmSync(dataDir, { recursive: true, force: true });
});

describe('a link from outside', () => {
  it('opens its page with the first window, from the command line', async () => {
    const electron = await startMain({ argv: ['--flag', ADDRESS] });
    expect(electron.windows).toEqual([]);
    await electron.ready();
    expect(electron.only().address).toBe(SIGN_IN);
  });

  it('waits for the first window', async () => {
    const electron = await startMain();
    expect(electron.openUrl(ADDRESS)).toBe(true);
    expect(electron.windows).toEqual([]);
    await electron.ready();
    expect(electron.only().address).toBe(SIGN_IN);
  });

  it('is not replaced by an invalid one', async () => {
    const electron = await startMain();
    electron.openUrl(ADDRESS);
    electron.openUrl('parley://sign-in?link=short');
    await electron.ready();
    expect(electron.only().address).toBe(SIGN_IN);
  });

  it('opens in the existing window and focuses it', async () => {
    const electron = await startMain();
    await electron.ready();
    const window = electron.only();
    expect(window.address).toBe(HOME);
    window.isSmall = true;
    electron.openUrl(ADDRESS);
    expect(electron.only()).toMatchObject({ address: SIGN_IN, isSmall: false, focused: 1 });
  });

  it('of a second start opens in the first window, and the second exits', async () => {
    const electron = await startMain();
    await electron.ready();
    electron.startAgain('--allow-file-access-from-files', ADDRESS);
    expect(electron.only()).toMatchObject({ address: SIGN_IN, focused: 1 });

    const second = await startMain({ isFirst: false, argv: [ADDRESS] });
    expect(second.app.quits).toBe(1);
    second.becomeReady();
    await second.app.whenReady();
    expect(second.windows).toEqual([]);
  });

  it.each(MALFORMED)('that is invalid (%s) leaves the page unchanged', async (address) => {
    const started = await startMain({ argv: [address] });
    started.openUrl(address);
    await started.ready();
    const window = started.only();
    expect(window.address).toBe(HOME);
    await window.loadURL(`${HOME}#/history`);
    started.openUrl(address);
    started.startAgain(address);
    expect(started.only().address).toBe(`${HOME}#/history`);
    // Starting the app again focuses its window.
    expect(window.focused).toBeGreaterThan(0);
  });

  it('does not interrupt a session', async () => {
    const electron = await startMain();
    await electron.ready();
    const window = electron.only();
    await window.loadURL(`${HOME}#/session/1/call`);
    electron.openUrl(ADDRESS);
    electron.startAgain(ADDRESS);
    expect(window.address).toBe(`${HOME}#/session/1/call`);
  });

  it('opens a window when none is left', async () => {
    const electron = await startMain();
    await electron.ready();
    electron.windows.length = 0;
    electron.openUrl(ADDRESS);
    expect(electron.only().address).toBe(SIGN_IN);
    electron.windows.length = 0;
    electron.app.emit('activate');
    expect(electron.only().address).toBe(HOME);
  });
});

describe('a course pack that is opened', () => {
  const PACK = '/media/ada/Office English.parleypack';
  const SHOWN = `${HOME}#/course-pack?file=${encodeURIComponent('"Office English.parleypack"')}`;

  it('is shown by the first window, from the command line', async () => {
    const electron = await startMain({ argv: [PACK] });
    await electron.ready();
    expect(electron.only().address).toBe(SHOWN);
  });

  it('is shown by the first window when macOS passes it before the app is ready', async () => {
    const electron = await startMain();
    expect(electron.openFile(PACK)).toBe(true);
    await electron.ready();
    expect(electron.only().address).toBe(SHOWN);
  });

  it('is shown by the open window, from a second start', async () => {
    const electron = await startMain();
    await electron.ready();
    electron.startAgain(PACK);
    expect(electron.only()).toMatchObject({ address: SHOWN, focused: 1 });
  });

  it('does not interrupt a session, and another file changes nothing', async () => {
    const electron = await startMain();
    await electron.ready();
    const window = electron.only();
    electron.openFile('/media/ada/notes.txt');
    expect(window.address).toBe(HOME);
    await window.loadURL(`${HOME}#/session/1`);
    electron.openFile(PACK);
    expect(window.address).toBe(`${HOME}#/session/1`);
  });
});

describe('the menu', () => {
  it.each([
    ['&Preferences…', '#/settings'],
    ['Help and shortcuts', '#/help'],
    ['Save a report…', '#/help'],
    ['Repair the database…', '#/help'],
  ])('opens the screen of "%s", but not during a session', async (label, route) => {
    const electron = await startMain();
    await electron.ready();
    const window = electron.only();
    electron.choose(label);
    expect(window.address).toBe(`${HOME}${route}`);
    await window.loadURL(`${HOME}#/session/1`);
    electron.choose(label);
    expect(window.address).toBe(`${HOME}#/session/1`);
  });
});

it('the screen stays on during a session, and only then', async () => {
  const electron = await startMain();
  await electron.ready();
  const window = electron.only();
  const goTo = async (route: string): Promise<void> => {
    await window.loadURL(`${HOME}${route}`);
    window.webContents.emit('did-navigate-in-page');
  };
  await goTo('#/practise');
  expect(electron.awake.size).toBe(0);
  await goTo('#/session/1/call');
  expect(electron.awake.size).toBe(1);
  await goTo('#/session/1/result');
  await goTo('#/history');
  expect(electron.awake.size).toBe(0);
  await goTo('#/session/1');
  expect(electron.awake.size).toBe(1);
  electron.windows.length = 0;
  window.emit('closed');
  expect(electron.awake.size).toBe(0);
});

it('tells its window that the computer is about to sleep', async () => {
  const electron = await startMain();
  await electron.ready();
  expect(electron.only().sent).toEqual([]);
  electron.powerMonitor.emit('suspend');
  expect(electron.only().sent).toEqual(['parley:sleep']);
});

describe('in the learner’s language', () => {
  it('the menu speaks it from the next start on', async () => {
    const german = { ...ENGLISH_TEXTS, helpAndShortcuts: 'Hilfe und Tastenkürzel' };
    mkdirSync(join(dataDir, 'window'));
    writeFileSync(join(dataDir, 'window', 'native-texts.json'), JSON.stringify(german));
    const electron = await startMain();
    await electron.ready();
    electron.choose('Hilfe und Tastenkürzel');
    expect(electron.only().address).toBe(`${HOME}#/help`);
  });
});

describe('a process that ends by itself', () => {
  const crashes = (): unknown[] =>
    existsSync(join(dataDir, 'crashes'))
      ? readdirSync(join(dataDir, 'crashes')).map((name) =>
          JSON.parse(readFileSync(join(dataDir, 'crashes', name), 'utf8')),
        )
      : [];

  it('is noted as a crash of the window or the host', async () => {
    const electron = await startMain();
    await electron.ready();
    electron.app.emit('render-process-gone', {}, {}, { reason: 'oom' });
    expect(crashes()).toMatchObject([{ source: 'window', kind: 'Window-oom', frames: [] }]);
    electron.app.emit('child-process-gone', {}, { type: 'Utility', name: 'Parley host', reason: 'crashed' });
    electron.app.emit('child-process-gone', {}, { type: 'GPU', reason: 'crashed' });
    expect(crashes()).toHaveLength(3);
    expect(crashes()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ source: 'host', kind: 'Host-crashed' }),
        expect.objectContaining({ source: 'main', kind: 'GPU-crashed' }),
      ]),
    );
  });

  it('is not noted when it was ended, or noted its own error', async () => {
    const electron = await startMain();
    await electron.ready();
    for (const reason of ['clean-exit', 'killed', 'abnormal-exit'])
      electron.app.emit('child-process-gone', {}, { type: 'Utility', name: 'Parley host', reason });
    expect(crashes()).toEqual([]);
  });
});

it('a link to a screen opens it', async () => {
  const electron = await startMain({ argv: ['parley://open/review'] });
  await electron.ready();
  expect(electron.only().address).toBe(`${HOME}#/review`);
});

it('a school’s link opens the screen that shows where it leads', async () => {
  const electron = await startMain({ argv: ['parley://connect?server=https%3A%2F%2Fparley.school.example'] });
  await electron.ready();
  expect(electron.only().address).toBe(`${HOME}#/connect?server=https%3A%2F%2Fparley.school.example`);
});
