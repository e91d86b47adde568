import { copyFileSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aClock, openHost } from '../../test-kit/open-host.ts';
import { damageTable } from '../../test-kit/read-database.ts';

const clock = aClock('2026-11-19T11:00:00.000Z');

/** A folder with one backup. */
async function aBackedUpFolder(): Promise<string> {
  const { host, dataDir } = await openHost({ clock });
  await host.whenIdle();
  await host.close();
  return dataDir;
}

async function noticeOf(dataDir: string) {
  const { host, ask } = await openHost({ dataDir, clock });
  const { restoreNotice } = await ask.app.about();
  await host.whenIdle();
  await host.close();
  return restoreNotice;
}

it('shows nothing as long as the database is sound', async () => {
  const dataDir = await aBackedUpFolder();
  expect(await noticeOf(dataDir)).toBeNull();
});

it('reports a restored backup at every start until it is dismissed', async () => {
  const dataDir = await aBackedUpFolder();
  damageTable(dataDir, 'practice_history');
  const notice = await noticeOf(dataDir);
  expect(notice?.takenAt).toEqual(clock.now());
  expect(readdirSync(notice?.damagedFolder ?? '')).toContain('parley.sqlite');
  expect(await noticeOf(dataDir)).toEqual(notice);

  const { host, ask } = await openHost({ dataDir, clock });
  await ask.app.dismissRestoreNotice();
  expect((await ask.app.about()).restoreNotice).toBeNull();
  await host.close();
  expect(await noticeOf(dataDir)).toBeNull();
});

it('reports that the database started empty when no backup is good', async () => {
  const dataDir = await aBackedUpFolder();
  damageTable(dataDir, 'practice_history');
  for (const backup of readdirSync(join(dataDir, 'backups')))
    copyFileSync(join(dataDir, 'parley.sqlite'), join(dataDir, 'backups', backup));
  const notice = await noticeOf(dataDir);
  expect(notice?.takenAt).toBeNull();
  expect(existsSync(join(notice?.damagedFolder ?? '', 'parley.sqlite'))).toBe(true);
});

it.each(['missing', 'empty'])('names no damaged file when the database is %s', async (state) => {
  const dataDir = await aBackedUpFolder();
  rmSync(join(dataDir, 'parley.sqlite'));
  if (state === 'empty') writeFileSync(join(dataDir, 'parley.sqlite'), '');
  expect(await noticeOf(dataDir)).toEqual({ takenAt: clock.now(), damagedFolder: null });
});

it('shows nothing when its file is unreadable', async () => {
  const dataDir = await aBackedUpFolder();
  writeFileSync(join(dataDir, 'restored.json'), '{"takenAt":');
  expect(await noticeOf(dataDir)).toBeNull();
});
