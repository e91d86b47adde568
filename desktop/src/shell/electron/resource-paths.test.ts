import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { resourcePaths } from './resource-paths.ts';

const rootDir = fileURLToPath(new URL('../../../..', import.meta.url));
const mainDir = join(rootDir, 'desktop/out/main');
const iconOf = (platform: NodeJS.Platform, isPackaged: boolean): string =>
  resourcePaths({ platform, isPackaged, resourcesDir: '/resources', mainDir }).trayIconFile;

/** The width and height from the header of a PNG file. */
function sizeOf(file: string): [number, number] {
  const content = readFileSync(file);
  return [content.readUInt32BE(16), content.readUInt32BE(20)];
}

describe('the icon of the tray', () => {
  it.each(['win32', 'linux', 'darwin'] as const)('is in the package of %s', (platform) => {
    const { extraResources, mac } = parse(readFileSync(join(rootDir, 'electron-builder.yml'), 'utf8'));
    const packed = [...extraResources, ...(platform === 'darwin' ? mac.extraResources : [])];
    const names = packed.map(({ to }: { to: string }) => to);
    const icon = basename(iconOf(platform, true));
    const sharpIcon = icon.replace('.png', '@2x.png');
    expect(names).toEqual(expect.arrayContaining(platform === 'darwin' ? [icon, sharpIcon] : [icon]));
    expect(existsSync(iconOf(platform, false))).toBe(true);
  });

  it('fits the menu bar of macOS and takes its colour', () => {
    const icon = iconOf('darwin', false);
    // The system recolours an image with this name, but does not scale it down.
    expect(icon).toMatch(/Template\.png$/);
    expect(sizeOf(icon)).toEqual([16, 16]);
    expect(sizeOf(icon.replace('.png', '@2x.png'))).toEqual([32, 32]);
  });
});
