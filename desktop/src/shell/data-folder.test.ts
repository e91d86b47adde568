import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { dataFolder } from './data-folder.ts';

const homeDir = '/people/lee';
it.each([
  ['linux', {}, '/people/lee/.local/share/parley'],
  ['linux', { XDG_DATA_HOME: '/data' }, '/data/parley'],
  ['linux', { XDG_DATA_HOME: '' }, '/people/lee/.local/share/parley'],
  ['darwin', {}, '/people/lee/Library/Application Support/Parley'],
  ['win32', { APPDATA: '/people/lee/Roaming' }, '/people/lee/Roaming/Parley'],
  ['win32', { APPDATA: '' }, '/people/lee/AppData/Roaming/Parley'],
  ['win32', {}, '/people/lee/AppData/Roaming/Parley'],
  ['linux', { PARLEY_DATA_DIR: '/mnt/stick' }, '/mnt/stick'],
  ['linux', { PARLEY_DATA_DIR: '' }, '/people/lee/.local/share/parley'],
] as const)('on %s with %o the data folder is %s', (platform, environment, expected) => {
  expect(dataFolder({ platform, environment, homeDir }).replaceAll('\\', '/')).toBe(expected);
});

it('a relative data folder is resolved from the working directory', () => {
  expect(dataFolder({ platform: 'linux', environment: { PARLEY_DATA_DIR: 'mine' } })).toBe(resolve('mine'));
});
