/**
 * Parley outside its window: the tray, the reminder, the badge and the start at login. The host decides what is shown; this applies it to
 * the system.
 */
import type { TrayState } from '@parley/contract';
import type { MenuItemConstructorOptions } from 'electron';

/** The parts of Electron that are used. */
export interface TraySystem {
  createTray: () => SystemTray;
  buildMenu: (template: MenuItemConstructorOptions[]) => unknown;
  notify: (notification: { title: string; body: string }, onClick: () => void) => void;
  launchesAtLogin: () => boolean;
  setLaunchAtLogin: (isOn: boolean) => void;
  setBadge: (count: number) => void;
}

export interface SystemTray {
  setToolTip: (text: string) => void;
  setMenu: (menu: unknown) => void;
  onClick: (listener: () => void) => void;
  destroy: () => void;
}

export interface AppTrayOptions {
  platform: NodeJS.Platform;
  system: TraySystem;
  /** Opens a screen by its route; null shows the window as it is. */
  open: (route: string | null) => void;
  quit: () => void;
}

export interface AppTray {
  /** Null, as before the first window, changes nothing. */
  apply: (state: TrayState | null) => void;
  /** While the tray is shown, Parley runs without a window. */
  isShown: () => boolean;
}

export function createAppTray({ platform, system, open, quit }: AppTrayOptions): AppTray {
  let tray: SystemTray | null = null;
  let shownMenu = '';
  let badge = 0;

  function showTray({ texts, wordsDue }: TrayState): void {
    if (tray === null) {
      tray = system.createTray();
      // On macOS, every click opens the menu, and the window would cover it.
      if (platform !== 'darwin') tray.onClick(() => open(null));
    }
    const review = wordsDue === 0 ? texts.review : `${texts.review} (${wordsDue})`;
    // Replacing a menu while it is open closes it, so it is replaced only when it changes.
    const content = JSON.stringify([texts, review]);
    if (content === shownMenu) return;
    shownMenu = content;
    tray.setToolTip('Parley');
    tray.setMenu(
      system.buildMenu([
        { label: texts.practise, click: () => open('/practise') },
        { label: review, click: () => open('/review') },
        { type: 'separator' },
        { label: texts.open, click: () => open(null) },
        { label: texts.quit, click: quit },
      ]),
    );
  }

  function hideTray(): void {
    tray?.destroy();
    tray = null;
    shownMenu = '';
  }

  return {
    apply(state) {
      if (state === null) return;
      if (state.showTray) showTray(state);
      else hideTray();
      if (system.launchesAtLogin() !== state.launchAtLogin) system.setLaunchAtLogin(state.launchAtLogin);
      if (badge !== state.wordsDue) system.setBadge(state.wordsDue);
      badge = state.wordsDue;
      if (state.reminder !== null)
        system.notify(state.reminder, () => open(state.wordsDue > 0 ? '/review' : '/practise'));
    },
    isShown: () => tray !== null,
  };
}
