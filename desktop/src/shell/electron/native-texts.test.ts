import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { ENGLISH_TEXTS, openKnownTexts, startFailureText } from './native-texts.ts';
import { appMenu } from './window/app-menu.ts';

let folder = '';
let changes = 0;
const open = (file = join(folder, 'texts.json')) => openKnownTexts(file, () => (changes += 1));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-texts-'));
  changes = 0;
});

const GERMAN = { ...ENGLISH_TEXTS, file: '&Datei', cannotStart: 'Parley kann nicht starten' };

it('speaks English first, then the language of the window, also after a restart', () => {
  const first = open();
  expect(first.current()).toEqual(ENGLISH_TEXTS);
  first.learn(ENGLISH_TEXTS);
  expect(changes).toBe(0);
  first.learn(GERMAN);
  expect(changes).toBe(1);
  first.learn(GERMAN);
  expect(changes).toBe(1);
  expect(open().current()).toEqual(GERMAN);
});

it('speaks English when its file is damaged or of another version', () => {
  for (const text of ['{', '{}', JSON.stringify({ ...GERMAN, file: '' })]) {
    writeFileSync(join(folder, 'texts.json'), text);
    expect(open().current()).toEqual(ENGLISH_TEXTS);
  }
});

it('speaks the new language even if it cannot be kept', () => {
  mkdirSync(join(folder, 'texts.json'));
  const known = open();
  known.learn(GERMAN);
  expect(known.current()).toEqual(GERMAN);
});

it('has a sentence for each reason why the host cannot start', () => {
  expect(startFailureText(GERMAN, 'storage.full')).toBe(GERMAN.diskFull);
  expect(startFailureText(GERMAN, 'host.already_running')).toBe(GERMAN.alreadyRunning);
  expect(startFailureText(GERMAN, 'storage.unreadable')).toBe(GERMAN.folderUnreadable);
  expect(startFailureText(GERMAN, 'storage.newer')).toBe(GERMAN.newerVersion);
});

it.each(['darwin', 'win32', 'linux'] as const)(
  'translates every entry of the menu instead of using Electron’s English (%s)',
  (platform) => {
    const marked = Object.fromEntries(Object.entries(ENGLISH_TEXTS).map(([key, text]) => [key, `«${text}»`]));
    const menu = appMenu({ platform, isPackaged: true, texts: marked as typeof ENGLISH_TEXTS, open: () => undefined });
    const labels: string[] = [];
    const visit = (entries: typeof menu): void => {
      for (const { type, role, label, submenu } of entries) {
        // On macOS, the app's own name is the title of its menu.
        if (type !== 'separator' && role !== 'appMenu') labels.push(label ?? role ?? '');
        if (Array.isArray(submenu)) visit(submenu);
      }
    };
    visit(menu);
    expect(labels.length).toBeGreaterThan(15);
    expect(labels.filter((label) => !label.startsWith('«'))).toEqual([]);
  },
);
