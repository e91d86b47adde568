/** Opens the one window: sandboxed, on our own page, where it stood last time. */
import { BrowserWindow, screen, shell } from 'electron';
import { APP_URL } from './app-origin.ts';
import { guardNavigation } from './navigation-policy.ts';
import { MIN_SIZE, placeWindow, readWindowState, saveWindowState } from './window-state.ts';

export interface AppWindowOptions {
  preloadFile: string;
  stateFile: string;
  /** Where in our page it opens; the beginning when left out. */
  page?: string | null;
}

export function openAppWindow({ preloadFile, stateFile, page = null }: AppWindowOptions): BrowserWindow {
  const main = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== main.id);
  const { isMaximized, ...bounds } = placeWindow(
    readWindowState(stateFile),
    [main, ...others].map(({ workArea }) => workArea),
  );
  const window = new BrowserWindow({
    ...bounds,
    minWidth: MIN_SIZE.width,
    minHeight: MIN_SIZE.height,
    title: 'Parley',
    show: false,
    autoHideMenuBar: true,
    webPreferences: {
      preload: preloadFile,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false,
    },
  });
  guardNavigation(window.webContents, (address) => void shell.openExternal(address));
  window.once('ready-to-show', () => {
    if (isMaximized) window.maximize();
    window.show();
  });
  window.on('close', () => {
    saveWindowState(stateFile, { bounds: window.getNormalBounds(), isMaximized: window.isMaximized() });
  });
  void window.loadURL(`${APP_URL}${page ?? ''}`);
  return window;
}
