/** The browser of the tests: headless Chromium if Debian's package is installed, otherwise the app's browser. */
import { existsSync } from 'node:fs';
import { findBrowser } from '../../src/shell/browser/index.ts';

/**
 * It starts in half the time and needs less processor time, but cannot play on a loudspeaker other than the default.
 */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

export function findTestBrowser({ hasLoudspeakers = false } = {}): string {
  const isQuickerWanted = process.env['PARLEY_BROWSER'] === undefined && !hasLoudspeakers;
  if (isQuickerWanted && existsSync(HEADLESS_SHELL)) return HEADLESS_SHELL;
  const found = findBrowser({ platform: process.platform, environment: process.env });
  if (found === null)
    throw new Error('No Chromium was found. Install one (Debian: apt-get install chromium), or set PARLEY_BROWSER.');
  return found;
}
