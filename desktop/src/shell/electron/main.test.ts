import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { ENGLISH_TEXTS } from './native-texts.ts';
import { forgetMain, HOME, startMain } from './test-kit/fake-electron.ts';

const LINK = 'A'.repeat(43);
const ADDRESS = `parley://sign-in?link=${LINK}`;
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

let dataDir = '';

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'parley-main-'));
  vi.stubEnv('PARLEY_DATA_DIR', dataDir);
});
afterEach(() => {
  forgetMain();
  vi.unstubAllEnvs();
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
  expect(electron.awake.size).toBe(0);
  await goTo('#/history');
  expect(electron.awake.size).toBe(0);
  await goTo('#/session/1');
  expect(electron.awake.size).toBe(1);
  electron.windows.length = 0;
  window.emit('closed');
  expect(electron.awake.size).toBe(0);
});

it('notifies its window that the computer is about to sleep', async () => {
  const electron = await startMain();
  await electron.ready();
  expect(electron.only().sent).toEqual([]);
  electron.powerMonitor.emit('suspend');
  expect(electron.only().sent).toEqual(['parley:sleep']);
  electron.powerMonitor.emit('resume');
  expect(electron.only().sent).toEqual(['parley:sleep', 'parley:sleep']);
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

describe('on Windows', () => {
  it('the installed app has the id of its shortcuts, without which no reminder is shown', async () => {
    const { appId } = parse(readFileSync(new URL('../../../../electron-builder.yml', import.meta.url), 'utf8'));
    const installed = await startMain({ platform: 'win32', isPackaged: true });
    expect(installed.app.userModelIds).toEqual([appId]);
    forgetMain();
    // Setting the id of shortcuts that do not exist would hide the reminders of a build that is not installed.
    const built = await startMain({ platform: 'win32' });
    expect(built.app.userModelIds).toEqual([]);
  });
});

describe('on macOS', () => {
  it('a window that another app covers, or that was hidden, comes to the front', async () => {
    const electron = await startMain({ platform: 'darwin' });
    await electron.ready();
    electron.openUrl(ADDRESS);
    // On macOS, `focus` leaves such a window where it is.
    expect(electron.only().shown).toBe(1);
  });
});
