import { expect, it } from 'vitest';
import { microphoneSettingsAddress } from './microphone-settings.ts';

it.each([
  ['macOS', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Parley/1.0 Electron/40.0', 'x-apple.systempreferences:'],
  ['Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Parley/1.0 Electron/40.0', 'ms-settings:'],
])('opens the settings of %s in the installed app', (_system, userAgent, scheme) => {
  expect(microphoneSettingsAddress(userAgent)).toContain(scheme);
});

it.each([
  ['a browser', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/140.0'],
  ['Linux', 'Mozilla/5.0 (X11; Linux x86_64) Parley/1.0 Electron/40.0'],
])('opens nothing in %s', (_where, userAgent) => {
  expect(microphoneSettingsAddress(userAgent)).toBeNull();
});
