import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:http';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { type ErrorCode, ERROR_STATUS_BY_CODE } from '@parley/contract';
import { ok, type Row } from '@parley/domain';
import { createFolderStorage } from '@parley/sync-server/test-kit/media';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openHost, type OpenHost } from '../../host/test-kit/open-host.ts';
import { aCatalogue, testId } from '../../host/test-kit/test-catalogue.ts';
import { startServer, type TestServer } from '../../host/test-kit/test-server.ts';
import { fetchVideo } from '../fetch-video.ts';
import { startWindowServer, type WindowServer } from './window-server.ts';

const CONTENT = Buffer.from('not really a video, but sent like one');
const COMPRESSED = gzipSync(Buffer.alloc(100_000));
const COVER = Buffer.from('a picture');
const [READY, SOON, ELSEWHERE, LOCAL_FILE, FILE, UNPLACED] = [81, 82, 83, 84, 85, 86].map(testId) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
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
  const catalogue = { ...(await aCatalogue()), ...(await someVideos()) };
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
    windowDir: opened.dataDir,
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
});

/** All but one of them are in the only section of the course. */
async function someVideos(): Promise<{ videos: Row<'videos'>[]; courseSectionVideos: Row<'courseSectionVideos'>[] }> {
  const { courses, courseSections } = await aCatalogue();
  const [course, section] = [courses[0], courseSections[0]];
  if (course === undefined || section === undefined) throw new Error('no course');
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
  return {
    videos: [
      video(READY, `/media/${FILE}`),
      video(SOON, `/media/${FILE}`, 'not_ready'),
      video(ELSEWHERE, 'https://videos.example/tour.mp4'),
      video(LOCAL_FILE, 'file:///etc/passwd'),
      video(UNPLACED, `/media/${FILE}`),
    ],
    courseSectionVideos: [READY, SOON, ELSEWHERE, LOCAL_FILE].map((videoId, index) => ({
      createdAt,
      updatedAt,
      syncVersion,
      deletedAt,
      courseSectionVideoId: testId(91 + index),
      courseSectionId: section.courseSectionId,
      videoId,
      position: 10 + index,
    })),
  };
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

  it.each([
    ['one that is still to come', SOON],
    ['one that no course has', UNPLACED],
    ['a file of this computer', LOCAL_FILE],
    ['the file of another server', ELSEWHERE],
    ['the cover of another server', `${ELSEWHERE}/cover`],
    ['one that does not exist', testId(99)],
  ])('is not found when it is %s', async (_what, path) => {
    const refused = await get(path);
    expect([refused.status, await refused.json()]).toEqual([404, { code: 'video.not_found' }]);
  });

  it('is shown to this window only', async () => {
    expect((await fetch(`${page.address}videos/${READY}`)).status).toBe(403);
  });

  it('is refused by name while the server fails, and without one', async () => {
    server.fail = 'internal';
    const refused = await get(READY);
    server.fail = null;
    expect([refused.status, await refused.json()]).toEqual([503, { code: 'sync.offline' }]);
    const { host } = await openHost({
      loadCatalogue: async () => ({ ...(await aCatalogue()), ...(await someVideos()) }),
    });
    expect(await host.videoFiles.find({ videoId: READY, part: 'file' })).toMatchObject({
      error: { code: 'sync.offline' },
    });
    await host.close();
  });
});

describe('a video that is kept on this computer', () => {
  it('plays in ranges while the server is away', async () => {
    await opened.ask.videos.keep({ videoId: READY });
    await vi.waitFor(async () =>
      expect(await opened.ask.videos.copy({ videoId: READY })).toMatchObject({ state: 'kept' }),
    );
    server.fail = 'internal';
    const answers = await Promise.all(
      [{}, { range: 'bytes=4-9' }, { range: 'bytes=30-' }, { range: 'bytes=-4' }, { range: 'bytes=999-' }].map(
        async (headers) => {
          const answer = await get(READY, headers);
          return [answer.status, answer.headers.get('content-range'), await answer.text()];
        },
      ),
    );
    const head = await get(READY, {}, 'HEAD');
    server.fail = null;
    const text = CONTENT.toString();
    const bytes = CONTENT.byteLength;
    expect(answers).toEqual([
      [200, null, text],
      [206, `bytes 4-9/${bytes}`, 'really'],
      [206, `bytes 30-${bytes - 1}/${bytes}`, text.slice(30)],
      [206, `bytes ${bytes - 4}-${bytes - 1}/${bytes}`, text.slice(-4)],
      [416, `bytes */${bytes}`, ''],
    ]);
    expect([head.headers.get('content-type'), head.headers.get('content-length')]).toEqual([
      'video/mp4',
      String(bytes),
    ]);
    await opened.ask.videos.remove({ videoId: READY });
  });
});

describe('a server', () => {
  let other: Server;
  let url = '';
  const visited: string[] = [];
  beforeAll(async () => {
    other = createServer(({ url: path = '' }, response) => {
      visited.push(path);
      if (path === '/silence') return;
      // The stated length is that of the compressed bytes, as it should be.
      if (path === '/compressed')
        return void response
          .writeHead(200, {
            'content-type': 'video/mp4',
            'content-encoding': 'gzip',
            'content-length': String(COMPRESSED.byteLength),
          })
          .end(COMPRESSED);
      if (path === '/redirect') return void response.writeHead(302, { location: '/elsewhere' }).end();
      const status = Number(path.slice(1)) || 200;
      response.writeHead(status, { 'content-type': 'text/html', 'set-cookie': 'a=b' }).end('<script>alert(1)</script>');
    });
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
    const bound = other.address();
    url = `http://127.0.0.1:${typeof bound === 'object' ? (bound?.port ?? 0) : 0}`;
  });
  afterAll(() => {
    other.closeAllConnections();
    return new Promise<void>((resolve) => void other.close(() => resolve()));
  });

  it.each([
    ['sends a page', '/page', 'sync.offline'],
    ['redirects', '/redirect', 'sync.offline'],
    ['compresses although it was asked not to', '/compressed', 'sync.offline'],
    ['says nothing', '/silence', 'sync.offline'],
    ['breaks', '/500', 'sync.offline'],
    ['does not know the device', '/401', 'auth.required'],
    ['says that the section is locked', '/402', 'course.locked'],
    ['does not have the video', '/404', 'video.not_found'],
  ])('that %s is answered by a code without its content', async (_what, path, code) => {
    const asked = { method: 'GET', header: () => null, signal: new AbortController().signal };
    const { status, headers, body } = await fetchVideo(ok({ url: `${url}${path}`, headers: {} }), asked, 200);
    expect(await new Response(body).json()).toEqual({ code });
    expect({ status, type: headers['content-type'], cookie: headers['set-cookie'] }).toEqual({
      status: ERROR_STATUS_BY_CODE[code as ErrorCode],
      type: 'application/json',
      cookie: undefined,
    });
    expect(visited).not.toContain('/elsewhere');
  });
});
