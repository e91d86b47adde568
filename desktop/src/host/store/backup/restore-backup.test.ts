/** A restore that is interrupted at each of its steps, and is completed by the next start. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Host } from '../../index.ts';
import { COACH } from '../../test-kit/test-catalogue.ts';
import { aClock, aDataFolder, type OpenHost, openHost } from '../../test-kit/open-host.ts';
import { damageTable, inDatabase, readOutbox } from '../../test-kit/read-database.ts';

const clock = aClock('2026-11-19T11:00:00.000Z');
const BACKED_UP_AT = clock.now();
const databaseOf = (dataDir: string): string => join(dataDir, 'parley.sqlite');
const damagedOf = (dataDir: string): string[] =>
  existsSync(join(dataDir, 'damaged')) ? readdirSync(join(dataDir, 'damaged')) : [];

async function close(host: Host): Promise<void> {
  await host.whenIdle();
  await host.close();
}

/**
 * Creates a damaged database. Its first name is also in the backup; its last name was changed later and has not been
 * sent.
 */
async function aDamagedFolder(): Promise<string> {
  const dataDir = aDataFolder();
  const first = await openHost({ dataDir, clock: aClock() });
  await first.ask.settings.updateProfile({ firstName: 'Ana', agentId: COACH });
  await first.host.close();
  const daily = await openHost({ dataDir, clock });
  await daily.host.whenIdle();
  await daily.ask.settings.updateProfile({ lastName: 'Novak' });
  await daily.host.close();
  damageTable(dataDir, 'practice_history');
  return dataDir;
}

async function expectRestored({ host, ask, dataDir }: OpenHost): Promise<void> {
  expect((await ask.app.about()).restoredFrom).toEqual(BACKED_UP_AT);
  expect((await ask.settings.read()).profile).toMatchObject({ firstName: 'Ana', lastName: 'Novak' });
  await close(host);
  expect(readOutbox(dataDir).some(({ fields }) => 'lastName' in fields)).toBe(true);
  const after = await openHost({ dataDir, clock });
  expect((await after.ask.app.about()).restoredFrom).toBeNull();
  expect((await after.ask.settings.read()).profile).toMatchObject({ firstName: 'Ana', lastName: 'Novak' });
  await close(after.host);
  expect(readdirSync(dataDir).filter((name) => /restoring|\.new/.test(name))).toEqual([]);
}

/**
 * Stops a restore when it is about to move the damaged database, and returns the folder to which it would have gone.
 */
async function stopBeforeMoving(dataDir: string): Promise<string> {
  // A file in place of the folder makes the move fail.
  writeFileSync(join(dataDir, 'damaged'), '');
  await expect(openHost({ dataDir, clock })).rejects.toThrow(/EEXIST|ENOTDIR/);
  rmSync(join(dataDir, 'damaged'));
  const { damagedFolder } = JSON.parse(readFileSync(join(dataDir, 'restoring.json'), 'utf8')) as {
    damagedFolder: string;
  };
  return join(dataDir, 'damaged', damagedFolder);
}

describe('a restore that is interrupted', () => {
  it('while it looks for a good backup leaves the database where it is', async () => {
    const dataDir = await aDamagedFolder();
    const damaged = readFileSync(databaseOf(dataDir));
    // Copying a folder as a file fails, which is no sign of damage.
    const newest = join(dataDir, 'backups', 'parley-2026-11-19T11-30-00-000Z.sqlite');
    mkdirSync(newest);
    await expect(openHost({ dataDir, clock })).rejects.toThrow();
    expect(readFileSync(databaseOf(dataDir)).equals(damaged)).toBe(true);
    expect(damagedOf(dataDir)).toEqual([]);
    rmSync(newest, { recursive: true });
    await expectRestored(await openHost({ dataDir, clock }));
  });

  it('while it copies the backup begins again', async () => {
    const dataDir = await aDamagedFolder();
    writeFileSync(`${databaseOf(dataDir)}.new`, readFileSync(databaseOf(dataDir)).subarray(0, 10_000));
    writeFileSync(`${databaseOf(dataDir)}.new-wal`, 'of another copy');
    await expectRestored(await openHost({ dataDir, clock }));
  });

  it('before it moves the damaged database continues', async () => {
    const dataDir = await aDamagedFolder();
    await stopBeforeMoving(dataDir);
    await expectRestored(await openHost({ dataDir, clock }));
    expect(damagedOf(dataDir)).toHaveLength(1);
  });

  it.each([
    ['its log', true],
    ['the copy', false],
  ])('before it moves %s continues', async (_what, hasLog) => {
    const dataDir = await aDamagedFolder();
    const folder = await stopBeforeMoving(dataDir);
    mkdirSync(folder, { recursive: true });
    renameSync(databaseOf(dataDir), join(folder, 'parley.sqlite'));
    if (hasLog) writeFileSync(`${databaseOf(dataDir)}-wal`, 'a log');
    await expectRestored(await openHost({ dataDir, clock }));
    if (hasLog) expect(readFileSync(join(folder, 'parley.sqlite-wal'), 'utf8')).toBe('a log');
  });

  it('before it migrates the copy continues', async () => {
    const dataDir = await aDamagedFolder();
    await expect(openHost({ dataDir, clock, migrationsDir: join(dataDir, 'none') })).rejects.toThrow('ENOENT');
    await expectRestored(await openHost({ dataDir, clock }));
  });

  it('while it restores unsent changes repeats that', async () => {
    const dataDir = await aDamagedFolder();
    // The time is first read when a change is applied to its row.
    const now = (): Date => {
      if (existsSync(join(dataDir, 'restoring.json'))) throw new Error('killed');
      return clock.now();
    };
    await expect(openHost({ dataDir, clock: { now } })).rejects.toThrow('killed');
    await expectRestored(await openHost({ dataDir, clock }));
  });

  it('keeps the first damaged database if the copy is damaged too', async () => {
    const dataDir = await aDamagedFolder();
    await expect(openHost({ dataDir, clock, migrationsDir: join(dataDir, 'none') })).rejects.toThrow('ENOENT');
    damageTable(dataDir, 'practice_history');
    await expectRestored(await openHost({ dataDir, clock }));
    expect(damagedOf(dataDir)).toHaveLength(2);
  });

  it('after it restored the unsent changes repeats that once', async () => {
    const dataDir = await aDamagedFolder();
    const folder = await stopBeforeMoving(dataDir);
    const marker = readFileSync(join(dataDir, 'restoring.json'));
    const { host } = await openHost({ dataDir, clock });
    await host.close();
    const waiting = readOutbox(dataDir).map(({ mutationId }) => mutationId);
    writeFileSync(join(dataDir, 'restoring.json'), marker);
    expect(existsSync(folder)).toBe(true);
    await expectRestored(await openHost({ dataDir, clock }));
    expect(readOutbox(dataDir).map(({ mutationId }) => mutationId)).toEqual(waiting);
  });
});

