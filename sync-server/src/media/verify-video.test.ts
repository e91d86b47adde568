import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MP4, WEBM } from '../../test-kit/media/media-fixture.ts';
import { verifyVideo } from './verify-video.ts';

const dir = mkdtempSync(join(tmpdir(), 'parley-verify-'));

const verify = (...parts: Uint8Array[]) => {
  const path = join(dir, 'upload');
  writeFileSync(path, Buffer.concat(parts));
  return verifyVideo(path);
};

function atom(name: string, payload: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(payload.byteLength + header.byteLength);
  header.write(name, 4, 'latin1');
  return Buffer.concat([header, payload]);
}

/** Metadata that the parser reads as a whole. */
const aDate = (bytes: number): Buffer => atom('date', Buffer.alloc(bytes, ' '));

it.each([
  ['MP4', MP4, 'video/mp4'],
  ['WebM', WEBM, 'video/webm'],
])('finds how long a video in %s is', async (_what, content, mediaType) => {
  expect(await verify(content)).toEqual({ isVideo: true, mediaType, durationS: expect.closeTo(1, 1) });
});

it('skips boxes unrelated to the tracks, however long they are', async () => {
  expect(await verify(MP4, atom('free', Buffer.alloc(64 * 1_048_576)))).toMatchObject({ isVideo: true });
});

it('refuses a file whose description would fill the memory', { tags: ['slow'] }, async () => {
  const date = aDate(20 * 1_048_576);
  expect(await verify(MP4, date)).toMatchObject({ isVideo: true });
  expect(await verify(MP4, date, date)).toEqual({ isVideo: false, reason: 'damaged' });
});
