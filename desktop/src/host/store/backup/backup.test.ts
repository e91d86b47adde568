import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  openSync,
  writeSync,
  closeSync,
  copyFileSync,
  mkdirSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createHost } from '../../index.ts';
import { COACH, LATE_DELIVERY } from '../../test-kit/test-catalogue.ts';
import { aClock, aDataFolder, openHost, startPractice } from '../../test-kit/open-host.ts';
import { damageTable, readOutbox } from '../../test-kit/read-database.ts';

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));
const DAY_MS = 24 * 3_600_000;
const databaseOf = (dataDir: string): string => join(dataDir, 'parley.sqlite');
const backupsOf = (dataDir: string): string[] => readdirSync(join(dataDir, 'backups')).toSorted();

async function aDatabaseWithAName(dataDir: string, clock = aClock()): Promise<void> {
  const { host, ask } = await openHost({ dataDir, clock });
  await ask.settings.updateProfile({ firstName: 'Ana', agentId: COACH });
  await startPractice(ask, 'text');
  await host.close();
}

/** Overwrites most of the file with noise, as a failing disk does. */
function damage(file: string): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(statSync(file).size - 4_096, 0xa5), 0, undefined, 4_096);
  closeSync(handle);
}

describe('backups', () => {
  it('are taken daily, and the newest seven are kept', async () => {
    const dataDir = aDataFolder();
    const clock = aClock();
    for (let day = 0; day < 9; day += 1) {
      const first = await openHost({ dataDir, clock });
      await first.host.whenIdle();
      await first.host.close();
      const again = await openHost({ dataDir, clock });
      await again.host.whenIdle();
      await again.host.close();
      clock.pass(DAY_MS);
    }
    const days = backupsOf(dataDir).map((name) => name.slice(0, 17));
    expect(days).toEqual([20, 21, 22, 23, 24, 25, 26].map((day) => `parley-2026-11-${day}`));
  });

  it('replace a damaged database, and the damaged file is kept', async () => {
    const dataDir = aDataFolder();
    await aDatabaseWithAName(dataDir);
    const clock = aClock('2026-11-19T11:00:00.000Z');
    const daily = await openHost({ dataDir, clock });
    await daily.host.whenIdle();
    await daily.host.close();
    damage(databaseOf(dataDir));
    const damaged = readFileSync(databaseOf(dataDir));

    const { host, ask } = await openHost({ dataDir, clock: aClock('2026-11-19T12:00:00.000Z') });
    expect((await ask.app.about()).restoredFrom).toEqual(new Date('2026-11-19T11:00:00.000Z'));
    expect((await ask.settings.read()).profile.firstName).toBe('Ana');
    expect((await ask.history.list({ search: '', offset: 0, limit: 10 })).total).toBe(1);
    const [folder = ''] = readdirSync(join(dataDir, 'damaged'));
    expect(readFileSync(join(dataDir, 'damaged', folder, 'parley.sqlite')).equals(damaged)).toBe(true);
    await host.close();

    const after = await openHost({ dataDir });
    expect((await after.ask.app.about()).restoredFrom).toBeNull();
    await after.host.close();
  });

  it('are completed with unsent changes from the damaged file', async () => {
    const dataDir = aDataFolder();
    const clock = aClock('2026-11-19T11:00:00.000Z');
    await aDatabaseWithAName(dataDir, clock);
    const daily = await openHost({ dataDir, clock });
    await daily.host.whenIdle();
    const { sessionId } = await daily.ask.practice.start({
      practiceId: LATE_DELIVERY,
      difficulty: 'hard',
      communicationStyle: 'text',
    });
    await daily.ask.practice.sendTyped({ sessionId, text: 'I am sorry, it is late.', hintLevel: 0 });
    await daily.ask.settings.updateProfile({ lastName: 'Novak' });
    await daily.host.close();
    const waiting = readOutbox(dataDir);
    damageTable(dataDir, 'practice_history');

    const { host, ask } = await openHost({ dataDir, clock });
    expect((await ask.app.about()).restoredFrom).toEqual(new Date('2026-11-19T11:00:00.000Z'));
    expect((await ask.settings.read()).profile).toMatchObject({ firstName: 'Ana', lastName: 'Novak' });
    const { items } = await ask.history.list({ search: 'sorry', offset: 0, limit: 10 });
    expect(items.map((item) => item.sessionId)).toEqual([sessionId]);
    await host.close();
    const ids = new Set(readOutbox(dataDir).map(({ rowId }) => rowId));
    for (const { rowId } of waiting) expect(ids).toContain(rowId);
  });

  it('that are damaged themselves are skipped', async () => {
    const dataDir = aDataFolder();
    await aDatabaseWithAName(dataDir);
    for (const at of ['2026-11-19T11:00:00.000Z', '2026-11-20T12:00:00.000Z']) {
      const { host } = await openHost({ dataDir, clock: aClock(at) });
      await host.whenIdle();
      await host.close();
    }
    damage(databaseOf(dataDir));
    damage(join(dataDir, 'backups', backupsOf(dataDir).at(-1) ?? ''));
    const { host, ask } = await openHost({ dataDir });
    expect((await ask.app.about()).restoredFrom).toEqual(new Date('2026-11-19T11:00:00.000Z'));
    await host.close();
  });

  it.each(['2036-01-01T10:00:00.000Z', '1996-01-01T10:00:00.000Z'])(
    'go on when the clock was wrong for a while (%s)',
    async (wrong) => {
      const dataDir = aDataFolder();
      for (const at of [wrong, '2026-11-19T10:00:00.000Z', '2026-11-20T10:00:00.000Z']) {
        const { host } = await openHost({ dataDir, clock: aClock(at) });
        await host.whenIdle();
        await host.close();
      }
      expect(backupsOf(dataDir)).toHaveLength(3);
    },
  );

  it('are kept when they are new, however many have a date in the future', async () => {
    const dataDir = aDataFolder();
    await aDatabaseWithAName(dataDir);
    mkdirSync(join(dataDir, 'backups'), { recursive: true });
    for (let day = 1; day <= 8; day += 1)
      copyFileSync(databaseOf(dataDir), join(dataDir, 'backups', `parley-2036-01-0${day}T10-00-00-000Z.sqlite`));
    const daily = await openHost({ dataDir, clock: aClock('2026-11-20T10:00:00.000Z') });
    await daily.host.whenIdle();
    await daily.ask.settings.updateProfile({ firstName: 'Anabel' });
    await daily.host.close();
    const next = await openHost({ dataDir, clock: aClock('2026-11-21T10:00:00.000Z') });
    await next.host.whenIdle();
    await next.host.close();
    expect(backupsOf(dataDir)).toHaveLength(7);
    expect(backupsOf(dataDir).slice(0, 3)).toEqual([
      'parley-2026-11-18T10-00-00-000Z.sqlite',
      'parley-2026-11-20T10-00-00-000Z.sqlite',
      'parley-2026-11-21T10-00-00-000Z.sqlite',
    ]);
    damage(databaseOf(dataDir));
    const { host, ask } = await openHost({ dataDir, clock: aClock('2026-11-21T11:00:00.000Z') });
    expect((await ask.app.about()).restoredFrom).toEqual(new Date('2026-11-21T10:00:00.000Z'));
    expect((await ask.settings.read()).profile.firstName).toBe('Anabel');
    await host.close();
  });

  it('are not required: a file that is not a database is replaced by a new one', async () => {
    const dataDir = aDataFolder();
    writeFileSync(databaseOf(dataDir), 'this is no database, and long enough to be looked at '.repeat(100));
    const { host, ask } = await openHost({ dataDir });
    expect(await ask.catalogue.practices()).toHaveLength(2);
    expect(existsSync(join(dataDir, 'damaged'))).toBe(true);
    await host.close();
  });
});

