import type { RecordingId } from '@parley/domain';
import { sql } from 'drizzle-orm';
import { unzipSync } from 'fflate';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDevices, speakTurn } from '../test-kit/devices.ts';
import { aClock, type OpenHost, recordTurn, voiceLikePcm, startPractice } from '../test-kit/open-host.ts';
import { startServer, type TestServer } from '../test-kit/test-server.ts';

const DAY_MS = 24 * 3_600_000;
const QUOTA_BYTES = 200_000;
const SEND = '/v1/recordings/send';
const ANNOUNCE = '/v1/recordings/announce';

let server: TestServer;
const devices = createDevices(() => ({ serverUrl: server.url, keptRecordings: { quietMs: 0 } }));
beforeAll(async () => {
  const quotas = { FREE: QUOTA_BYTES, TRIALING: QUOTA_BYTES, PLUS: QUOTA_BYTES, PRO: QUOTA_BYTES };
  server = await startServer({ recordingQuotas: quotas });
});
beforeEach(() => {
  server.fail = null;
  server.failOn = null;
  server.cutAudioAfterBytes = null;
  server.requested = [];
});
afterEach(() => devices.closeAll());
afterAll(() => server.close());

let hissSeed = 7;
/** Syllables of noise, which encode to more bytes than a tone and differ each time. */
function hiss(seconds: number): Uint8Array<ArrayBuffer> {
  const pcm = new Int16Array(seconds * 16_000);
  hissSeed += 1;
  let state = hissSeed;
  for (let index = 0; index < pcm.length; index += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    pcm[index] = (index / 16_000) % 0.4 < 0.3 ? state / 2 ** 17 - 8_192 : (index % 7) - 3;
  }
  return new Uint8Array(pcm.buffer);
}

const speak = async (device: OpenHost, pcm = voiceLikePcm(2_000)) => ({ ...(await speakTurn(device, pcm)), pcm });
const agree = ({ ask }: OpenHost) => ask.recordings.keep({ isOn: true, deleteAll: false });
const kept = (device: OpenHost, count: number) =>
  vi.waitFor(async () => expect(await device.ask.recordings.keeping()).toMatchObject({ kept: count, waiting: 0 }), {
    timeout: 20_000,
    interval: 50,
  });
const wavOf = async ({ ask }: OpenHost, recordingId: RecordingId): Promise<Uint8Array> =>
  new Uint8Array(await (await ask.recordings.read({ recordingId })).arrayBuffer());
const placeOf = async ({ ask }: OpenHost, recordingId: RecordingId) =>
  (await ask.recordings.place({ recordingId })).place;
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: { code?: string }) => error.code ?? error,
  );
const files = (device: OpenHost, folder: string): string[] => {
  const path = join(device.dataDir, 'recordings', folder);
  return existsSync(path) ? readdirSync(path) : [];
};

describe('without consent', () => {
  it('nothing about a recording leaves the device', async () => {
    const device = await devices.open();
    await speak(device);
    await device.ask.sync.run();
    await device.host.whenIdle();
    expect(await device.ask.recordings.keeping()).toMatchObject({ isPossible: true, isOn: false, kept: 0, waiting: 0 });
    expect(server.requested.filter((path) => [SEND, ANNOUNCE].includes(path))).toEqual([]);
    expect(files(device, 'uploads')).toEqual([]);
  });

  it('is not given while the server cannot be reached', async () => {
    const device = await devices.open();
    server.fail = 'sync.offline';
    expect(await codeOf(agree(device))).toBe('sync.offline');
    expect(await device.ask.recordings.keeping()).toMatchObject({ isOn: false });
  });
});

