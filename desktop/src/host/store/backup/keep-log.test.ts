import { copyFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aDataFolder, openHost, startPractice } from '../../test-kit/open-host.ts';

const databaseOf = (dataDir: string): string => join(dataDir, 'parley.sqlite');

/** A new installation as a power cut leaves it: the log has everything, and there is no backup yet. */
async function aLogWithoutFile(): Promise<{ dataDir: string; sessionId: string }> {
  const { host, ask, dataDir } = await openHost({ dataDir: aDataFolder() });
  const { sessionId } = await startPractice(ask, 'text');
  const copy = aDataFolder();
  copyFileSync(`${databaseOf(dataDir)}-wal`, `${databaseOf(copy)}-wal`);
  await host.close();
  return { dataDir: copy, sessionId };
}

const sessionsIn = async (dataDir: string) => {
  const { host, ask } = await openHost({ dataDir });
  const { items } = await ask.history.list({ search: '', offset: 0, limit: 10 });
  const notice = (await ask.app.about()).restoreNotice;
  await host.close();
  return { ids: items.map(({ sessionId }) => sessionId), notice };
};

it.each(['missing', 'empty'])('a database file that is %s is restored from its log', async (state) => {
  const { dataDir, sessionId } = await aLogWithoutFile();
  if (state === 'empty') writeFileSync(databaseOf(dataDir), '');
  expect(await sessionsIn(dataDir)).toEqual({ ids: [sessionId], notice: null });
});

it('a log that cannot be read is not passed over in silence', async () => {
  const { dataDir } = await aLogWithoutFile();
  const log = `${databaseOf(dataDir)}-wal`;
  writeFileSync(log, Buffer.alloc(64), { flag: 'r+' });
  const { ids, notice } = await sessionsIn(dataDir);
  expect(ids).toEqual([]);
  expect(notice?.damagedFolder).toBeTruthy();
  expect(readdirSync(join(dataDir, 'damaged'))).toHaveLength(1);
});

it('a folder without a log starts empty, without a notice', async () => {
  const dataDir = aDataFolder();
  writeFileSync(databaseOf(dataDir), '');
  expect(await sessionsIn(dataDir)).toEqual({ ids: [], notice: null });
  expect(existsSync(join(dataDir, 'damaged'))).toBe(false);
});
