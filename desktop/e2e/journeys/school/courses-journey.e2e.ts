/** A course in a real browser: joined offline, its first practice done, and what a class assigns, on Today. */
import Database from 'better-sqlite3';
import { sql } from 'drizzle-orm';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevice, DEAD_SERVER, type Device } from '../../app/device.ts';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { type PanelServer, startPanelServer } from '../../panel/open-panel.ts';

const COURSE = 'First steps at work';
const CLASS = 'Évening class';

let server: PanelServer;
let device: Device;
beforeAll(async () => {
  server = await startPanelServer();
  device = await createDevice();
});
afterAll(async () => {
  await device.remove();
  await server.stop();
});

const openCourses = (page: Page): Promise<void> => page.getByRole('link', { name: 'Courses', exact: true }).click();
const openToday = (page: Page): Promise<void> => page.getByRole('link', { name: 'Today', exact: true }).click();
const openCourse = (page: Page): Promise<void> => page.getByRole('link', { name: new RegExp(COURSE) }).click();

/** Answers once in writing, and finishes. */
async function practiseInWriting(page: Page): Promise<void> {
  await page.getByText('In writing', { exact: true }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByLabel('Write your answer').fill('Nice to meet you.');
  await page.getByLabel('Write your answer').press('Enter');
  await expect
    .poll(() => page.getByRole('list', { name: 'Conversation' }).getByRole('listitem').count())
    .toBeGreaterThanOrEqual(3);
  await page.getByRole('button', { name: 'End the conversation…' }).click();
  await page.getByRole('button', { name: 'Finish and see the result' }).click();
  await page.getByRole('img', { name: /^Overall score/ }).waitFor();
}

const VIDEO = '019aa000-0000-7000-8000-00000000f001';

/** Puts a video at the end of the first section of the course, as a school would. */
function addVideo(dataDir: string): void {
  const sqlite = new Database(join(dataDir, 'parley.sqlite'));
  sqlite
    .prepare(
      `INSERT INTO videos (video_id, title, description, file_url, transcript, availability, created_at, updated_at, sync_version)
       VALUES (?, 'How to say hello', 'Three ways.', ?, ?, 'ready', 0, 0, 0)`,
    )
    .run(
      VIDEO,
      `/media/${VIDEO}`,
      'WEBVTT\n\n00:00.000 --> 00:00.500\nHello.\n\n00:00.500 --> 00:02.000\nGood morning.\n',
    );
  sqlite
    .prepare(
      `INSERT INTO course_section_videos (course_section_video_id, course_section_id, video_id, position, created_at, updated_at, sync_version)
       SELECT '019aa000-0000-7000-8000-00000000f002', s.course_section_id, ?, 9, 0, 0, 0
       FROM course_sections s JOIN courses c ON c.course_id = s.course_id WHERE c.title = ? AND s."order" = 1`,
    )
    .run(VIDEO, COURSE);
  sqlite.close();
}

/** A server that has nothing but the video's file. */
async function serveVideo(): Promise<{ address: string; stop: () => Promise<void> }> {
  const content = await readFile(new URL('../../../../sync-server/test-kit/media/bars.webm', import.meta.url));
  const files = createServer((request, response) => {
    if (request.url !== `/media/${VIDEO}`) return void response.writeHead(404).end();
    const [, from = '0', to = ''] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '') ?? [];
    const part = content.subarray(Number(from), to === '' ? content.length : Number(to) + 1);
    const range = `bytes ${from}-${Number(from) + part.length - 1}/${content.length}`;
    const headers = { 'content-type': 'video/webm', 'content-length': part.length, etag: '"one"' };
    const isPart = request.headers.range !== undefined;
    response.writeHead(isPart ? 206 : 200, isPart ? { ...headers, 'content-range': range } : headers).end(part);
  }).listen(0, '127.0.0.1');
  await once(files, 'listening');
  return {
    address: `http://127.0.0.1:${(files.address() as AddressInfo).port}`,
    stop: async () => {
      files.closeAllConnections();
      files.close();
      await once(files, 'close');
    },
  };
}