describe('a migration', () => {
  it('makes a backup first if there is data to lose', async () => {
    const dataDir = aDataFolder();
    const migrationsDir = join(aDataFolder(), 'migrations');
    cpSync(MIGRATIONS, migrationsDir, { recursive: true });
    const journalFile = join(migrationsDir, 'meta', '_journal.json');
    const journal = JSON.parse(readFileSync(journalFile, 'utf8')) as { entries: { when: number }[] };
    const next = { ...journal.entries.at(-1), tag: '9999_next', when: Date.parse('2100-01-01') };
    writeFileSync(journalFile, JSON.stringify({ ...journal, entries: [...journal.entries, next] }));
    writeFileSync(join(migrationsDir, '9999_next.sql'), 'CREATE TABLE `next` (`id` integer PRIMARY KEY);');
    const clock = aClock();
    const before = await openHost({ dataDir, clock });
    await before.ask.settings.updateProfile({ firstName: 'Ana' });
    await before.host.whenIdle();
    await before.host.close();
    expect(backupsOf(dataDir)).toHaveLength(1);
    clock.pass(3_600_000);
    const after = await openHost({ dataDir, clock, migrationsDir });
    expect((await after.ask.settings.read()).profile.firstName).toBe('Ana');
    expect(backupsOf(dataDir)).toHaveLength(2);
    await after.host.close();
    clock.pass(3_600_000);
    const unchanged = await openHost({ dataDir, clock, migrationsDir });
    expect(backupsOf(dataDir)).toHaveLength(2);
    await unchanged.host.close();
  });
});

describe('a data folder', () => {
  it('belongs to one host at a time', async () => {
    const { host, dataDir } = await openHost();
    await expect(createHost({ dataDir, serverUrl: null })).rejects.toMatchObject({ code: 'host.already_running' });
    await host.close();
    const next = await openHost({ dataDir });
    await next.host.close();
  });
});
