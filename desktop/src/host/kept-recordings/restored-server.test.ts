/**
 * Copies of recordings, and the learner's choice about them, after the server's database was restored to an earlier
 * time.
 */
import type { RecordingId } from '@parley/domain';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDevices, speakTurn } from '../test-kit/devices.ts';
import { type OpenHost, voiceLikePcm } from '../test-kit/open-host.ts';
import { startServer, type TestServer } from '../test-kit/test-server.ts';

const SEND = '/v1/recordings/send';
/** Parents come before the rows that refer to them. */
const TABLES = ['recording_accounts', 'recording_blobs', 'recording_parts', 'kept_recordings', 'recording_erasures'];
const WAIT = { timeout: 20_000, interval: 50 };

let server: TestServer;
const devices = createDevices(() => ({
  serverUrl: server.url,
  keptRecordings: { quietMs: 0 },
  chance: () => 0,
}));
beforeEach(async () => {
  server = await startServer();
});
afterEach(async () => {
  await devices.closeAll();
  await server.close();
});

let spoken = 0;
/** Speaks and sends one turn. Identical audio would be stored as one file. */
async function speak(device: OpenHost): Promise<RecordingId> {
  spoken += 1;
  const { recordingId } = await speakTurn(device, voiceLikePcm(1_000 + 200 * spoken));
  await device.ask.sync.run();
  return recordingId;
}

const agree = ({ ask }: OpenHost) => ask.recordings.keep({ isOn: true, deleteAll: false });
const kept = (device: OpenHost, count: number) =>
  vi.waitFor(
    async () => expect(await device.ask.recordings.keeping()).toMatchObject({ kept: count, waiting: 0 }),
    WAIT,
  );
const copies = async (): Promise<unknown[]> =>
  (await server.read(sql`select recording_id from kept_recordings where version is not null order by version`)).map(
    (row) => row['recording_id'],
  );

async function backUp(): Promise<void> {
  for (const table of TABLES)
    await server.execute(sql.raw(`create table backup_of_${table} as select * from ${table}`));
}

async function restore(): Promise<void> {
  for (const table of TABLES.toReversed()) await server.execute(sql.raw(`delete from ${table}`));
  for (const table of TABLES) await server.execute(sql.raw(`insert into ${table} select * from backup_of_${table}`));
  await server.execute(sql`update server_state set epoch = ${crypto.randomUUID()}`);
}

/** A start refreshes the list at once, which otherwise happens every ten minutes. */
async function reopen(device: OpenHost): Promise<OpenHost> {
  return devices.reopen(device);
}

describe('copies that a restored server has lost', () => {
  it('are sent again, although others have arrived since', { tags: ['slow'] }, async () => {
    const laptop = await devices.open();
    const early = [await speak(laptop), await speak(laptop)];
    await agree(laptop);
    await kept(laptop, 2);
    await backUp();
    const lost = await speak(laptop);
    await kept(laptop, 3);
    const tablet = await devices.openJoined(laptop);
    await kept(tablet, 3);

    await restore();
    const again = await reopen(laptop);
    await vi.waitFor(async () => expect(new Set(await copies())).toEqual(new Set([...early, lost])), WAIT);
    await kept(again, 3);
    // The next copy gets a number that the tablet has already passed.
    const later = await speak(again);
    await kept(again, 4);
    const other = await reopen(tablet);
    await kept(other, 4);
    for (const recordingId of [lost, later])
      expect((await (await other.ask.recordings.read({ recordingId })).arrayBuffer()).byteLength).toBeGreaterThan(44);
  });

  it('are not assumed to be kept by a device that finds one missing', { tags: ['slow'] }, async () => {
    const laptop = await devices.open();
    const recordingId = await speak(laptop);
    await agree(laptop);
    await kept(laptop, 1);
    const tablet = await devices.openJoined(laptop);
    await kept(tablet, 1);
    // The server does not know that it was restored; only the copy itself is missing.
    await server.execute(sql`delete from kept_recordings`);
    await server.execute(sql`delete from recording_blobs`);
    await expect(tablet.ask.recordings.read({ recordingId })).rejects.toMatchObject({ code: 'recording.not_found' });
    expect(await tablet.ask.recordings.keeping()).toMatchObject({ kept: 0 });
  });
});

describe('the choice that a restored server has forgotten', () => {
  it('to stop and to delete all copies is sent again before any copy', async () => {
    const laptop = await devices.open();
    await speak(laptop);
    await agree(laptop);
    await kept(laptop, 1);
    await backUp();
    await laptop.ask.recordings.keep({ isOn: false, deleteAll: true });
    await kept(laptop, 0);
    const unkept = await speak(laptop);

    await restore();
    server.requested = [];
    const again = await reopen(laptop);
    await vi.waitFor(
      async () => expect(await server.read(sql`select is_on from recording_accounts`)).toEqual([{ is_on: false }]),
      WAIT,
    );
    // A change in a conversation may interrupt the device before it has read the list again.
    await vi.waitFor(
      async () => expect(await again.ask.recordings.keeping()).toMatchObject({ isOn: false, kept: 0, usedBytes: 0 }),
      WAIT,
    );
    await again.host.whenIdle();
    expect(server.requested).not.toContain(SEND);
    expect(await copies()).toEqual([]);
    expect(await server.read(sql`select 1 from recording_blobs`)).toEqual([]);
    expect((await again.ask.recordings.place({ recordingId: unkept })).place).toBe('original');
  });

  it('is sent again by another device of the learner too', { tags: ['slow'] }, async () => {
    const laptop = await devices.open();
    await speak(laptop);
    await agree(laptop);
    await kept(laptop, 1);
    const tablet = await devices.openJoined(laptop);
    await kept(tablet, 1);
    await backUp();
    await laptop.ask.recordings.keep({ isOn: false, deleteAll: true });
    const stopped = await reopen(tablet);
    await vi.waitFor(
      async () => expect(await stopped.ask.recordings.keeping()).toMatchObject({ isOn: false, kept: 0 }),
      WAIT,
    );
    await devices.close(laptop);

    await restore();
    const again = await reopen(stopped);
    await vi.waitFor(
      async () => expect(await server.read(sql`select is_on from recording_accounts`)).toEqual([{ is_on: false }]),
      WAIT,
    );
    await vi.waitFor(
      async () => expect(await again.ask.recordings.keeping()).toMatchObject({ isOn: false, kept: 0, usedBytes: 0 }),
      WAIT,
    );
    expect(await copies()).toEqual([]);
  });

  it('to keep copies is sent again, unless the learner has decided otherwise since', { tags: ['slow'] }, async () => {
    const laptop = await devices.open();
    await speak(laptop);
    const tablet = await devices.openJoined(laptop);
    await backUp();
    await agree(laptop);
    await kept(laptop, 1);
    await devices.close(laptop);
    const listed = await reopen(tablet);
    await kept(listed, 1);
    await devices.close(listed);

    await restore();
    const again = await devices.open({ dataDir: laptop.dataDir });
    await vi.waitFor(async () => expect(await copies()).toHaveLength(1), WAIT);
    await again.ask.recordings.keep({ isOn: false, deleteAll: false });
    const other = await devices.open({ dataDir: listed.dataDir });
    await vi.waitFor(
      async () => expect(await other.ask.recordings.keeping()).toMatchObject({ isOn: false, kept: 1 }),
      WAIT,
    );
    await other.host.whenIdle();
    expect(await server.read(sql`select is_on from recording_accounts`)).toEqual([{ is_on: false }]);
  });
});
