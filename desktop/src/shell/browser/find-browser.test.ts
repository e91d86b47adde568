import { describe, expect, it } from 'vitest';
import { findBrowser, hasDisplay } from './find-browser.ts';

const machine = (platform: NodeJS.Platform, environment: Record<string, string>, installed: string[]) => ({
  platform,
  environment,
  exists: (path: string) => installed.includes(path.replaceAll('\\', '/')),
});

describe('an installed browser', () => {
  it.each([
    ['linux', { PATH: '/opt/bin:/usr/bin' }, ['/usr/bin/google-chrome', '/usr/bin/chromium'], '/usr/bin/chromium'],
    ['linux', { PATH: '/usr/bin' }, ['/usr/bin/microsoft-edge'], '/usr/bin/microsoft-edge'],
    [
      'darwin',
      {},
      ['/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge'],
      '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
    ],
    [
      'win32',
      { PROGRAMFILES: 'C:/Program Files', 'PROGRAMFILES(X86)': 'C:/Program Files (x86)' },
      ['C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe'],
      'C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe',
    ],
  ] as const)('on %s is found', (platform, environment, installed, expected) => {
    expect(findBrowser(machine(platform, environment, [...installed]))?.replaceAll('\\', '/')).toBe(expected);
  });

  it('is the one named by PARLEY_BROWSER, if it exists', () => {
    const environment = { PATH: '/usr/bin', PARLEY_BROWSER: '/opt/mine' };
    expect(findBrowser(machine('linux', environment, ['/opt/mine', '/usr/bin/chromium']))).toBe('/opt/mine');
    expect(findBrowser(machine('linux', environment, ['/usr/bin/chromium']))).toBe('/usr/bin/chromium');
  });

  it('is a Snap only when there is no other, because Snaps cannot use the data folder', () => {
    const isSnap = (path: string): boolean => path === '/usr/bin/chromium-browser';
    const installed = ['/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
    const find = (count: number): string | null =>
      findBrowser({ ...machine('linux', { PATH: '/usr/bin' }, installed.slice(0, count)), isSnap });
    expect(find(2)).toBe('/usr/bin/google-chrome');
    expect(find(1)).toBe('/usr/bin/chromium-browser');
  });

  it('may be missing', () => {
    expect(findBrowser(machine('linux', {}, []))).toBeNull();
    expect(findBrowser(machine('win32', {}, []))).toBeNull();
  });
});

it('a window needs a display only on Linux', () => {
  expect(hasDisplay({ platform: 'linux', environment: {} })).toBe(false);
  expect(hasDisplay({ platform: 'linux', environment: { DISPLAY: ':0' } })).toBe(true);
  expect(hasDisplay({ platform: 'linux', environment: { WAYLAND_DISPLAY: 'wayland-0' } })).toBe(true);
  expect(hasDisplay({ platform: 'win32', environment: {} })).toBe(true);
});
