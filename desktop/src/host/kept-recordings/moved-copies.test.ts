/** Recordings from other devices, after an anonymous learner signs in to an existing account. */
import type { RecordingId } from '@parley/domain';
import { sql } from 'drizzle-orm';
import { unzipSync } from 'fflate';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createDevices, speakTurn } from '../test-kit/devices.ts';
import type { OpenHost } from '../test-kit/open-host.ts';
import { inDatabase } from '../test-kit/read-database.ts';
import { aMailbox } from '../test-kit/test-mailbox.ts';
import { startServer, type TestServer } from '../test-kit/test-server.ts';

const EMAIL = 'ada@example.com';
const QUOTA_BYTES = 10_000_000;

const mailbox = aMailbox();
let server: TestServer;
const devices = createDevices(() => ({
  serverUrl: server.url,
  keptRecordings: { quietMs: 0 },
  clock: { now: () => new Date() },
}));
beforeEach(async () => {
  const quotas = { FREE: QUOTA_BYTES, TRIALING: QUOTA_BYTES, PLUS: QUOTA_BYTES, PRO: QUOTA_BYTES };
  server = await startServer({
    recordingQuotas: quotas,
    account: { access: 'open' },
    enqueueMail: mailbox.enqueueMail,
  });
});
afterEach(async () => {
  await devices.closeAll();
  await server.close();
});

async function speak(device: OpenHost): Promise<RecordingId> {
  const { sessionId, recordingId } = await speakTurn(device);
  await device.ask.practice.finish({ sessionId });
  return recordingId;
}

const sizeOf = async ({ ask }: OpenHost, recordingId: RecordingId): Promise<number> =>
  (await ask.recordings.read({ recordingId })).size;

/** A laptop whose account has two recordings from a computer that was lost. One of them was played on the laptop. */
async function aLaptopAfterALoss() {
  const phone = await devices.open();
  await mailbox.signIn(phone, EMAIL);
  const lost = await devices.open();
  const ids = [await speak(lost), await speak(lost)];
  await lost.ask.recordings.keep({ isOn: true, deleteAll: false });
  await vi.waitFor(async () => expect(await lost.ask.recordings.keeping()).toMatchObject({ kept: 2, waiting: 0 }), {
    timeout: 20_000,
    interval: 50,
  });
  const laptop = await devices.openJoined(lost);
  const [played, unplayed] = ids as [RecordingId, RecordingId];
  const size = await sizeOf(laptop, played);
  const device = (await laptop.ask.account.devices()).find(({ isThis }) => !isThis);
  if (device === undefined) throw new Error('the account has no second device');
  await laptop.ask.account.revokeDevice({ deviceId: device.deviceId });
  return { laptop, played, unplayed, size };
}

it('copies can be played and exported on the device that moved, although the former account is erased', async () => {
  const { laptop, played, unplayed, size } = await aLaptopAfterALoss();
  await mailbox.signIn(laptop, EMAIL);
  await server.execute(sql`delete from kept_recordings`);
  server.fail = 'sync.offline';
  for (const recordingId of [played, unplayed]) {
    expect((await laptop.ask.recordings.place({ recordingId })).place).toBe('copy');
    expect(await sizeOf(laptop, recordingId)).toBe(size);
  }
  const entries = Object.keys(unzipSync(readFileSync((await laptop.ask.account.exportAll()).file)));
  for (const recordingId of [played, unplayed])
    expect(entries.some((name) => name.includes(recordingId) && name.endsWith('.opus'))).toBe(true);
  // Copies are deleted with their sessions, so they must refer to them by their new ids.
  const homeless = inDatabase(laptop.dataDir, (sqlite) =>
    sqlite
      .prepare('SELECT recording_id FROM recording_copies WHERE session_id NOT IN (SELECT id FROM practice_history)')
      .all(),
  );
  expect(homeless).toEqual([]);
});

it('copies are downloaded first, and the device moves only after that succeeds', async () => {
  const { laptop, unplayed, size } = await aLaptopAfterALoss();
  server.failOn = (path) => (path.startsWith('/v1/recordings/audio') ? 'sync.offline' : null);
  await expect(mailbox.signIn(laptop, EMAIL)).rejects.toMatchObject({ code: 'sync.offline' });
  expect((await laptop.ask.account.state()).known?.account.email).toBeNull();
  server.failOn = null;
  await mailbox.signIn(laptop, EMAIL);
  server.fail = 'sync.offline';
  expect(await sizeOf(laptop, unplayed)).toBe(size);
});

it('copies that the server has lost do not keep a device from moving', async () => {
  const { laptop, played, size } = await aLaptopAfterALoss();
  await server.execute(sql`update recording_blobs set file_id = gen_random_uuid()`);
  expect((await mailbox.signIn(laptop, EMAIL)).known?.account.email).toBe(EMAIL);
  expect(await sizeOf(laptop, played)).toBe(size);
});
