/** Finds an installed Chromium, Chrome or Edge that can open an app window. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { browserFolder, isSnap as isSnapProgram } from './snap.ts';

const LINUX_NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'brave-browser',
];
const MAC_APPS = ['Google Chrome', 'Chromium', 'Microsoft Edge', 'Brave Browser'];
const WINDOWS_PATHS = [
  ['Google', 'Chrome', 'Application', 'chrome.exe'],
  ['Microsoft', 'Edge', 'Application', 'msedge.exe'],
  ['Chromium', 'Application', 'chrome.exe'],
];

export interface Machine {
  platform: NodeJS.Platform;
  environment: Record<string, string | undefined>;
  exists?: (path: string) => boolean;
  isSnap?: (path: string) => boolean;
}

/** Returns the path of the browser's program, or null if none is installed. `PARLEY_BROWSER` overrides the search. */
export function findBrowser({
  platform,
  environment,
  exists = existsSync,
  isSnap = isSnapProgram,
}: Machine): string | null {
  const named = environment['PARLEY_BROWSER'];
  if (named !== undefined && exists(named)) return named;
  const installed = candidates(platform, environment).filter((path) => exists(path));
  // A Snap cannot use the data folder.
  return (platform === 'linux' ? installed.find((path) => !isSnap(path)) : undefined) ?? installed[0] ?? null;
}

function candidates(platform: NodeJS.Platform, environment: Machine['environment']): string[] {
  if (platform === 'darwin') return MAC_APPS.map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);
  if (platform === 'win32') {
    const roots = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => environment[name] ?? []);
    return WINDOWS_PATHS.flatMap((parts) => roots.map((root) => join(root, ...parts)));
  }
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return LINUX_NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
}

/** On Linux, a window needs a display server. */
export const hasDisplay = ({ platform, environment }: Machine): boolean =>
  platform !== 'linux' || Boolean(environment['DISPLAY']) || Boolean(environment['WAYLAND_DISPLAY']);

export const thisMachine = (): Machine => ({ platform: process.platform, environment: process.env });

/** The browser that opens a window on this computer; null when there is none, or no display. */
export const findWindowBrowser = (): string | null => (hasDisplay(thisMachine()) ? findBrowser(thisMachine()) : null);

/** The folder for the files of a window. It is the same for each start, even if that opens no window itself. */
export const windowFolder = (dataDir: string): string =>
  browserFolder({ browser: findBrowser(thisMachine()), dataDir });
