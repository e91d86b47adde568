import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:http';
import { Readable } from 'node:stream';
import type { Row } from '@parley/domain';
import { createFolderStorage } from '@parley/sync-server/test-kit/media';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openHost, type OpenHost, removeDataFolders } from '../../host/test-kit/open-host.ts';
import { aCatalogue, testId } from '../../host/test-kit/test-catalogue.ts';
import { startServer, type TestServer } from '../../host/test-kit/test-server.ts';
import { fetchVideo } from '../fetch-video.ts';
import { startWindowServer, type WindowServer } from './window-server.ts';

const CONTENT = Buffer.from('not really a video, but sent like one');
const COVER = Buffer.from('a picture');
const [READY, SOON, ELSEWHERE, LOCAL_FILE, FILE] = [testId(81), testId(82), testId(83), testId(84), testId(85)];
const folder = mkdtempSync(join(tmpdir(), 'parley-videos-'));
let server: TestServer;
let opened: OpenHost;
let window: WindowServer;
let page: { address: string; cookie: string };

beforeAll(async () => {
  const storage = createFolderStorage(join(folder, 'files'));
  const put = (key: string, content: Buffer, mediaType: string) =>
    storage.put(key, Readable.from([content]), { bytes: content.byteLength, mediaType });
  await put(`media/${FILE}`, CONTENT, 'video/mp4');
  await put(`covers/${FILE}`, COVER, 'image/png');
  const limits = { maxFileBytes: 1_000_000, maxTotalBytes: 1_000_000 };
  const catalogue = { ...(await aCatalogue()), videos: await someVideos() };
  server = await startServer({ media: { storage, uploadsDir: join(folder, 'uploads'), limits } });
  const hashes = [CONTENT, COVER].map((bytes) => createHash('sha256').update(bytes).digest('base64url'));
  await server.execute(sql`insert into media values (${FILE}, 'ready', 'tour.mp4', ${CONTENT.byteLength},
    'video/mp4', ${hashes[0]}, 1, 'image/png', ${hashes[1]}, ${testId(1)}, now())`);
  await server.execute(sql`insert into videos (video_id, title, description, file_url, transcript, availability,
    created_at, updated_at, sync_version) values (${READY}, '', '', ${`/media/${FILE}`}, '', 'ready', now(), now(), 1)`);
  opened = await openHost({ serverUrl: server.url, loadCatalogue: async () => catalogue });
  const rendererDir = join(folder, 'renderer');
  mkdirSync(rendererDir);
  writeFileSync(join(rendererDir, 'index.html'), '<!doctype html><html><head></head><body>Parley</body></html>');
  window = await startWindowServer({
    host: { host: async () => opened.host },
    dataDir: opened.dataDir,
    rendererDir,
  });
  const entered = await fetch(window.createAddress());
  const path = /content="0;url=([^"]+)"/.exec(await entered.text())?.[1] ?? '';
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
  page = { address: `${window.origin}${path}`, cookie };
  await vi.waitFor(async () => expect((await get(READY)).status).toBe(200), { timeout: 60_000 });
}, 180_000);
afterAll(async () => {
  await window.close();
  await opened.host.close();
  await server.close();
  removeDataFolders();
  rmSync(folder, { recursive: true, force: true });
});

async function someVideos(): Promise<Row<'videos'>[]> {
  const [course] = (await aCatalogue()).courses;
  if (course === undefined) throw new Error('no course');
  const { createdAt, updatedAt, syncVersion, deletedAt } = course;
  const video = (videoId: string, fileUrl: string, availability: Row<'videos'>['availability'] = 'ready') => ({
    createdAt,
    updatedAt,
    syncVersion,
    deletedAt,
    videoId,
    fileUrl,
    availability,
    title: 'A tour',
    description: '',
    transcript: '',
  });
  return [
    video(READY, `/media/${FILE}`),
    video(SOON, `/media/${FILE}`, 'not_ready'),
    video(ELSEWHERE, 'https://videos.example/tour.mp4'),
    video(LOCAL_FILE, 'file:///etc/passwd'),
  ];
}

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${page.address}videos/${path}`, { method, headers: { cookie: page.cookie, ...headers } });

describe('a video in the window', () => {
  it('comes through the host, whole and in ranges', async () => {
    const whole = await get(READY);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'accept-ranges': 'bytes',
      'content-length': String(CONTENT.byteLength),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("media-src 'self'"),
    });
    expect(Buffer.from(await whole.arrayBuffer()).equals(CONTENT)).toBe(true);
    const part = await get(READY, { range: 'bytes=4-9' });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 4-9/${CONTENT.byteLength}`);
    expect(await part.text()).toBe('really');
    expect((await get(READY, { range: 'bytes=999-' })).status).toBe(416);
    expect((await get(READY, {}, 'HEAD')).headers.get('content-length')).toBe(String(CONTENT.byteLength));
  });

  it('has its cover', async () => {
    const cover = await get(`${READY}/cover`);
    expect(cover.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await cover.arrayBuffer()).equals(COVER)).toBe(true);
  });

  it.each([SOON, LOCAL_FILE, testId(99), `${ELSEWHERE}/cover`])('is not found as %s', async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  it('is shown to this window only', async () => {
    expect((await fetch(`${page.address}videos/${READY}`)).status).toBe(403);
  });

  it('elsewhere is fetched without the device’s token', async () => {
    expect(await opened.host.videoFiles.find({ videoId: ELSEWHERE, part: 'file' })).toEqual({
      url: 'https://videos.example/tour.mp4',
      headers: {},
    });
  });

  it('is missing while the server is', async () => {
    server.fail = 'internal';
    expect((await get(READY)).status).toBe(502);
    server.fail = null;
  });
});

describe('an address that returns something else than a video', () => {
  let other: Server;
  let url = '';
  beforeAll(async () => {
    other = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'a=b' }).end('<script>alert(1)</script>');
    });
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
    const bound = other.address();
    url = `http://127.0.0.1:${typeof bound === 'object' ? (bound?.port ?? 0) : 0}`;
  });
  afterAll(() => new Promise<void>((resolve) => void other.close(() => resolve())));

  it('is refused', async () => {
    const asked = { method: 'GET', header: () => null, signal: new AbortController().signal };
    expect(await fetchVideo({ url, headers: {} }, asked)).toEqual({ status: 502, headers: {}, body: null });
    expect((await fetchVideo({ url: 'http://127.0.0.1:1', headers: {} }, asked)).status).toBe(504);
  });
});
