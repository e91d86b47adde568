import { chmodSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aDataFolder, leaveFiles, openHost } from './test-kit/open-host.ts';
import { damageTable } from './test-kit/read-database.ts';

/** Lists every file and folder that other users may access, with its mode. */
function filesOpenToOthers(folder: string): string[] {
  return [folder, ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))]
    .map((path) => `${path.slice(folder.length)} ${(lstatSync(path).mode & 0o777).toString(8)}`)
    .filter((line) => !line.endsWith('00'));
}

const namesIn = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' });

let previousUmask: number;

describe.skipIf(process.platform === 'win32')('the files of a host', () => {
  beforeEach(() => {
    previousUmask = process.umask(0);
  });
  afterEach(() => process.umask(previousUmask));

  it('are readable by their owner only, even in a folder that was open to all', async () => {
    const dataDir = aDataFolder();
    chmodSync(dataDir, 0o777);
    await leaveFiles(dataDir);
    damageTable(dataDir, 'device_settings');
    await leaveFiles(dataDir);

    const names = namesIn(dataDir).join('\n');
    for (const kind of ['parley.sqlite', 'instance.lock', 'device-token.json', '.wav', '.zip', 'backups/', 'damaged/'])
      expect(names).toContain(kind);
    expect(filesOpenToOthers(dataDir)).toEqual([]);
  });

  it('from an earlier version become private at start', async () => {
    const dataDir = aDataFolder();
    for (const folder of ['recordings', 'backups', 'damaged/2026-01-01', 'exports', 'browser/Default']) {
      mkdirSync(join(dataDir, folder), { recursive: true });
      writeFileSync(join(dataDir, folder, 'old'), 'what was said');
    }
    for (const file of ['device-token.sealed', 'server-port']) writeFileSync(join(dataDir, file), 'x');
    writeFileSync(join(dataDir, 'not-ours.txt'), 'of another program');
    chmodSync(dataDir, 0o755);
    await leaveFiles(dataDir);
    expect(filesOpenToOthers(dataDir)).toEqual(['/not-ours.txt 666']);
  });

  it('are private even in a shared folder, whose own mode is kept', async () => {
    const dataDir = aDataFolder();
    chmodSync(dataDir, 0o1777);
    const warned: unknown[] = [];
    const logger = { info: () => undefined, warn: (...said: unknown[]) => warned.push(said), error: () => undefined };
    const { host } = await openHost({ dataDir, logger });
    await host.whenIdle();
    await host.close();
    expect(lstatSync(dataDir).mode & 0o7777).toBe(0o1777);
    expect(filesOpenToOthers(dataDir)).toEqual([' 777']);
    expect(warned).toEqual([[{ reason: 'shared_folder' }, 'data_folder_not_private']]);
  });
});
