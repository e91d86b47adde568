import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { browserFolder, isSnap } from './snap.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-snap-'));
});

/** Creates a file with this text and returns its path. */
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

describe.skipIf(process.platform === 'win32')('a browser', () => {
  it('is a Snap when it is a link to the program of all Snaps, as in /snap/bin', () => {
    mkdirSync(join(folder, 'bin'));
    const link = join(folder, 'bin', 'chromium');
    symlinkSync(file('snap', 'the program of all Snaps'), link);
    expect(isSnap(link)).toBe(true);
    expect(isSnap('/snap/bin/chromium')).toBe(true);
  });

  it('is a Snap when it is Ubuntu’s script for starting one', () => {
    expect(isSnap(file('chromium-browser', '#!/bin/sh\nexec /snap/bin/chromium "$@"\n'))).toBe(true);
  });

  it('is not a Snap otherwise', () => {
    expect(isSnap(file('google-chrome', '#!/bin/bash\nexec "$HERE/chrome" "$@"\n'))).toBe(false);
    expect(isSnap(file('chromium', 'x'.repeat(100_000)))).toBe(false);
    expect(isSnap(join(folder, 'missing'))).toBe(false);
  });
});

describe.skipIf(process.platform === 'win32')('the files of a window', () => {
  it('are in the data folder', () => {
    expect(browserFolder({ browser: '/usr/bin/google-chrome', dataDir: '/people/ada/.local/share/parley' })).toBe(
      '/people/ada/.local/share/parley',
    );
    expect(browserFolder({ browser: null, dataDir: '/data' })).toBe('/data');
  });

  it('are where a Snap may read them, apart for each data folder', () => {
    const of = (dataDir: string): string =>
      browserFolder({ browser: '/snap/bin/chromium', dataDir, homeDir: '/people/ada' });
    expect(of('/people/ada/.local/share/parley')).toMatch(
      /^\/people\/ada\/snap\/chromium\/common\/parley\/[0-9a-f]{16}$/,
    );
    expect(of('/people/ada/other')).not.toBe(of('/people/ada/.local/share/parley'));
  });
});
