/** The application menu: the usual entries of each system, without anything that leaves our page. */
import type { MenuItemConstructorOptions } from 'electron';

export interface AppMenuOptions {
  platform: NodeJS.Platform;
  isPackaged: boolean;
  /** Opens a screen by its route. */
  open: (route: string) => void;
}

export function appMenu({ platform, isPackaged, open }: AppMenuOptions): MenuItemConstructorOptions[] {
  const isMac = platform === 'darwin';
  const preferences: MenuItemConstructorOptions = {
    label: isMac ? 'Settings…' : '&Preferences…',
    accelerator: 'CommandOrControl+,',
    click: () => open('/settings'),
  };
  const macMenu: MenuItemConstructorOptions = {
    role: 'appMenu',
    submenu: [
      { role: 'about' },
      { type: 'separator' },
      preferences,
      { type: 'separator' },
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      { type: 'separator' },
      { role: 'quit' },
    ],
  };
  const about: MenuItemConstructorOptions[] = [{ type: 'separator' }, { role: 'about' }];
  return [
    ...(isMac ? [macMenu] : []),
    {
      label: '&File',
      submenu: isMac ? [{ role: 'close' }] : [preferences, { type: 'separator' }, { role: 'quit' }],
    },
    { role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
        // A reload during a turn would lose it, so only developers get one.
        ...(isPackaged ? [] : ([{ type: 'separator' }, { role: 'reload' }, { role: 'toggleDevTools' }] as const)),
      ],
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        { label: 'Help and shortcuts', accelerator: 'F1', click: () => open('/help') },
        { label: 'Save a report…', click: () => open('/help') },
        { label: 'Repair the database…', click: () => open('/help') },
        ...(isMac ? [] : about),
      ],
    },
  ];
}
