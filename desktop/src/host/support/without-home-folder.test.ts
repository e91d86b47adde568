/** The home folder in a report. Its name is often that of the learner. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openAppHost } from '../profiles/index.ts';
import { createRouterClient } from '@orpc/server';
import { aDataFolder, aScriptedScorer } from '../test-kit/open-host.ts';
import { aCatalogue } from '../test-kit/test-catalogue.ts';
import { withoutHomeFolder } from './without-home-folder.ts';

afterEach(() => vi.unstubAllEnvs());

describe.each([
  ['Windows', 'win32', 'C:\\Users\\Jürgen Müller', 'file:///C:/Users/J%C3%BCrgen%20M%C3%BCller'],
  ['macOS', 'darwin', '/Users/jürgen müller', 'file:///Users/j%C3%BCrgen%20m%C3%BCller'],
  ['Linux', 'linux', '/people/jürgen', 'file:///people/j%C3%BCrgen'],
] as const)('on %s', (_name, platform, homeDir, address) => {
  const without = (text: string): string => withoutHomeFolder(text, { homeDir, platform });

  it('is left out of a path', () => {
    expect(without(`opened ${homeDir}, and ${homeDir}`)).toBe('opened ~, and ~');
  });

  it('is left out of a path in JSON, as log files have it', () => {
    expect(without(JSON.stringify({ path: homeDir }))).toBe('{"path":"~"}');
  });

  it('is left out of an address, as stacks have it', () => {
    expect(without(`at open (${address}/app/main.js:1:2)`)).toBe('at open (~/app/main.js:1:2)');
  });
});

it('is left out of a path on Windows however it is written', () => {
  const windows = { homeDir: 'C:\\Users\\Ada', platform: 'win32' } as const;
  expect(withoutHomeFolder('c:\\users\\ada\\x and C:/Users/Ada/x', windows)).toBe('~\\x and ~/x');
});

it('is left out of a report of an installation on Windows', async () => {
  vi.stubEnv('HOME', 'C:\\Users\\Ada Lovelace');
  const dataDir = aDataFolder();
  mkdirSync(join(dataDir, 'logs'));
  const stack = [
    'at open (file:///C:/Users/Ada%20Lovelace/AppData/Local/Programs/Parley/resources/app.asar/main.js:1:2)',
  ];
  const line = {
    msg: 'host_start_failed',
    err: { stack },
    folder: 'C:\\Users\\Ada Lovelace\\AppData\\Roaming\\Parley',
  };
  writeFileSync(join(dataDir, 'logs', 'host.1.log'), `${JSON.stringify(line)}\n`);
  const app = await openAppHost({
    dataDir,
    serverUrl: null,
    platform: 'win32',
    logDir: join(dataDir, 'logs'),
    scorer: aScriptedScorer(),
    loadCatalogue: aCatalogue,
  });
  const { text } = await createRouterClient((await app.host()).router).support.report();
  await app.close();
  expect(text).toContain('host_start_failed');
  expect(text).not.toMatch(/Ada|Lovelace/);
});
