/** The texts of the system's own menus and dialogs, which Electron would otherwise show in English. */
import { z } from 'zod';

export const NATIVE_TEXT_KEYS = [
  'file',
  'edit',
  'view',
  'window',
  'help',
  'about',
  'preferences',
  'helpAndShortcuts',
  'saveReport',
  'repairDatabase',
  'quit',
  'close',
  'hide',
  'hideOthers',
  'showAll',
  'undo',
  'redo',
  'cut',
  'copy',
  'paste',
  'selectAll',
  'actualSize',
  'zoomIn',
  'zoomOut',
  'fullScreen',
  'minimise',
  'cannotStart',
  'alreadyRunning',
  'diskFull',
  'folderUnreadable',
  'newerVersion',
  'hostEnded',
  /** Contains the placeholder `{version}`. */
  'updateReady',
  'updateQuestion',
  'restartNow',
  'later',
] as const;
export type NativeTextKey = (typeof NATIVE_TEXT_KEYS)[number];

/** An ampersand precedes the letter that opens a menu with Alt. */
export const NativeTexts = z.record(z.enum(NATIVE_TEXT_KEYS), z.string().min(1).max(400));
export type NativeTexts = z.infer<typeof NativeTexts>;
