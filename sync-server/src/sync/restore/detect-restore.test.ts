import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../db/client.ts';
import { catalogueIds, pushSession } from '../../../test-kit/sync/rows.ts';
import {
  registerDevice,
  createTestDevice,
  startServer,
  type TestDevice,
  type TestServer,
} from '../../../test-kit/server.ts';
import { createServerFolder, type ServerFolder } from '../../../test-kit/server-folder.ts';
import { detectRestore } from './detect-restore.ts';

describe('an embedded database', () => {
  let home: string;
  let folder: ServerFolder;
  let server: TestServer;
  const dir = () => folder.dir;
  const marker = () => `${dir()}.restore-marker.json`;
  const start = async (): Promise<TestServer> =>
    startServer(await openDatabase({ type: 'folder', dir: dir() }), { logLevel: 'info' });
  /** Stops the server, runs `between`, and starts the server again. */
  const restart = async (between: () => void = () => undefined): Promise<void> => {
    await server.close();
    between();
    server = await start();
  };
  const epochOf = async (device: TestDevice) => (await createTestDevice(server, device).stream()).epoch;

  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'parley-epoch-'));
    folder = await createServerFolder();
    server = await start();
  });
  afterEach(async () => {
    await server.close();
    await folder.remove();
  });

  it('keeps its epoch after a restart, and its count in a marker file', async () => {
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

  it('begins a new epoch after a restore from a copy and notifies every device', { tags: ['slow'] }, async () => {
    const device = await registerDevice(server);
    const ids = await catalogueIds(device);
    const { epoch } = await device.push();
    await pushSession(server, device, ids);
    await restart(() => cpSync(dir(), join(home, 'copy'), { recursive: true }));
    const back = createTestDevice(server, device);
    const later = back.change({ table: 'users', rowId: device.userId, fields: { jobTitle: 'Nurse' } });
    await back.push({ ...later, deviceSeq: 2 });
    await restart(() => {
      rmSync(dir(), { recursive: true });
      cpSync(join(home, 'copy'), dir(), { recursive: true });
    });
    expect(server.log()).toContain('"reason":"marker_ahead"');
    const again = createTestDevice(server, device);
    again.epoch = epoch;
    expect(await again.tryPush([])).toMatchObject({ status: 410, body: { data: { detail: 'epoch' } } });
    await expect(again.stream()).rejects.toThrow(/410.*"detail":"epoch"/);
    const current = await epochOf(device);
    expect(current).not.toBe(epoch);
    await restart();
    expect(await epochOf(device)).toBe(current);
  });

  it('begins a new epoch when the marker file is missing', { tags: ['slow'] }, async () => {
    const device = await registerDevice(server);
    const { epoch } = await device.push();
    await restart(() => rmSync(marker()));
    // Nothing was confirmed yet.
    expect(await epochOf(device)).toBe(epoch);
    const again = createTestDevice(server, device);
    await pushSession(server, again, await catalogueIds(again));
    await restart(() => rmSync(marker()));
    expect(await epochOf(device)).not.toBe(epoch);
    expect(server.log()).toContain('"reason":"marker_missing"');
  });

  it('begins a new epoch on request with npm run server -- --new-epoch', { tags: ['slow'] }, async () => {
    const device = await registerDevice(server);
    const { epoch } = await device.push();
    await server.close();
    const command = fork(fileURLToPath(new URL('../../main.ts', import.meta.url)), ['--new-epoch'], {
      env: { ...process.env, DATA_DIR: dir(), DATABASE_URL: undefined, NODE_ENV: 'test' },
      silent: true,
    });
    expect(await once(command, 'exit')).toEqual([0, null]);
    server = await start();
    const current = await epochOf(device);
    expect(current).not.toBe(epoch);
    expect(server.log()).not.toContain('epoch_changed');
  });
});

it('an in-memory database has an epoch and no marker file', { tags: ['slow'] }, async () => {
  const database = await openDatabase({ type: 'memory' });
  expect(database.marker).toBeNull();
  expect(await detectRestore(database)).toBeNull();
  const { rows } = (await database.db.execute(sql`select epoch from server_state`)) as { rows: unknown[] };
  expect(rows).toMatchObject([{ epoch: expect.stringMatching(/^[0-9a-f-]{36}$/) }]);
  await database.close();
});
