/** The application menu: the usual entries of each system, without anything that leaves our page. */
import type { NativeTexts } from '@parley/contract';
import type { MenuItemConstructorOptions } from 'electron';

export interface AppMenuOptions {
  platform: NodeJS.Platform;
  isPackaged: boolean;
  /** In the learner's language; Electron's own labels are English everywhere. */
  texts: NativeTexts;
  /** Opens a screen by its route. */
  open: (route: string) => void;
}

const SEPARATOR = { type: 'separator' } as const;

export function appMenu({ platform, isPackaged, texts, open }: AppMenuOptions): MenuItemConstructorOptions[] {
  const isMac = platform === 'darwin';
  const about: MenuItemConstructorOptions = { role: 'about', label: texts.about };
  const quit: MenuItemConstructorOptions = { role: 'quit', label: texts.quit };
  const preferences: MenuItemConstructorOptions = {
    label: texts.preferences,
    accelerator: 'CommandOrControl+,',
    click: () => open('/settings'),
  };
  const macMenu: MenuItemConstructorOptions = {
    role: 'appMenu',
    submenu: [
      about,
      SEPARATOR,
      preferences,
      SEPARATOR,
      { role: 'hide', label: texts.hide },
      { role: 'hideOthers', label: texts.hideOthers },
      { role: 'unhide', label: texts.showAll },
      SEPARATOR,
      quit,
    ],
  };
  return [
    ...(isMac ? [macMenu] : []),
    {
      label: texts.file,
      submenu: isMac ? [{ role: 'close', label: texts.close }] : [preferences, SEPARATOR, quit],
    },
    {
      role: 'editMenu',
      label: texts.edit,
      submenu: [
        { role: 'undo', label: texts.undo },
        { role: 'redo', label: texts.redo },
        SEPARATOR,
        { role: 'cut', label: texts.cut },
        { role: 'copy', label: texts.copy },
        { role: 'paste', label: texts.paste },
        { role: 'selectAll', label: texts.selectAll },
      ],
    },
    {
      label: texts.view,
      submenu: [
        { role: 'resetZoom', label: texts.actualSize },
        { role: 'zoomIn', label: texts.zoomIn },
        { role: 'zoomOut', label: texts.zoomOut },
        ...otherZoomKeys(texts),
        SEPARATOR,
        { role: 'togglefullscreen', label: texts.fullScreen },
        // A reload during a turn would lose it, so only developers get one.
        ...(isPackaged ? [] : ([SEPARATOR, { role: 'reload' }, { role: 'toggleDevTools' }] as const)),
      ],
    },
    {
      role: 'windowMenu',
      label: texts.window,
      submenu: [
        { role: 'minimize', label: texts.minimise },
        ...(isMac ? [] : ([{ role: 'close', label: texts.close }] as const)),
      ],
    },
    {
      role: 'help',
      label: texts.help,
      submenu: [
        { label: texts.helpAndShortcuts, accelerator: 'F1', click: () => open('/help') },
        { label: texts.saveReport, click: () => open('/help') },
        { label: texts.repairDatabase, click: () => open('/help') },
        ...(isMac ? [] : [SEPARATOR, about]),
      ],
    },
  ];
}

/**
 * Electron zooms in only with Shift and the = key, which no browser requires. An entry has one accelerator, so the
 * others are hidden entries.
 */
const otherZoomKeys = (texts: NativeTexts): MenuItemConstructorOptions[] => [
  { role: 'zoomIn', label: texts.zoomIn, accelerator: 'CommandOrControl+=', visible: false },
  { role: 'zoomIn', label: texts.zoomIn, accelerator: 'CommandOrControl+numadd', visible: false },
  { role: 'zoomOut', label: texts.zoomOut, accelerator: 'CommandOrControl+numsub', visible: false },
];
