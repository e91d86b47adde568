import { randomBytes, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { RECORDING_CHUNK_BYTES } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aSample,
  recordingClient,
  type RecordingClient,
  type Sample,
  sha256Of,
} from '../../test-kit/recordings/recordings-fixture.ts';
import { registerDevice, startServer, type TestServer } from '../../test-kit/server.ts';
import type { DatabaseConnection } from '../db/client.ts';
import { recordingBlobs, recordingParts } from '../db/recording-tables.ts';

export function recordingAttacksSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let honest: RecordingClient;
  let attacker: RecordingClient;
  let sample: Sample;
  beforeAll(async () => {
    server = await startServer(await open());
    honest = recordingClient(server, await registerDevice(server));
    attacker = recordingClient(server, await registerDevice(server));
    await honest.ask('keep', { isOn: true });
    await attacker.ask('keep', { isOn: true });
    sample = await aSample();
    await honest.upload(sample);
  });
  afterAll(() => server.close());

  const forged = (content: Buffer): Sample => ({
    recordingId: randomUUID(),
    sessionId: randomUUID(),
    sha256: sha256Of(content),
    bytes: content.byteLength,
    content,
  });

  describe('another learner’s copy', () => {
    it('cannot be read, verified, listed, or distinguished from a missing one', async () => {
      const theirs = await attacker.read(sample.recordingId);
      const nobodys = await attacker.read(randomUUID());
      expect([theirs.status, theirs.content.toString()]).toEqual([nobodys.status, nobodys.content.toString()]);
      expect(await attacker.ask('verify', { recordingId: sample.recordingId })).toMatchObject({
        body: { isIntact: false },
      });
      expect((await honest.read(sample.recordingId)).content.equals(sample.content)).toBe(true);
      expect((await attacker.list()).recordingIds).toEqual([]);
    });

    it('is not handed out to a caller who knows its hash', async () => {
      expect(await attacker.announce(sample)).toMatchObject({ body: { status: 'missing', offset: 0 } });
      expect((await attacker.read(sample.recordingId)).status).toBe(404);
    });

    it('is neither read nor sent without a token', async () => {
      const stranger = recordingClient(server, { token: 'made-up' });
      expect((await stranger.read(sample.recordingId)).status).toBe(401);
      for (const name of ['keep', 'list', 'announce', 'verify'] as const)
        expect(await stranger.ask(name, {}), name).toMatchObject({ status: 401 });
      expect(await stranger.send(sample.sha256, { offset: 0, content: sample.content })).toMatchObject({ status: 401 });
    });
  });

  describe('a copy with false claims', () => {
    const refused = async (lie: Sample) => {
      const outcome = await attacker.upload(lie);
      expect((await attacker.read(lie.recordingId)).status).toBe(404);
      return outcome;
    };

    it('about its hash, its type or its content is refused, and nothing of it stays', async () => {
      const before = await server.database.db.$count(recordingBlobs);
      const other = await aSample();
      const lies = [
        { ...other, sha256: sha256Of(Buffer.from('something else')) },
        forged(randomBytes(500)),
        forged(Buffer.from('<!doctype html><script>alert(1)</script>')),
        forged(other.content.subarray(0, -1)),
        forged(Buffer.concat([other.content, other.content])),
      ];
      for (const lie of lies)
        expect(await refused(lie)).toMatchObject({ status: 400, body: { code: 'audio.invalid' } });
      expect(await server.database.db.$count(recordingBlobs)).toBe(before);
      expect(await server.database.db.$count(recordingParts)).toBe(0);
    });

    it('about its length is refused by the first byte that is too many', async () => {
      const long = await aSample({ seconds: 3 });
      await attacker.announce(long, { bytes: 100 });
      expect(await attacker.send(long.sha256, { offset: 0, content: long.content.subarray(0, 101) })).toMatchObject({
        status: 413,
        body: { code: 'request.too_large' },
      });
      expect(await attacker.announce(long)).toMatchObject({ status: 400, body: { data: { field: 'bytes' } } });
    });

    it.each([0, -1, 1.5, 2 ** 20 + 1, 2 ** 40, '100', null])('about its size as %j is refused', async (bytes) => {
      expect(await attacker.announce(sample, { bytes })).toMatchObject({ status: 400 });
    });
  });

  describe('a part', () => {
    it('that is too long or compressed is refused unread', async () => {
      const content = randomBytes(RECORDING_CHUNK_BYTES + 1);
      expect(await attacker.send(sample.sha256, { offset: 0, content })).toMatchObject({ status: 413 });
      const bomb = gzipSync(Buffer.alloc(10_000_000));
      const packed = await attacker.send(sample.sha256, {
        offset: 0,
        content: bomb,
        headers: { 'content-encoding': 'gzip' },
      });
      expect(packed).toMatchObject({ status: 400, body: { data: { field: 'content-encoding' } } });
    });

    it.each(['text/html', 'application/json', 'audio/wav'])('of the type %s is refused', async (type) => {
      const sent = await attacker.send(sample.sha256, {
        offset: 0,
        content: Buffer.from('{}'),
        headers: { 'content-type': type },
      });
      expect(sent).toMatchObject({ status: 400 });
    });

    it.each(['-1', 'NaN', '1e99', '', '0&offset=1', '9007199254740993'])(
      'at the offset %j is refused',
      async (offset) => {
        const sent = await attacker.send(sample.sha256, {
          offset: offset as unknown as number,
          content: sample.content,
        });
        expect([400, 409, 413]).toContain(sent.status);
      },
    );

    it('of audio that was not announced is refused', async () => {
      const unknown = await attacker.send(sha256Of(randomBytes(8)), { offset: 0, content: sample.content });
      expect(unknown).toMatchObject({ status: 404, body: { code: 'recording.not_found' } });
    });
  });

  it.each(['../../secret', '..%2f..%2fsecret', '%00', 'x'.repeat(64), 'A'.repeat(64), `${'0'.repeat(63)}/`])(
    'a path in place of a hash or an id finds nothing: %j',
    async (path) => {
      expect((await attacker.send(path, { offset: 0, content: sample.content })).status).toBe(400);
      expect((await attacker.read(path)).status).toBe(400);
      expect(await attacker.announce(sample, { sha256: path })).toMatchObject({ status: 400 });
    },
  );

  it.each(['bytes=0-,0-,0-,0-', 'bytes=-0', 'bytes=99999999-', 'bytes=5-2', `bytes=${'0-1,'.repeat(5_000)}`])(
    'a range that asks for too much gets at most the copy once (%#)',
    async (range) => {
      const { status, content } = await honest.read(sample.recordingId, { range });
      expect([200, 206, 416, 431]).toContain(status);
      expect(content.byteLength).toBeLessThanOrEqual(sample.bytes);
    },
  );
}
