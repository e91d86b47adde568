import type { TrayState } from '@parley/contract';
import type { MenuItemConstructorOptions } from 'electron';
import { expect, it } from 'vitest';
import { createAppTray } from './app-tray.ts';
import { ENGLISH_TEXTS } from '../native-texts.ts';

const texts = {
  native: ENGLISH_TEXTS,
  open: 'Open',
  practise: 'Practise now',
  review: 'Review',
  quit: 'Quit',
  reminderTitle: 'Time',
  reminderToPractise: 'Practise.',
  reminderToReview: 'Review.',
  openLink: 'Open it?',
  yes: 'Yes',
  no: 'No',
};
const aState = (changes: Partial<TrayState> = {}): TrayState => ({
  showTray: false,
  launchAtLogin: false,
  wordsDue: 0,
  texts,
  reminder: null,
  ...changes,
});

function aTray(platform: NodeJS.Platform = 'win32') {
  const done: unknown[] = [];
  let menu: MenuItemConstructorOptions[] = [];
  let isLoginItem = false;
  let click = (): void => undefined;
  const choose = (label: string): void => {
    const entry = menu.find((each) => each.label === label);
    if (entry?.click === undefined) throw new Error(`the tray has no "${label}"`);
    (entry.click as () => void)();
  };
  const tray = createAppTray({
    system: {
      createTray: () => {
        done.push('tray');
        return {
          setToolTip: () => undefined,
          setMenu: (template) => {
            done.push('menu');
            menu = template as MenuItemConstructorOptions[];
          },
          onClick: (listener) => void (click = listener),
          destroy: () => done.push('no tray'),
        };
      },
      buildMenu: (template) => template,
      notify: (notification, onClick) => {
        done.push(notification);
        onClick();
      },
      launchesAtLogin: () => isLoginItem,
      setLaunchAtLogin: (isOn) => {
        isLoginItem = isOn;
        done.push(['at login', isOn]);
      },
      setBadge: (count) => done.push(['badge', count]),
    },
    platform,
    open: (route) => done.push(['open', route]),
    quit: () => done.push('quit'),
  });
  return { tray, choose, click: () => click(), done };
}

it('changes nothing in the system until the learner chooses something', () => {
  const { tray, done } = aTray();
  tray.apply(null);
  tray.apply(aState());
  tray.apply(aState());
  expect(done).toEqual([]);
  expect(tray.isShown()).toBe(false);
});

it('shows the tray with the number of due words, and removes it', () => {
  const { tray, choose, done } = aTray();
  tray.apply(aState({ showTray: true, wordsDue: 3 }));
  tray.apply(aState({ showTray: true, wordsDue: 3 }));
  expect(done.splice(0)).toEqual(['tray', 'menu', ['badge', 3]]);
  choose('Review (3)');
  choose('Practise now');
  choose('Quit');
  expect(done.splice(0)).toEqual([['open', '/review'], ['open', '/practise'], 'quit']);
  tray.apply(aState({ wordsDue: 0 }));
  expect(done).toEqual(['no tray', ['badge', 0]]);
  expect(tray.isShown()).toBe(false);
});

it.each([
  ['win32', [['open', null]]],
  ['linux', [['open', null]]],
  // On macOS, a click opens the menu, which a window would cover or close.
  ['darwin', []],
] as const)('opens the window with a click on %s: %j', (platform, opened) => {
  const { tray, click, done } = aTray(platform);
  tray.apply(aState({ showTray: true }));
  done.length = 0;
  click();
  expect(done).toEqual(opened);
});

it('starts at login as the learner has chosen, also before it was first asked', () => {
  const { tray, done } = aTray();
  tray.apply(aState({ launchAtLogin: true }));
  tray.apply(aState({ launchAtLogin: true }));
  tray.apply(aState({ launchAtLogin: false }));
  expect(done).toEqual([
    ['at login', true],
    ['at login', false],
  ]);
});

it('opens the subject of a reminder', () => {
  const { tray, done } = aTray();
  tray.apply(aState({ wordsDue: 2, reminder: { title: 'Time', body: 'Review.' } }));
  expect(done).toEqual([['badge', 2], { title: 'Time', body: 'Review.' }, ['open', '/review']]);
  tray.apply(aState({ wordsDue: 2, reminder: { title: 'Time', body: 'Practise.' } }));
  expect(done.at(-1)).toEqual(['open', '/review']);
});
