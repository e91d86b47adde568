import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { eq } from 'drizzle-orm';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  aSample,
  recordingClient,
  type RecordingClient,
  type Sample,
} from '../../test-kit/recordings/recordings-fixture.ts';
import {
  confirmDevice,
  joinDevice,
  type JsonResponse,
  registerDevice,
  startServer,
  type TestDevice,
  type TestServer,
} from '../../test-kit/server.ts';
import { catalogueIds, pushSession } from '../../test-kit/sync/rows.ts';
import { eraseDueAccounts, exportZip } from '../account/index.ts';
import type { DatabaseConnection } from '../db/client.ts';
import { keptRecordings, recordingBlobs, recordingErasures, recordingParts } from '../db/recording-tables.ts';
import { tables } from '../db/tables.ts';
import { createFolderStorage } from '../integrations/folder-storage/index.ts';
import type { FileStorage } from '../ports/storage/file-storage.ts';
import { renewServerEpoch } from '../sync/restore/epoch.ts';
import { createKeptRecordings, exportRecordings } from './index.ts';

const DAY_MS = 24 * 3_600_000;
const QUOTA_BYTES = 300_000;

/** `open` gives each server its own database. */
export function keptRecordingsSuite(open: () => Promise<DatabaseConnection>): void {
  const folder = mkdtempSync(join(tmpdir(), 'parley-recordings-'));
  const folderStorage = createFolderStorage(folder);
  /** A fault in place of the storage's normal behaviour. */
  let storageFault: Error | null = null;
  const failing = <Act extends (...args: never[]) => Promise<unknown>>(act: Act): Act =>
    ((...args) => (storageFault === null ? act(...args) : Promise.reject(storageFault))) as Act;
  const storage: FileStorage = {
    ...folderStorage,
    put: failing(folderStorage.put),
    delete: failing(folderStorage.delete),
  };
  let server: TestServer;
  let learner: TestDevice;
  let client: RecordingClient;
  let sample: Sample;
  const files = (): string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
  const kept = () => createKeptRecordings({ db: server.database.db, now: server.now, storage });

  beforeAll(async () => {
    server = await startServer(await open(), {
      withCatalogue: true,
      media: { storage, uploadsDir: join(folder, 'uploads'), limits: { maxFileBytes: 1, maxTotalBytes: 1 } },
      recordingQuotas: { FREE: QUOTA_BYTES, TRIALING: QUOTA_BYTES, PLUS: QUOTA_BYTES, PRO: QUOTA_BYTES },
    });
  });
  beforeEach(async () => {
    storageFault = null;
    learner = await registerDevice(server);
    client = recordingClient(server, learner);
    sample = await aSample();
    await client.ask('keep', { isOn: true });
  });
  afterAll(() => server.close());

  describe('consent', () => {
    it('is off until the learner agrees, and nothing is taken before', async () => {
      const stranger = recordingClient(server, await registerDevice(server));
      expect((await stranger.list()).body).toMatchObject({ keeping: { isOn: false, usedBytes: 0 } });
      expect(await stranger.announce(sample)).toMatchObject({ status: 409, body: { code: 'recordings.off' } });
      const sent = await stranger.send(sample.sha256, { offset: 0, content: sample.content });
      expect(sent).toMatchObject({ status: 409, body: { code: 'recordings.off' } });
      expect(await stranger.ask('keep', { isOn: true })).toMatchObject({
        body: { isOn: true, quotaBytes: QUOTA_BYTES },
      });
      expect(await stranger.announce(sample)).toMatchObject({ body: { status: 'missing', offset: 0 } });
    });

    it('can be withdrawn with the copies kept, and with all of them deleted', async () => {
      const others = new Set(files());
      await client.upload(sample);
      await client.ask('keep', { isOn: false, deleteAll: false });
      expect((await client.read(sample.recordingId)).content.equals(sample.content)).toBe(true);
      expect(await client.announce(await aSample())).toMatchObject({ body: { code: 'recordings.off' } });
      const off = await client.ask('keep', { isOn: false, deleteAll: true });
      expect(off.body).toMatchObject({ isOn: false, usedBytes: 0 });
      expect((await client.read(sample.recordingId)).status).toBe(404);
      await kept().cleanUp();
      expect(files().filter((file) => !others.has(file))).toEqual([]);
    });
  });

  describe('a choice that a device remembers', () => {
    const choose = async (input: object) => (await client.ask('keep', input)).body;
    const hour = (body: JsonResponse['body'], hours: number) =>
      new Date(Date.parse(String(body['chosenAt'])) + hours * 3_600_000).toISOString();

    it('counts when it is later than the one that this server knows', async () => {
      const known = (await client.list()).body['keeping'] as JsonResponse['body'];
      const earlier = { chosenAt: hour(known, -1), copiesDeletedAt: null };
      expect(await choose({ isOn: false, deleteAll: false, remembered: earlier })).toEqual(known);
      server.advanceClock(2 * 3_600_000);
      const later = { chosenAt: hour(known, 1), copiesDeletedAt: null };
      const off = await choose({ isOn: false, deleteAll: false, remembered: later });
      expect(off).toMatchObject({ isOn: false, chosenAt: later.chosenAt });
      expect(await choose({ isOn: true, remembered: later })).toEqual(off);
      // A device cannot state a time that would make every later choice count as earlier.
      const ahead = { chosenAt: hour(known, 999), copiesDeletedAt: null };
      expect(Date.parse(String((await choose({ isOn: true, remembered: ahead }))['chosenAt']))).toBeLessThanOrEqual(
        server.now().getTime(),
      );
      const now = await choose({ isOn: false, deleteAll: false });
      expect(now['isOn']).toBe(false);
    });

    it('deletes the copies that existed when the learner had all deleted, and no later ones', async () => {
      const deletedAt = server.now().toISOString();
      await client.upload(sample);
      server.advanceClock(3_600_000);
      const later = await aSample();
      await client.upload(later);
      const { keeping, generation } = (await client.list()).body as {
        keeping: JsonResponse['body'];
        generation: string;
      };
      const until = new Date(Date.parse(deletedAt) + 1_800_000).toISOString();
      await choose({ isOn: true, remembered: { chosenAt: keeping['chosenAt'], copiesDeletedAt: until } });
      expect(await client.list({ generation, after: 2 })).toMatchObject({
        recordingIds: [later.recordingId],
        body: { startsOver: true, keeping: { isOn: true, usedBytes: later.bytes + 1_024, copiesDeletedAt: until } },
      });
      server.advanceClock(3_600_000);
      const off = server.now().toISOString();
      await choose({ isOn: false, deleteAll: false, remembered: { chosenAt: off, copiesDeletedAt: off } });
      expect(await client.list()).toMatchObject({ recordingIds: [], body: { keeping: { isOn: false, usedBytes: 0 } } });
    });
  });

  describe('a copy', () => {
    it('is sent in parts, resumes where it was cut off, and is read back', async () => {
      const long = await aSample({ seconds: 20 });
      expect(await client.announce(long)).toMatchObject({ body: { status: 'missing', offset: 0 } });
      const part = (offset: number, end: number) =>
        client.send(long.sha256, { offset, content: long.content.subarray(offset, end) });
      expect(await part(0, 10_000)).toMatchObject({ body: { status: 'missing', offset: 10_000 } });
      expect(await client.announce(long)).toMatchObject({ body: { status: 'missing', offset: 10_000 } });
      // The same part again, and one that leaves a gap.
      expect(await part(0, 10_000)).toMatchObject({ body: { status: 'missing', offset: 10_000 } });
      expect(await part(20_000, 30_000)).toMatchObject({
        status: 409,
        body: { code: 'audio.gap', data: { detail: '10000' } },
      });
      expect(await client.upload(long)).toMatchObject({ body: { status: 'kept' } });
      const { content, headers } = await client.read(long.recordingId);
      expect(content.equals(long.content)).toBe(true);
      expect(headers).toMatchObject({
        'content-type': 'audio/ogg',
        etag: `"${long.sha256}"`,
        'x-content-type-options': 'nosniff',
      });
      const range = await client.read(long.recordingId, { range: 'bytes=100-199', 'if-range': `"${long.sha256}"` });
      expect([range.status, range.content.equals(long.content.subarray(100, 200))]).toEqual([206, true]);
      expect(await server.database.db.$count(recordingParts)).toBe(0);
    });

    it('is kept once, however often and from however many devices it is sent', async () => {
      const second = recordingClient(server, await joinDevice(server, learner));
      const before = files().length;
      await client.announce(sample);
      const both = await Promise.all([client.upload(sample), second.upload(sample)]);
      expect(both.map(({ body }) => body['status'])).toEqual(['kept', 'kept']);
      const otherEncoding = await aSample();
      expect(await second.announce({ ...otherEncoding, recordingId: sample.recordingId })).toMatchObject({
        body: { status: 'kept', sha256: sample.sha256, bytes: sample.bytes },
      });
      expect((await client.list()).recordingIds).toEqual([sample.recordingId]);
      expect(files()).toHaveLength(before + 1);
    });

    it('is listed in order from where a device is, and again after a deletion', async () => {
      const all = [sample, await aSample(), await aSample()];
      for (const each of all) await client.upload(each);
      const first = await client.list();
      expect(first.recordingIds).toEqual(all.map(({ recordingId }) => recordingId));
      const { generation, next } = first.body;
      const later = await aSample();
      await client.upload(later);
      expect(await client.list({ generation, after: next })).toMatchObject({
        recordingIds: [later.recordingId],
        body: { startsOver: false, hasMore: false },
      });
      await client.ask('keep', { isOn: false, deleteAll: true });
      expect(await client.list({ generation, after: next })).toMatchObject({
        recordingIds: [],
        body: { startsOver: true },
      });
    });

    it(
      'is refused when the plan has no space left, and the copies that are there stay',
      { tags: ['slow'] },
      async () => {
        const large = await Promise.all([1, 2, 3, 4].map(() => aSample({ seconds: 30 })));
        const outcomes = [];
        for (const each of large) outcomes.push(await client.upload(each));
        expect(outcomes.some(({ body }) => body['status'] === 'kept')).toBe(true);
        expect(outcomes.at(-1)).toMatchObject({ status: 402, body: { code: 'recordings.full' } });
        const { keeping } = (await client.list()).body as { keeping: { usedBytes: number } };
        expect(keeping.usedBytes).toBeLessThanOrEqual(QUOTA_BYTES);
      },
    );

    it('is sent again after the disk of the server was full', async () => {
      storageFault = Object.assign(new Error('no space'), { code: 'ENOSPC' });
      expect(await client.upload(sample)).toMatchObject({ status: 507, body: { code: 'storage.full' } });
      expect((await client.list()).recordingIds).toEqual([]);
      storageFault = null;
      expect(await client.upload(sample)).toMatchObject({ body: { status: 'kept' } });
      expect((await client.read(sample.recordingId)).content.equals(sample.content)).toBe(true);
    });

    it('is sent again after its file was damaged or lost', async () => {
      for (const damage of [
        (key: string) =>
          folderStorage.put(key, Readable.from([Buffer.alloc(sample.bytes)]), {
            bytes: sample.bytes,
            mediaType: 'audio/ogg',
          }),
        (key: string) => folderStorage.delete(key),
      ]) {
        await client.upload(sample);
        expect(await client.ask('verify', { recordingId: sample.recordingId })).toMatchObject({
          body: { isIntact: true },
        });
        const { generation } = (await client.list()).body;
        const [blob] = await server.database.db
          .select()
          .from(recordingBlobs)
          .where(eq(recordingBlobs.sha256, sample.sha256));
        await damage(`recordings/${blob?.fileId.slice(0, 2)}/${blob?.fileId}`);
        const served = await client.read(sample.recordingId);
        expect([200, 404]).toContain(served.status);
        expect(served.content.equals(sample.content)).toBe(false);
        expect(await client.ask('verify', { recordingId: sample.recordingId })).toMatchObject({
          body: { isIntact: false },
        });
        expect(await client.list({ generation, after: 99 })).toMatchObject({
          recordingIds: [],
          body: { startsOver: true },
        });
        await client.upload(sample);
        expect((await client.read(sample.recordingId)).content.equals(sample.content)).toBe(true);
      }
    });
  });

  describe('a deletion', () => {
    it('of a session deletes its copies and files a week later, despite failures', async () => {
      await kept().cleanUp();
      const other = await aSample();
      const { rowId: sessionId } = await pushSession(server, learner, await catalogueIds(learner));
      sample = { ...sample, sessionId };
      await client.upload(sample);
      await client.upload(other);
      const before = files();
      await server.database.db
        .update(tables.practiceHistory)
        .set({ deletedAt: server.now() })
        .where(eq(tables.practiceHistory.id, sample.sessionId));
      await kept().cleanUp();
      expect((await client.list()).recordingIds).toHaveLength(2);
      server.advanceClock(7 * DAY_MS + 1);
      storageFault = new Error('the storage is away');
      // Uploads that other tests abandoned are due as well.
      expect((await kept().cleanUp()).failures).not.toEqual([]);
      expect((await client.list()).recordingIds).toEqual([other.recordingId]);
      expect((await client.read(sample.recordingId)).status).toBe(404);
      expect(files()).toEqual(before);
      storageFault = null;
      expect(await kept().cleanUp()).toMatchObject({ failures: [] });
      expect(files()).toHaveLength(before.length - 1);
      expect(await server.database.db.$count(recordingErasures)).toBe(0);
    });

    it('of the account deletes all of its copies and no others', async () => {
      const other = recordingClient(server, await registerDevice(server));
      await other.ask('keep', { isOn: true });
      const theirs = await aSample();
      await other.upload(theirs);
      await client.upload(sample);
      await client.announce(await aSample());
      await confirmDevice(server, learner);
      expect(await server.post('/v1/account/request-deletion', {}, learner.token)).toMatchObject({ status: 200 });
      server.advanceClock(31 * DAY_MS);
      await eraseDueAccounts({
        db: server.database.db,
        now: server.now,
        onFailure: (error) => {
          throw error;
        },
      });
      expect(await server.database.db.$count(keptRecordings, eq(keptRecordings.userId, learner.userId))).toBe(0);
      await kept().cleanUp();
      expect((await other.read(theirs.recordingId)).content.equals(theirs.content)).toBe(true);
      const stillThere = await server.database.db
        .select()
        .from(recordingBlobs)
        .where(eq(recordingBlobs.sha256, sample.sha256));
      expect(stillThere).toEqual([]);
      for (const name of files())
        expect(await server.database.db.$count(recordingBlobs, eq(recordingBlobs.fileId, name))).toBe(1);
    });

    it('reaches uploads that were given up, and files that no row has', async () => {
      await client.announce(sample);
      const orphan = `recordings/00/${randomUUID()}`;
      await folderStorage.put(orphan, Readable.from([Buffer.from('orphan')]), { bytes: 6, mediaType: 'audio/ogg' });
      const later = (days: number) =>
        createKeptRecordings({ db: server.database.db, now: () => new Date(Date.now() + days * DAY_MS), storage });
      expect(await later(0).cleanUp()).toMatchObject({ uploads: 0, orphans: 0 });
      expect(await later(90).cleanUp()).toMatchObject({ uploads: 1, orphans: 1 });
      expect(await folderStorage.stat(orphan)).toBeNull();
    });
  });

  it('a list starts over in a new epoch, and for a device that has listed more than there is', async () => {
    await client.upload(sample);
    const { generation, next } = (await client.list()).body;
    expect(await client.list({ generation, after: Number(next) + 1 })).toMatchObject({
      recordingIds: [sample.recordingId],
      body: { startsOver: true, generation },
    });
    await server.database.db.transaction(renewServerEpoch);
    expect(await client.list({ generation, after: next })).toMatchObject({
      recordingIds: [sample.recordingId],
      body: { startsOver: true },
    });
  });

  it('the export of an account contains its copies as files', async () => {
    await client.upload(sample);
    const pieces: Uint8Array[] = [];
    const { db } = server.database;
    for await (const piece of exportZip(
      db,
      { userId: learner.userId, conversationOf: async () => [] },
      exportRecordings({ db, storage }, learner.userId),
    ))
      pieces.push(piece);
    const exported = unzipSync(Buffer.concat(pieces));
    expect(Buffer.from(exported[`recordings/${sample.recordingId}.opus`] ?? []).equals(sample.content)).toBe(true);
    expect(Buffer.from(exported['kept_recordings.csv'] ?? []).toString()).toContain(sample.sha256);
  });
}
