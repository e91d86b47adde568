import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { aDataFolder, openHost, startPractice } from './test-kit/open-host.ts';
import { inDatabase } from './test-kit/read-database.ts';

afterEach(() => vi.useRealTimers());

it('releases the data folder when a start fails', async () => {
  const dataDir = aDataFolder();
  const failing = openHost({ dataDir, loadCatalogue: () => Promise.reject(new Error('the disk failed')) });
  await expect(failing).rejects.toThrow('the disk failed');
  const { host } = await openHost({ dataDir });
  await host.close();
});

it('leaves no database and no timer behind when the store cannot be opened', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const dataDir = aDataFolder();
  const { host } = await openHost({ dataDir });
  await host.close();
  const timers = vi.getTimerCount();
  inDatabase(dataDir, (sqlite) => sqlite.exec('drop table sync_state'));
  await expect(openHost({ dataDir })).rejects.toThrow('sync_state');
  expect(vi.getTimerCount()).toBe(timers);
  // SQLite deletes this file when the last connection closes.
  expect(existsSync(join(dataDir, 'parley.sqlite-wal'))).toBe(false);
});

it.each([false, true])(
  'leaves the database of a newer version as it is, with a repair requested: %s',
  async (repair) => {
    const dataDir = aDataFolder();
    const file = join(dataDir, 'parley.sqlite');
    const { host, ask } = await openHost({ dataDir });
    const { sessionId } = await startPractice(ask, 'text');
    await host.close();
    const newest = Date.now() + 365 * 24 * 3_600_000;
    inDatabase(dataDir, (sqlite) =>
      sqlite.prepare("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('newer', ?)").run(newest),
    );
    const before = readFileSync(file);
    await expect(openHost({ dataDir, repair })).rejects.toMatchObject({ code: 'storage.newer' });
    expect(readFileSync(file).equals(before)).toBe(true);
    inDatabase(dataDir, (sqlite) => sqlite.exec("DELETE FROM __drizzle_migrations WHERE hash = 'newer'"));
    const updated = await openHost({ dataDir });
    const { items } = await updated.ask.history.list({ search: '', offset: 0, limit: 10 });
    expect(items.map((item) => item.sessionId)).toEqual([sessionId]);
    await updated.host.close();
  },
);

it('starts when recordings without a row cannot be adopted', async () => {
  const dataDir = aDataFolder();
  const first = await openHost({ dataDir });
  await first.host.close();
  mkdirSync(join(dataDir, 'recordings'), { recursive: true });
  writeFileSync(join(dataDir, 'recordings', `${randomUUID()}.wav`), 'x');
  inDatabase(dataDir, (sqlite) => sqlite.exec('alter table drill_attempts rename to drill_attempts_gone'));
  const error = vi.fn();
  const { host } = await openHost({ dataDir, logger: { info: () => undefined, warn: () => undefined, error } });
  await host.whenIdle();
  expect(error).toHaveBeenCalledWith(expect.anything(), 'recordings_not_adopted');
  await host.close();
});
