import { cpSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../db/client.ts';
import { catalogueIds, pushSession } from '../test-kit/rows.ts';
import { registerDevice, speakFor, startServer, type TestDevice, type TestServer } from '../test-kit/server.ts';
import { announceNewEpoch, settleEpoch } from './settle-epoch.ts';

describe('a database in a folder', () => {
  let home: string;
  let server: TestServer;
  const dir = () => join(home, 'server');
  const marker = () => `${dir()}.restore-marker.json`;
  const start = async (): Promise<TestServer> =>
    startServer(await openDatabase({ type: 'folder', dir: dir() }), { withCatalogue: true, logLevel: 'info' });
  /** Stops the server, does something to its files, and starts it again. */
  const restart = async (between: () => void = () => undefined): Promise<void> => {
    await server.close();
    between();
    server = await start();
  };
  const epochOf = async (device: TestDevice) => (await speakFor(server, device as never).stream()).epoch;

  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'parley-epoch-'));
    server = await start();
  });
  afterEach(async () => {
    await server.close();
    rmSync(home, { recursive: true, force: true });
  });

  it('keeps its epoch when the server starts again, and one beside it for the file that counts', async () => {
    const device = await registerDevice(server);
    const { epoch } = await device.push();
    const { pushed } = await pushSession(server, device, await catalogueIds(device));
    expect(pushed.epoch).toBe(epoch);
    expect(JSON.parse(readFileSync(marker(), 'utf8'))).toEqual({ epoch, commits: 1 });
    expect(statSync(marker()).mode & 0o777).toBe(0o600);
    await restart();
    expect(await epochOf(device)).toBe(epoch);
    expect(server.log()).not.toContain('epoch_changed');
  });

  it('begins a new one when it was put back from a copy, and says so to every device', async () => {
    const device = await registerDevice(server);
    const ids = await catalogueIds(device);
    const { epoch } = await device.push();
    await pushSession(server, device, ids);
    await restart(() => cpSync(dir(), join(home, 'copy'), { recursive: true }));
    const back = speakFor(server, device as never);
    const later = back.change({ table: 'users', rowId: device.userId, fields: { jobTitle: 'Nurse' } });
    await back.push({ ...later, deviceSeq: 2 });
    await restart(() => {
      rmSync(dir(), { recursive: true });
      cpSync(join(home, 'copy'), dir(), { recursive: true });
    });
    expect(server.log()).toContain('"reason":"marker_ahead"');
    const again = speakFor(server, device as never);
    again.epoch = epoch;
    expect(await again.tryPush([])).toMatchObject({ status: 410, body: { data: { detail: 'epoch' } } });
    await expect(again.stream()).rejects.toThrow(/410.*"detail":"epoch"/);
    const current = await epochOf(device);
    expect(current).not.toBe(epoch);
    await restart();
    expect(await epochOf(device)).toBe(current);
  });

  it('begins a new one when the file that counts is gone', async () => {
    const device = await registerDevice(server);
    const { epoch } = await device.push();
    await restart(() => rmSync(marker()));
    // Nothing was confirmed yet.
    expect(await epochOf(device)).toBe(epoch);
    const again = speakFor(server, device as never);
    await pushSession(server, again, await catalogueIds(again));
    await restart(() => rmSync(marker()));
    expect(await epochOf(device)).not.toBe(epoch);
    expect(server.log()).toContain('"reason":"marker_missing"');
  });

  it('begins a new one by hand', async () => {
    const device = await registerDevice(server);
    const { epoch } = await device.push();
    expect(await announceNewEpoch(server.database)).toBe('requested');
    const current = await epochOf(device);
    expect(current).not.toBe(epoch);
    await restart();
    expect(await epochOf(device)).toBe(current);
  });
});

it('a database in memory has an epoch, and no file', async () => {
  const database = await openDatabase({ type: 'memory' });
  expect(database.marker).toBeNull();
  expect(await settleEpoch(database)).toBeNull();
  const { rows } = (await database.db.execute(sql`select epoch from server_state`)) as { rows: unknown[] };
  expect(rows).toMatchObject([{ epoch: expect.stringMatching(/^[0-9a-f-]{36}$/) }]);
  await database.close();
});
