import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { dataFolder } from './data-folder.ts';

const homeDir = '/people/lee';
it.each([
  ['linux', {}, '/people/lee/.local/share/parley'],
  ['linux', { XDG_DATA_HOME: '/data' }, '/data/parley'],
  ['darwin', {}, '/people/lee/Library/Application Support/Parley'],
  ['win32', { APPDATA: '/people/lee/Roaming' }, '/people/lee/Roaming/Parley'],
  ['win32', {}, '/people/lee/AppData/Roaming/Parley'],
  ['linux', { PARLEY_DATA_DIR: '/mnt/stick' }, '/mnt/stick'],
  ['linux', { PARLEY_DATA_DIR: '' }, '/people/lee/.local/share/parley'],
] as const)('on %s with %o a learner’s files lie in %s', (platform, environment, expected) => {
  expect(dataFolder({ platform, environment, homeDir }).replaceAll('\\', '/')).toBe(expected);
});

it('a folder that is named by a relative path lies where the program was started', () => {
  expect(dataFolder({ platform: 'linux', environment: { PARLEY_DATA_DIR: 'mine' } })).toBe(resolve('mine'));
});
