/** Files in the data folder that another program on Windows holds open. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { createFileVault } from '../../server/index.ts';
import { writeServerChoice, readStoredChoice } from '../../server-choice/index.ts';
import { aClock, openHost } from '../../test-kit/open-host.ts';
import { holdFiles, releaseFiles } from '../../test-kit/held-files.ts';

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

afterEach(releaseFiles);

const aFolder = (): string => mkdtempSync(join(tmpdir(), 'parley-held-'));

const backupsOf = (dataDir: string): string[] => readdirSync(join(dataDir, 'backups')).toSorted();

/** A learner's folder with a backup made at ten o'clock. */
async function aUsedFolder(): Promise<string> {
  const dataDir = aFolder();
  const { host, ask } = await openHost({ dataDir, clock: aClock() });
  await ask.settings.updateProfile({ firstName: 'Ana' });
  await host.whenIdle();
  await host.close();
  return dataDir;
}

/** The migrations of the next version. */
function nextMigrations(): string {
  const migrationsDir = join(aFolder(), 'migrations');
  cpSync(MIGRATIONS, migrationsDir, { recursive: true });
  const journalFile = join(migrationsDir, 'meta', '_journal.json');
  const journal = JSON.parse(readFileSync(journalFile, 'utf8')) as { entries: object[] };
  const next = { ...journal.entries.at(-1), tag: '9999_next', when: Date.parse('2100-01-01') };
  writeFileSync(journalFile, JSON.stringify({ ...journal, entries: [...journal.entries, next] }));
  writeFileSync(join(migrationsDir, '9999_next.sql'), 'CREATE TABLE `next` (`id` integer PRIMARY KEY);');
  return migrationsDir;
}

it('an update waits until its backup can be renamed', async () => {
  const dataDir = await aUsedFolder();
  holdFiles({ times: 2 });
  const clock = aClock('2026-11-18T11:00:00.000Z');
  const { host, ask } = await openHost({ dataDir, clock, migrationsDir: nextMigrations() });
  expect((await ask.settings.read()).profile.firstName).toBe('Ana');
  expect(backupsOf(dataDir)).toHaveLength(2);
  await host.close();
});

it('an update does not fail because an old backup cannot be removed', async () => {
  const dataDir = await aUsedFolder();
  const [newest = ''] = backupsOf(dataDir);
  for (const day of ['11', '12', '13', '14', '15', '16', '17'])
    cpSync(join(dataDir, 'backups', newest), join(dataDir, 'backups', newest.replace('11-18', `11-${day}`)));
  const oldest = join(dataDir, 'backups', newest.replace('11-18', '11-11'));
  holdFiles({ times: Infinity, isHeld: (file) => file === oldest });
  const clock = aClock('2026-11-18T11:00:00.000Z');
  const { host, ask } = await openHost({ dataDir, clock, migrationsDir: nextMigrations() });
  expect((await ask.settings.read()).profile.firstName).toBe('Ana');
  await host.close();
});

it('a damaged database is replaced as soon as its files can be moved', async () => {
  const dataDir = await aUsedFolder();
  writeFileSync(join(dataDir, 'parley.sqlite'), 'noise');
  holdFiles({ times: 2 });
  const { host, ask } = await openHost({ dataDir, clock: aClock('2026-11-18T12:00:00.000Z') });
  expect((await ask.settings.read()).profile.firstName).toBe('Ana');
  await host.close();
});

it('a device token and a chosen server are stored', async () => {
  const dataDir = aFolder();
  const vault = createFileVault(dataDir);
  await vault.write('first');
  holdFiles({ times: 2 });
  await vault.write('second');
  expect(await vault.read()).toBe('second');
  writeServerChoice(dataDir, { url: null, serverId: null, isDefault: false });
  expect(readStoredChoice(dataDir)).toMatchObject({ url: null });
});

it('a backup that cannot be renamed leaves no copy behind each time that it is tried', async () => {
  const dataDir = await aUsedFolder();
  holdFiles({ times: Infinity, isHeld: (file, act) => act === 'rename' && file.includes('unfinished-') });
  const clock = aClock('2026-11-20T11:00:00.000Z');
  const { host } = await openHost({ dataDir, clock });
  await host.whenIdle();
  await host.close();
  releaseFiles();
  expect(backupsOf(dataDir)).toEqual(['parley-2026-11-18T10-00-00-000Z.sqlite']);
});

it('a copy that was unfinished when its process was killed is removed with the next start', async () => {
  const dataDir = await aUsedFolder();
  const left = 'unfinished-2026-11-18T10-30-00-000Z.sqlite';
  mkdirSync(join(dataDir, 'backups'), { recursive: true });
  for (const suffix of ['', '-wal', '-shm', '-journal']) writeFileSync(join(dataDir, 'backups', left + suffix), 'half');
  const { host } = await openHost({ dataDir, clock: aClock('2026-11-18T11:00:00.000Z') });
  await host.close();
  expect(backupsOf(dataDir)).toEqual(['parley-2026-11-18T10-00-00-000Z.sqlite']);
});