describe('a lost database', () => {
  it.each(['missing', 'empty'])('that is %s is replaced by the newest backup', async (state) => {
    const dataDir = await aDamagedFolder();
    if (state === 'missing') rmSync(databaseOf(dataDir));
    else truncateSync(databaseOf(dataDir));
    const { host, ask } = await openHost({ dataDir, clock });
    expect((await ask.app.about()).restoredFrom).toEqual(BACKED_UP_AT);
    expect((await ask.settings.read()).profile.firstName).toBe('Ana');
    await close(host);
  });

  it('starts empty if no backup is good', async () => {
    const dataDir = await aDamagedFolder();
    for (const backup of readdirSync(join(dataDir, 'backups')))
      copyFileSync(databaseOf(dataDir), join(dataDir, 'backups', backup));
    rmSync(databaseOf(dataDir));
    const { host, ask } = await openHost({ dataDir, clock });
    expect((await ask.app.about()).restoredFrom).toBeNull();
    expect(await ask.catalogue.practices()).toHaveLength(2);
    await close(host);
  });
});

describe('a database that was damaged when an update was first started', () => {
  /** Turns the database into one from a version that counted attempts in the list, and makes a backup of it. */
  async function aDamagedFolderOfBefore(): Promise<string> {
    const dataDir = aDataFolder();
    const { host } = await openHost({ dataDir, clock });
    await close(host);
    inDatabase(dataDir, (sqlite) => {
      const userId = sqlite.prepare('SELECT user_id FROM sync_state').pluck().get();
      const lastPracticedAt = clock.now().toISOString();
      const entry = {
        word: 'delay',
        ipa: 'dɪleɪ',
        attempts: 7,
        meanAccuracy: 41,
        worstPhonemes: ['eɪ'],
        lastPracticedAt,
      };
      sqlite
        .prepare(
          `INSERT INTO pronunciation_improvement_summary (id, user_id, words, created_at, updated_at, sync_version)
           VALUES (?, ?, ?, 0, 0, 0)`,
        )
        .run(userId, userId, JSON.stringify([{ ...entry, due: null, stability: null, difficulty: null }]));
      sqlite.prepare("UPDATE sync_state SET own_schema = 'older'").run();
      sqlite.pragma('wal_checkpoint(TRUNCATE)');
    });
    mkdirSync(join(dataDir, 'backups'), { recursive: true });
    copyFileSync(databaseOf(dataDir), join(dataDir, 'backups', 'parley-2026-11-19T11-00-00-000Z.sqlite'));
    damageTable(dataDir, 'practice_history');
    return dataDir;
  }

  it('still sends what the update has to send', async () => {
    const dataDir = await aDamagedFolderOfBefore();
    const { host, ask } = await openHost({ dataDir, clock });
    expect((await ask.app.about()).restoredFrom).toEqual(BACKED_UP_AT);
    expect((await ask.review.words({ search: '' })).words).toMatchObject([{ word: 'delay', attempts: 7 }]);
    await close(host);
    expect(readOutbox(dataDir)).toContainEqual(
      expect.objectContaining({ tableName: 'word_attempts', fields: expect.objectContaining({ attempts: 7 }) }),
    );
  });
});