describe('a course', () => {
  it('is joined offline, and its progress moves with a practice', async () => {
    await device.start(null);
    const page = await device.open();
    await openCourses(page);
    await page.getByRole('heading', { name: COURSE }).waitFor();
    // Easiest courses come first.
    expect(await page.getByRole('heading', { level: 2 }).first().innerText()).toBe(COURSE);
    await expectAccessible(page);
    await openCourse(page);
    await page.getByRole('button', { name: 'Join this course' }).click();
    await page.getByText('0 of 6 done').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Start with Tom' }).click();
    await practiseInWriting(page);

    await openToday(page);
    await page.getByText('1 of 6 done').waitFor();
    await page.getByText('Next in your course').waitFor();
    await page.getByRole('link', { name: 'Your first day at work' }).first().waitFor();
    await openCourses(page);
    await openCourse(page);
    await page.getByRole('button', { name: 'Carry on with Marcus' }).waitFor();
    await page.getByRole('button', { name: 'Leave this course' }).click();
    await page.getByRole('button', { name: 'Join this course' }).waitFor();
    await page.getByText('1 of 6 done').waitFor();
  });

  it('that a class assigns shows on Today with its due date, and stays there offline', { tags: ['slow'] }, async () => {
    await device.start(server.address);
    let page = await device.open();
    const { db } = server.database;
    await expect
      .poll(async () => ((await db.execute(sql`select user_id from users`)) as { rows: unknown[] }).rows.length)
      .toBeGreaterThan(0);
    await db.execute(sql`insert into classes (id, name, created_at) values (gen_random_uuid(), ${CLASS}, now())`);
    await db.execute(
      sql`insert into class_members (class_id, user_id, added_at) select id, user_id, now() from classes, users`,
    );
    await db.execute(sql`
      insert into class_courses (class_id, course_id, due_at, assigned_at)
      select id, course_id, now() - interval '3 days', now() from classes, courses where title = ${COURSE}`);
    // The app asks again when it starts.
    await device.start(server.address);
    page = await device.open();
    await page.getByRole('heading', { name: 'Your class' }).waitFor();
    await page.getByText(/^Was due on /).waitFor();
    await page.getByText(`For ${CLASS}`).waitFor();
    await expectAccessible(page);

    await device.start(DEAD_SERVER);
    page = await device.open();
    await page.getByRole('heading', { name: 'Your class' }).waitFor();
    await page.getByRole('link', { name: COURSE }).first().click();
    await page.getByText('1 of 6 done').waitFor();
  });

  it(
    'plays its video with a transcript that seeks, and counts it when it was watched',
    { tags: ['slow'] },
    async () => {
      await device.stop();
      addVideo(device.dataDir);
      const files = await serveVideo();
      await device.start(files.address);
      const page = await device.open();
      await openCourses(page);
      await openCourse(page);
      await page.getByText('1 of 7 done').waitFor();
      await page.getByRole('link', { name: /How to say hello/ }).click();
      await page.getByRole('heading', { name: 'How to say hello' }).waitFor();
      // In a window in Arabic, a sentence without its language has its full stop at the wrong end.
      await page.locator('p > span[lang=en]', { hasText: 'Three ways.' }).waitFor();
      await page.locator('video').waitFor();
      const readCaptions = (): Promise<(string | undefined)[]> =>
        page.locator('video').evaluate((video: HTMLVideoElement) => {
          const [captions] = video.textTracks;
          if (captions === undefined) return [];
          captions.mode = 'showing';
          return [...(captions.cues ?? [])].map((cue) => (cue instanceof VTTCue ? cue.text : undefined));
        });
      await expect.poll(readCaptions).toEqual(['Hello.', 'Good morning.']);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Choose a word from “Good morning.”' }).click();
      await page.getByRole('button', { name: 'morning.', exact: true }).click();
      await page.getByRole('button', { name: 'Add to review' }).click();
      await page.getByText('“morning” is on your list.').waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Good morning.', exact: true }).click();
      await expect.poll(() => page.locator('video').evaluate((video: HTMLVideoElement) => video.ended)).toBe(true);
      await page.getByRole('link', { name: 'Back to the course' }).click();
      await page.getByText('2 of 7 done').waitFor();

      await page.getByRole('link', { name: /How to say hello/ }).click();
      await page.getByRole('button', { name: 'Download for offline use' }).click();
      await page.getByText(/^On this computer: /).waitFor();
      await expectAccessible(page);
      await page.getByRole('link', { name: 'Back to the course' }).click();
      await files.stop();
      await page.getByRole('link', { name: /How to say hello/ }).click();
      await page.getByRole('button', { name: 'Hello.', exact: true }).click();
      await expect.poll(() => page.locator('video').evaluate((video: HTMLVideoElement) => video.ended)).toBe(true);

      await page.getByRole('link', { name: 'Settings', exact: true }).click();
      await page.getByRole('heading', { name: 'Videos on this computer' }).waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Remove “How to say hello”' }).click();
      await page.getByRole('heading', { name: 'Videos on this computer' }).waitFor({ state: 'detached' });
      await openCourses(page);
      await openCourse(page);
      await page.getByRole('link', { name: /How to say hello/ }).click();
      await page.getByText(/^Parley can’t reach the server/).waitFor();
      await expectAccessible(page);
    },
  );
});