describe('a recording', () => {
  it('plays on another device at full length, marked as a copy, and then offline', async () => {
    const one = await devices.open();
    const { recordingId, pcm } = await speak(one);
    await agree(one);
    await kept(one, 1);
    const two = await devices.openJoined(one);
    await vi.waitFor(async () => expect(await placeOf(two, recordingId)).toBe('copy'), {
      timeout: 20_000,
      interval: 50,
    });
    const wav = await wavOf(two, recordingId);
    expect(wav.byteLength).toBe(44 + pcm.byteLength);
    expect(await wavOf(one, recordingId)).toEqual(Uint8Array.from([...wav.subarray(0, 44), ...pcm]));
    expect([await placeOf(one, recordingId), await placeOf(two, recordingId)]).toEqual(['original', 'copy']);
    server.fail = 'sync.offline';
    expect(await wavOf(two, recordingId)).toEqual(wav);
  });

  it('is not sent while the learner speaks', async () => {
    const device = await devices.open();
    await speak(device);
    const { sessionId } = await startPractice(device.ask, 'audio');
    const { turnId } = await recordTurn(device.ask, sessionId);
    await agree(device);
    await device.ask.sync.run();
    await device.host.whenIdle();
    expect(server.requested).not.toContain(ANNOUNCE);
    await device.ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
    await device.ask.practice.sendTurn({ sessionId, turnId });
    await kept(device, 2);
    expect(server.requested).toContain(ANNOUNCE);
  });

  it('resumes sending where it stopped after the app was killed', { tags: ['slow'] }, async () => {
    const waiting = await devices.open({ keptRecordings: { quietMs: 3_600_000 } });
    const { recordingId, pcm } = await speak(waiting, hiss(30));
    await agree(waiting);
    await waiting.ask.sync.run();
    await devices.close(waiting);
    const script = fileURLToPath(new URL('../test-kit/keeping-process.ts', import.meta.url));
    const child = spawn(process.execPath, [script, waiting.dataDir, server.url], { stdio: 'inherit' });
    // The second of two parts never reaches the server, as if the app had been killed after the first.
    let sends = 0;
    server.failOn = (path) => {
      if (path !== SEND) return null;
      sends += 1;
      if (sends < 2) return null;
      child.kill('SIGKILL');
      return 'internal';
    };
    await once(child, 'exit');
    expect(child.signalCode).toBe('SIGKILL');
    expect(await server.read(sql`select start from recording_parts`)).toEqual([{ start: 0 }]);
    server.failOn = null;
    server.requested = [];
    const again = await devices.open({ dataDir: waiting.dataDir });
    await kept(again, 1);
    expect(server.requested.filter((path) => path === SEND)).toHaveLength(1);
    rmSync(join(again.dataDir, 'recordings', `${recordingId}.wav`));
    expect((await wavOf(again, recordingId)).byteLength).toBe(44 + pcm.byteLength);
    expect(files(again, 'uploads')).toEqual([]);
  });

  it('is kept once when responses get lost', { tags: ['slow'] }, async () => {
    const device = await devices.open({ chance: () => 0 });
    await speak(device);
    const lost = new Set<string>();
    server.failOn = (path) => {
      if (![SEND, ANNOUNCE].includes(path) || lost.has(path)) return null;
      lost.add(path);
      return 'drop';
    };
    await agree(device);
    await kept(device, 1);
    expect(lost.size).toBe(2);
    const [count] = await server.read(
      sql`select count(*)::int as count from kept_recordings where user_id = (select user_id from recording_accounts order by chosen_at desc limit 1)`,
    );
    expect(count).toEqual({ count: 1 });
  });

  it('waits, with a reason, while the plan has no space for it', { tags: ['slow'] }, async () => {
    const device = await devices.open();
    for (let count = 0; count < 4; count += 1) await speak(device, hiss(30));
    await agree(device);
    const full = await vi.waitFor(
      async () => {
        const keeping = await device.ask.recordings.keeping();
        expect(keeping.failure).toBe('recordings.full');
        return keeping;
      },
      { timeout: 30_000, interval: 50 },
    );
    expect(full.waiting).toBeGreaterThan(0);
    expect(full.isOn).toBe(true);
    // The original recordings are unaffected.
    expect(readdirSync(join(device.dataDir, 'recordings')).filter((name) => name.endsWith('.wav'))).toHaveLength(4);
  });

  it('is encoded again when the file on this disk was damaged', { tags: ['slow'] }, async () => {
    const waiting = await devices.open({ chance: () => 0 });
    const { recordingId } = await speak(waiting);
    server.failOn = (path) => (path === ANNOUNCE ? 'internal' : null);
    await agree(waiting);
    await vi.waitFor(() => expect(files(waiting, 'uploads')).toEqual([`${recordingId}.opus`]), 20_000);
    await devices.close(waiting);
    writeFileSync(join(waiting.dataDir, 'recordings', 'uploads', `${recordingId}.opus`), 'damaged');
    server.failOn = null;
    const device = await devices.open({ dataDir: waiting.dataDir });
    await kept(device, 1);
  });

  it('is sent again when the server has lost it', { tags: ['slow'] }, async () => {
    const one = await devices.open();
    const { recordingId } = await speak(one);
    await agree(one);
    await kept(one, 1);
    await server.execute(sql`update recording_blobs set sha256 = sha256, file_id = gen_random_uuid()`);
    const two = await devices.openJoined(one);
    // The second device finds that the server has no such file, and the server forgets it.
    expect(await codeOf(two.ask.recordings.read({ recordingId }))).toBe('recording.file_missing');
    await agree(one);
    await vi.waitFor(async () => expect((await wavOf(two, recordingId)).byteLength).toBe(44 + 64_000), {
      timeout: 20_000,
      interval: 100,
    });
  });
});

