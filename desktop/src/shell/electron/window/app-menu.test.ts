import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it } from 'vitest';
import { ENGLISH_TEXTS } from '../native-texts.ts';
import { appMenu } from './app-menu.ts';

function entriesOf(platform: NodeJS.Platform): MenuItemConstructorOptions[] {
  const menu = appMenu({ platform, isPackaged: true, texts: ENGLISH_TEXTS, open: () => undefined });
  return menu.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));
}

describe.each(['win32', 'darwin', 'linux'] as const)('the menu on %s', (platform) => {
  const keysOf = (role: MenuItemConstructorOptions['role']): unknown[] =>
    entriesOf(platform)
      .filter((entry) => entry.role === role)
      .map(({ accelerator }) => accelerator);

  it('enlarges without Shift, where + is a key of its own and where it is above =, and with the number pad', () => {
    // The first accelerator is that of the role itself, with Shift.
    expect(keysOf('zoomIn')).toEqual([undefined, 'CommandOrControl+=', 'CommandOrControl+numadd']);
    expect(keysOf('zoomOut')).toEqual([undefined, 'CommandOrControl+numsub']);
  });

  it('shows each entry once', () => {
    const shown = entriesOf(platform).filter(({ visible = true, type }) => visible && type !== 'separator');
    expect(new Set(shown.map(({ label }) => label)).size).toBe(shown.length);
  });
});
