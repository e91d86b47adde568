/** Imports that are interrupted. */
import { readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aDataFolder } from '../test-kit/open-host.ts';
import { inDatabase } from '../test-kit/read-database.ts';
import { leaveFreeBytes } from '../test-kit/small-disk.ts';
import { aDevice, aLearner, type Device, exportOf, closeDevices, seen, send } from '../test-kit/transfer-devices.ts';

afterEach(async () => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  await closeDevices();
});

const recordingsOf = ({ dataDir }: Device): string[] => readdirSync(join(dataDir, 'recordings'));

/** Runs `interruption` when the first recording has been written but is not on disk yet. */
async function onFirstRecording(interruption: () => void): Promise<void> {
  const handle = await open(join(aDataFolder(), 'any'), 'w');
  const prototype = Object.getPrototypeOf(handle) as typeof handle;
  await handle.close();
  vi.spyOn(prototype, 'sync').mockImplementationOnce(async () => interruption());
}

describe('an import', () => {
  it('replaces one that another window begins at the same moment, and leaves nothing of it behind', async () => {
    const next = await aDevice();
    const begun = await Promise.all([next.ask.import.begin(), next.ask.import.begin()]);
    for (const { importId } of begun) await next.ask.import.cancel({ importId });
    expect(readdirSync(join(next.dataDir, 'imports'))).toEqual([]);
  });

  it('leaves nothing behind when the disk is full', async () => {
    const file = await exportOf(await aLearner());
    const next = await aDevice();
    const importId = await send(next, file);
    await onFirstRecording(() => {
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    });
    await expect(next.ask.import.apply({ importId })).rejects.toMatchObject({ code: 'storage.full' });
    expect(recordingsOf(next)).toEqual([]);
    expect((await seen(next)).sessions).toEqual([]);
  });

  it('stops when another account was opened meanwhile', async () => {
    const file = await exportOf(await aLearner());
    const next = await aDevice();
    const importId = await send(next, file);
    await onFirstRecording(() =>
      inDatabase(next.dataDir, (sqlite) =>
        sqlite.prepare('UPDATE sync_state SET user_id = ?').run(crypto.randomUUID()),
      ),
    );
    await expect(next.ask.import.apply({ importId })).rejects.toMatchObject({ code: 'import.account_changed' });
    expect(recordingsOf(next)).toEqual([]);
    expect(inDatabase(next.dataDir, (sqlite) => sqlite.prepare('SELECT id FROM practice_history').all())).toEqual([]);
  });

  it('stops when it is cancelled, and leaves nothing behind', async () => {
    const file = await exportOf(await aLearner());
    const next = await aDevice();
    const importId = await send(next, file);
    let cancelled = Promise.resolve();
    await onFirstRecording(() => {
      cancelled = next.ask.import.cancel({ importId });
    });
    await expect(next.ask.import.apply({ importId })).rejects.toMatchObject({ code: 'import.not_found' });
    await cancelled;
    expect(recordingsOf(next)).toEqual([]);
    expect((await seen(next)).sessions).toEqual([]);
    expect(readdirSync(join(next.dataDir, 'imports'))).toEqual([]);
  });

  it('stops when the app closes, and leaves nothing open or behind', async () => {
    const file = await exportOf(await aLearner());
    const next = await aDevice();
    const importId = await send(next, file);
    let closed = Promise.resolve();
    await onFirstRecording(() => {
      closed = next.host.close();
    });
    await expect(next.ask.import.apply({ importId })).rejects.toThrow();
    await closed;
    expect(recordingsOf(next)).toEqual([]);
    expect(readdirSync(join(next.dataDir, 'imports'))).toEqual([]);
  });

  it('that was only looked at is closed with the app', async () => {
    const file = await exportOf(await aLearner());
    const next = await aDevice();
    await next.ask.import.preview({ importId: await send(next, file) });
    await next.host.close();
    expect(readdirSync(join(next.dataDir, 'imports'))).toEqual([]);
  });

  it('does not begin when the recordings do not fit on the disk', async () => {
    const file = await exportOf(await aLearner());
    const next = await aDevice();
    const importId = await send(next, file);
    const free = leaveFreeBytes(50 * 2 ** 20);
    await expect(next.ask.import.apply({ importId })).rejects.toMatchObject({ code: 'storage.full' });
    free();
    expect(recordingsOf(next)).toEqual([]);
    expect(await next.ask.import.apply({ importId })).toMatchObject({ recordings: 2 });
  });

  it('keeps the recordings when something fails after the rows are stored', async () => {
    const file = await exportOf(await aLearner());
    const quiet = (): void => undefined;
    const info = (_about: object, message: string): void => {
      if (message === 'export_imported') throw new Error('the log is not writable');
    };
    const next = await aDevice({ logger: { info, warn: quiet, error: quiet } });
    await next.ask.import.apply({ importId: await send(next, file) }).catch(() => undefined);
    expect((await seen(next)).sessions).toHaveLength(1);
    expect(recordingsOf(next)).toHaveLength(2);
  });
});
