import { ORPCError } from '@orpc/client';
import type { VideoCopy } from '@parley/contract';
import { type IncomingMessage, createServer, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openHost, type OpenHost } from '../test-kit/open-host.ts';
import { leaveFreeBytes } from '../test-kit/small-disk.ts';
import { aCatalogue, testId } from '../test-kit/test-catalogue.ts';

const VIDEO = testId(81);
const MEDIA = testId(85);
const ANOTHER_MEDIA = testId(86);
const CONTENT = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251));
const ETAG = '"first"';

async function withVideo(fileUrl = `/media/${MEDIA}`) {
  const catalogue = await aCatalogue();
  const [section] = catalogue.courseSections;
  if (section === undefined) throw new Error('no section');
  const { createdAt, updatedAt, syncVersion, deletedAt, courseSectionId } = section;
  const mixin = { createdAt, updatedAt, syncVersion, deletedAt };
  const video = { videoId: VIDEO, title: 'A tour', description: '', fileUrl, transcript: '' };
  const placed = { courseSectionVideoId: testId(91), courseSectionId, videoId: VIDEO, position: 9 };
  return {
    ...catalogue,
    videos: [{ ...mixin, ...video, availability: 'ready' as const }],
    courseSectionVideos: [{ ...mixin, ...placed }],
  };
}

/** The server's behaviour for the next requests. */
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let ranges: (string | undefined)[] = [];
let server: Server;
let serverUrl = '';
let device: OpenHost;

const sendFile =
  (content = CONTENT, etag = ETAG) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    const { range, 'if-range': ifRange } = request.headers;
    const from = ifRange === etag ? Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0) : 0;
    const part = content.subarray(from);
    const isPart = from > 0;
    response.writeHead(isPart ? 206 : 200, {
      'content-type': 'video/mp4',
      'content-length': part.byteLength,
      etag,
      ...(isPart ? { 'content-range': `bytes ${from}-${content.byteLength - 1}/${content.byteLength}` } : {}),
    });
    response.end(part);
  };

/** Sends the first bytes, and then nothing more. */
const stallAfter = (bytes: number) => (_request: IncomingMessage, response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': CONTENT.byteLength, etag: ETAG });
  response.write(CONTENT.subarray(0, bytes));
};