describe('a copy in the cache', () => {
  const twoDevices = async (options: Parameters<typeof devices.open>[0] = {}) => {
    const one = await devices.open();
    const [short, long] = [await speak(one), await speak(one, hiss(3))];
    await agree(one);
    await kept(one, 2);
    return { one, two: await devices.openJoined(one, options), short, long };
  };

  it('arrives although the connection is cut again and again', { tags: ['slow'] }, async () => {
    const { two, long } = await twoDevices();
    const { recordingId } = long;
    server.cutAudioAfterBytes = 3_000;
    let attempts = 0;
    await vi.waitFor(
      async () => {
        attempts += 1;
        expect((await wavOf(two, recordingId)).byteLength).toBe(44 + 3 * 32_000);
      },
      { timeout: 20_000, interval: 20 },
    );
    expect(attempts).toBeGreaterThan(2);
  });

  it('that was damaged is downloaded again', { tags: ['slow'] }, async () => {
    const { two, short } = await twoDevices();
    const { recordingId } = short;
    const wav = await wavOf(two, recordingId);
    const [name = ''] = files(two, 'copies');
    const file = join(two.dataDir, 'recordings', 'copies', name);
    const content = readFileSync(file);
    content[100] = (content[100] ?? 0) ^ 255;
    writeFileSync(file, content);
    expect(await wavOf(two, recordingId)).toEqual(wav);
    rmSync(file);
    expect(await wavOf(two, recordingId)).toEqual(wav);
  });

  it(
    'gives way to another one within the limit, but not when it is the only one left',
    { tags: ['slow'] },
    async () => {
      const devices = await twoDevices({ keptRecordings: { quietMs: 0, cacheBytes: 1_000 } });
      const { one, two, short: first, long: second } = devices;
      await wavOf(two, first.recordingId);
      await wavOf(two, second.recordingId);
      expect(files(two, 'copies')).toHaveLength(1);
      // Without the original, the cached copy is the only one from here on.
      await one.ask.recordings.keep({ isOn: false, deleteAll: true });
      const wav = await wavOf(two, second.recordingId);
      expect(wav.byteLength).toBe(44 + 3 * 32_000);
      expect(await codeOf(two.ask.recordings.read({ recordingId: first.recordingId }))).toBe('recording.not_found');
      expect(await wavOf(two, second.recordingId)).toEqual(wav);
    },
  );

  it('is part of an export', { tags: ['slow'] }, async () => {
    const { two, short, long } = await twoDevices();
    const { file } = await two.ask.account.exportAll();
    const entries = unzipSync(readFileSync(file));
    for (const { recordingId } of [short, long])
      expect(
        Buffer.from(entries[`copies/${recordingId}.opus`] ?? [])
          .subarray(0, 4)
          .toString(),
      ).toBe('OggS');
    expect(entries['MISSING COPIES.txt']).toBeUndefined();
    server.failOn = (path) => (path === '/v1/recordings/audio' ? 'sync.offline' : null);
    const other = await two.ask.account.exportAll();
    expect(Object.keys(unzipSync(readFileSync(other.file)))).toContain(`copies/${short.recordingId}.opus`);
  });

  it('is deleted with its session, a week later', { tags: ['slow'] }, async () => {
    const clock = aClock();
    const { two, short } = await twoDevices({ clock });
    const { sessionId, recordingId } = short;
    await vi.waitFor(async () => {
      await two.ask.sync.run();
      expect((await two.ask.history.list({ search: '', offset: 0, limit: 9 })).total).toBe(2);
    }, 20_000);
    await two.ask.practice.finish({ sessionId });
    await wavOf(two, recordingId);
    await two.ask.history.remove({ sessionId });
    await devices.close(two);
    clock.pass(8 * DAY_MS);
    const later = await devices.open({ dataDir: two.dataDir, clock });
    await later.host.whenIdle();
    expect(files(later, 'copies')).toEqual([]);
  });
});

describe('switching it off', () => {
  it('stops at once, even offline, and deletes as soon as the server can be reached', async () => {
    const device = await devices.open({ chance: () => 0 });
    await speak(device);
    await agree(device);
    await kept(device, 1);
    server.fail = 'sync.offline';
    const off = await device.ask.recordings.keep({ isOn: false, deleteAll: true });
    expect(off).toMatchObject({ isOn: false, isDeleting: true });
    await speak(device);
    server.fail = null;
    server.requested = [];
    await device.ask.sync.run();
    await vi.waitFor(
      async () =>
        expect(await device.ask.recordings.keeping()).toMatchObject({
          isOn: false,
          isDeleting: false,
          kept: 0,
          usedBytes: 0,
        }),
      { timeout: 20_000, interval: 50 },
    );
    expect(server.requested).not.toContain(SEND);
  });

  it('on one device stops the others', { tags: ['slow'] }, async () => {
    const one = await devices.open();
    await agree(one);
    const two = await devices.openJoined(one);
    await vi.waitFor(async () => expect(await two.ask.recordings.keeping()).toMatchObject({ isOn: true }), 20_000);
    await one.ask.recordings.keep({ isOn: false, deleteAll: false });
    await speak(two);
    await two.ask.sync.run();
    await vi.waitFor(
      async () => expect(await two.ask.recordings.keeping()).toMatchObject({ isOn: false, kept: 0 }),
      20_000,
    );
  });
});
