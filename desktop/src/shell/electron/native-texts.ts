/**
 * The texts of menus and dialogs in the learner's language. Only the window knows them, but menus exist before it, so
 * those of the last start are kept; before the first window, they are English.
 */
import { NativeTexts } from '@parley/contract';
import { readFileSync, writeFileSync } from 'node:fs';
import type { HostStartFailure } from '../../host/index.ts';

export const ENGLISH_TEXTS: NativeTexts = {
  file: '&File',
  edit: '&Edit',
  view: '&View',
  window: '&Window',
  help: '&Help',
  about: 'About Parley',
  preferences: '&Preferences…',
  helpAndShortcuts: 'Help and shortcuts',
  saveReport: 'Save a report…',
  repairDatabase: 'Repair the database…',
  quit: 'Quit Parley',
  close: 'Close the window',
  hide: 'Hide Parley',
  hideOthers: 'Hide others',
  showAll: 'Show all',
  undo: 'Undo',
  redo: 'Redo',
  cut: 'Cut',
  copy: 'Copy',
  paste: 'Paste',
  selectAll: 'Select all',
  actualSize: 'Actual size',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  fullScreen: 'Full screen',
  minimise: 'Minimise',
  cannotStart: 'Parley can’t start',
  alreadyRunning: 'Parley is already running with this data folder. Close it first.',
  diskFull: 'The disk is full. Free some space and start Parley again; nothing that was saved is lost.',
  folderUnreadable: 'The data folder can’t be read or written. Check who owns it.',
  newerVersion:
    'A newer version of Parley saved your work here. Install the newest version to open it; nothing is lost.',
  hostEnded: 'One of Parley’s processes stopped before your work could be opened. Start Parley again.',
  updateReady: 'Parley {version} is ready',
  updateQuestion: 'Restart now, or get it the next time you quit Parley.',
  restartNow: 'Restart now',
  later: 'Later',
};

export interface KnownTexts {
  current(): NativeTexts;
  /** Stores the texts, and calls back if they have changed. */
  learn(texts: NativeTexts): void;
}

export function openKnownTexts(file: string, onChanged: () => void): KnownTexts {
  let known = readTexts(file) ?? ENGLISH_TEXTS;
  return {
    current: () => known,
    learn(texts) {
      if (JSON.stringify(texts) === JSON.stringify(known)) return;
      known = texts;
      // Without the file, the next start begins in English.
      try {
        writeFileSync(file, JSON.stringify(texts), { mode: 0o600 });
      } catch {}
      onChanged();
    },
  };
}

/** Null when there is no file yet, or when it is from a version with other texts. */
function readTexts(file: string): NativeTexts | null {
  try {
    return NativeTexts.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data ?? null;
  } catch {
    return null;
  }
}

/** `host.ended`: the host process ended before it had opened. */
export type StartFailure = HostStartFailure | 'host.ended';

export const startFailureText = (texts: NativeTexts, failure: StartFailure): string =>
  ({
    'host.ended': texts.hostEnded,
    'host.already_running': texts.alreadyRunning,
    'storage.full': texts.diskFull,
    'storage.unreadable': texts.folderUnreadable,
    'storage.newer': texts.newerVersion,
  })[failure];