beforeEach(async () => {
  answer = sendFile();
  ranges = [];
  server = createServer((request, response) => {
    if (request.url?.startsWith('/media/') !== true) return void response.writeHead(404).end();
    ranges.push(request.headers.range);
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  serverUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  device = await openHost({ serverUrl, loadCatalogue: withVideo });
});
afterEach(async () => {
  await device.host.close();
  server.closeAllConnections();
  server.close();
});

const copy = (): Promise<VideoCopy> => device.ask.videos.copy({ videoId: VIDEO });
const keep = () => device.ask.videos.keep({ videoId: VIDEO });
const settled = () =>
  vi.waitFor(async () => {
    const now = await copy();
    expect(now.state).not.toBe('loading');
    return now;
  }, 10_000);
async function loadAndLoseConnection(bytes: number): Promise<void> {
  answer = stallAfter(bytes);
  await keep();
  await vi.waitFor(async () => expect(await copy()).toMatchObject({ state: 'loading', bytes }), 10_000);
  server.closeAllConnections();
}
const files = () => readdirSync(join(device.dataDir, 'videos')).toSorted();
async function restart(fileUrl?: string): Promise<void> {
  await device.host.close();
  device = await openHost({ dataDir: device.dataDir, serverUrl: null, loadCatalogue: () => withVideo(fileUrl) });
}

describe('a copy of a video', () => {
  it('is downloaded, plays without a server, and is removed', async () => {
    expect(await copy()).toEqual({ state: 'none' });
    await keep();
    expect(await settled()).toEqual({ state: 'kept', bytes: CONTENT.byteLength });
    await restart();
    expect(await device.host.videoFiles.find({ videoId: VIDEO, part: 'file' })).toEqual({
      ok: true,
      value: {
        path: join(device.dataDir, 'videos', `${MEDIA}.video`),
        bytes: CONTENT.byteLength,
        mediaType: 'video/mp4',
        etag: ETAG,
      },
    });
    expect(readFileSync(join(device.dataDir, 'videos', `${MEDIA}.video`)).equals(CONTENT)).toBe(true);
    expect(await device.ask.videos.copies()).toEqual({
      copies: [{ videoId: VIDEO, title: 'A tour', bytes: CONTENT.byteLength }],
      usedBytes: CONTENT.byteLength,
      maxBytes: expect.any(Number),
    });
    await device.ask.videos.remove({ videoId: VIDEO });
    expect(await copy()).toEqual({ state: 'none' });
    expect(files()).toEqual([]);
  });

  it('continues where the connection was lost', async () => {
    await loadAndLoseConnection(120_000);
    expect(await settled()).toEqual({
      state: 'interrupted',
      bytes: 120_000,
      totalBytes: CONTENT.byteLength,
      failure: 'sync.offline',
    });
    answer = sendFile();
    await keep();
    expect(await settled()).toEqual({ state: 'kept', bytes: CONTENT.byteLength });
    expect(ranges).toEqual([undefined, 'bytes=120000-']);
    expect(readFileSync(join(device.dataDir, 'videos', `${MEDIA}.video`)).equals(CONTENT)).toBe(true);
  });

  it('begins again when the server has another file', async () => {
    await loadAndLoseConnection(120_000);
    await settled();
    const other = Buffer.alloc(50_000, 'x');
    answer = sendFile(other, '"second"');
    await keep();
    expect(await settled()).toEqual({ state: 'kept', bytes: other.byteLength });
    expect(readFileSync(join(device.dataDir, 'videos', `${MEDIA}.video`)).equals(other)).toBe(true);
  });

  it('waits for the learner after the app was closed', async () => {
    answer = stallAfter(1_000);
    await keep();
    await vi.waitFor(async () => expect(await copy()).toMatchObject({ state: 'loading', bytes: 1_000 }), 10_000);
    await restart();
    expect(await copy()).toEqual({
      state: 'interrupted',
      bytes: 1_000,
      totalBytes: CONTENT.byteLength,
      failure: null,
    });
    expect(await device.host.videoFiles.find({ videoId: VIDEO, part: 'file' })).toMatchObject({ ok: false });
  });

  it('is stopped by its removal', async () => {
    answer = stallAfter(1_000);
    await keep();
    await vi.waitFor(async () => expect(await copy()).toMatchObject({ bytes: 1_000 }), 10_000);
    await device.ask.videos.remove({ videoId: VIDEO });
    expect(await copy()).toEqual({ state: 'none' });
    expect(files()).toEqual([]);
  });

  it('goes with the file that it is of', async () => {
    await keep();
    await settled();
    await restart(`/media/${ANOTHER_MEDIA}`);
    await restart(`/media/${ANOTHER_MEDIA}`);
    expect(files()).toEqual([]);
  });
});

describe('a download', () => {
  it.each([
    ['takes more than all copies may', 'limit', 200, { 'content-type': 'video/mp4', 'content-length': 6 * 2 ** 30 }],
    ['is a page', 'sync.offline', 200, { 'content-type': 'text/html', 'content-length': 5 }],
    ['has no length', 'sync.offline', 200, { 'content-type': 'video/mp4', 'transfer-encoding': 'chunked' }],
    ['redirects', 'sync.offline', 302, { location: '/media/elsewhere' }],
    ['is refused', 'course.locked', 402, { 'content-type': 'application/json' }],
  ])('that %s keeps nothing and says so', async (_what, failure, status, headers) => {
    answer = (_request, response) => {
      response.writeHead(status, headers);
      response.end(status === 402 ? '{"code":"course.locked"}' : 'bytes');
    };
    await keep();
    expect(await settled()).toEqual({ state: 'interrupted', bytes: 0, totalBytes: null, failure });
    expect(files()).toEqual([]);
    expect((await device.ask.videos.copies()).usedBytes).toBe(0);
    expect(ranges).toHaveLength(1);
  });

  it('leaves room on the disk for the learner’s own work', async () => {
    const free = leaveFreeBytes(50 * 2 ** 20);
    await keep();
    expect(await settled()).toEqual({ state: 'interrupted', bytes: 0, totalBytes: null, failure: 'storage.full' });
    expect(files()).toEqual([]);
    free();
    await keep();
    expect(await settled()).toEqual({ state: 'kept', bytes: CONTENT.byteLength });
  });

  it('does not read a refusal without an end', async () => {
    const ENOUGH_MIB = 400;
    let sentMib = 0;
    answer = (_request, response) => {
      response.writeHead(402, { 'content-type': 'application/json' });
      const endless = function* () {
        for (; sentMib < ENOUGH_MIB && !response.destroyed; sentMib += 1) yield Buffer.alloc(2 ** 20, ' ');
      };
      Readable.from(endless()).pipe(response);
    };
    await keep();
    expect(await settled()).toMatchObject({ state: 'interrupted' });
    expect(sentMib).toBeLessThan(ENOUGH_MIB);
  });

  it('is refused for a video that no course has', async () => {
    const refused: unknown = await device.ask.videos.keep({ videoId: testId(99) }).catch((error: unknown) => error);
    expect(refused instanceof ORPCError ? refused.code : null).toBe('video.not_found');
  });
});
