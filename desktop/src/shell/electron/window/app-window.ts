/** Opens the sandboxed window with our own page, at its last position. */
import { BrowserWindow, screen, shell } from 'electron';
import { APP_URL } from '../protocol/app-origin.ts';
import { guardNavigation } from './navigation-policy.ts';
import { MIN_SIZE, restoreBounds, readWindowState, saveWindowState } from './window-state.ts';

export interface AppWindowOptions {
  preloadFile: string;
  stateFile: string;
  /** Route within our page; defaults to the start. */
  page?: string | null;
}

export function openAppWindow({ preloadFile, stateFile, page = null }: AppWindowOptions): BrowserWindow {
  const main = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== main.id);
  const { isMaximized, ...bounds } = restoreBounds(
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
