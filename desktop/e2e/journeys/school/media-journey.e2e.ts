/** Videos in the admin panel, in a real browser: upload with interruptions, cover, transcript, and what learners then get. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { ADMIN } from '../../panel/open-panel.ts';
import { setUpSchool } from '../../panel/set-up-school.ts';
import { field, openNew, picture, press, publish, readStatus } from '../../steps/panel.ts';

const VIDEO = readFileSync(new URL('../../../../sync-server/test-kit/media/bars.webm', import.meta.url));
/** An element that players skip (EBML Void), so that the video is sent in three pieces. */
const PADDING = Buffer.concat([Buffer.from([0xec, 0x10, 0x90, 0x00, 0x00]), Buffer.alloc(0x900000)]);
const LONG_VIDEO_BYTES = VIDEO.byteLength + PADDING.byteLength;
const folder = mkdtempSync(join(tmpdir(), 'parley-video-'));
/** A file on disk keeps its modification time, by which an interrupted upload is recognised. */
const longVideo = join(folder, 'tour.webm');
writeFileSync(longVideo, Buffer.concat([VIDEO, PADDING]));

const school = setUpSchool();
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

const choose = (page: Page, name: string, buffer: Buffer, label = 'Video file') =>
  field(page, label).setInputFiles({ name, mimeType: 'video/webm', buffer });
const aNewVideo = async (page: Page, title: string): Promise<void> => {
  await page.goto(`${school.server.address}/admin/videos`);
  await openNew(page, 'New video');
  await field(page, 'Title').fill(title);
};

describe('videos in the admin panel', { tags: ['slow'] }, () => {
  it('are uploaded, covered, transcribed and published', async () => {
    const { page, problems } = await school.open();
    await aNewVideo(page, 'How we answer the phone');
    await picture(page, 'video-empty');
    await choose(page, 'phone.webm', VIDEO);
    await page.getByRole('img', { name: 'Cover' }).waitFor();
    await press(page, 'Use this frame as the cover');
    await page.getByText('Saved. Learners see it with the video.').waitFor();
    await field(page, 'Transcript').fill('WEBVTT\n\n00:02.000 --> 00:01.000\nGood morning.');
    await page.getByText('Line 3 of the transcript: it ends before it starts.').first().waitFor();
    await picture(page, 'video-problem');
    await field(page, 'Open a transcript file').setInputFiles({
      name: 'phone.srt',
      mimeType: 'application/x-subrip',
      buffer: Buffer.from('1\n00:00:00,100 --> 00:00:00,900\nGood morning, Nordhafen.\n'),
    });
    await page.getByText('1 caption').click();
    expect(await field(page, 'Transcript').inputValue()).toContain('00:00:00.100 --> 00:00:00.900');
    const readShownCaptions = (): Promise<(string | undefined)[]> =>
      page.locator('video').evaluate((video: HTMLVideoElement) => {
        const shown = [...video.textTracks].find(({ mode }) => mode === 'showing');
        return [...(shown?.cues ?? [])].map((cue) => (cue instanceof VTTCue ? cue.text : undefined));
      });
    await expect.poll(readShownCaptions).toEqual(['Good morning, Nordhafen.']);
    await expectAccessible(page);
    await picture(page, 'video');
    await publish(page);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('keep the text that was typed during the upload', async () => {
    const { page } = await school.open();
    let isSent = (): void => undefined;
    const canBeSent = new Promise<void>((resolve) => {
      isSent = resolve;
    });
    await page.route('**/v1/admin/uploads/*', async (route) => {
      if (route.request().method() === 'PATCH') await canBeSent;
      await route.continue();
    });
    await aNewVideo(page, 'How we say goodbye');
    await choose(page, 'bye.webm', VIDEO);
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await field(page, 'Transcript').fill('Goodbye, and see you tomorrow.');
    isSent();
    await page.getByRole('img', { name: 'Cover' }).waitFor();
    expect(await field(page, 'Transcript').inputValue()).toBe('Goodbye, and see you tomorrow.');
    await publish(page);
    await page.close();
  });

  it('continue where they stopped, after a pause, a session that ended and a reload', async () => {
    const { page } = await school.open({ isOwnSession: true });
    page.on('dialog', (dialog) => void dialog.accept());
    let [sentBytes, isHeld, heldPieces] = [0, true, 0];
    await page.route('**/v1/admin/uploads/*', async (route) => {
      const request = route.request();
      const piece = request.method() === 'PATCH' ? (request.postDataBuffer()?.byteLength ?? 0) : 0;
      // All pieces but the first are lost until the connection works again.
      if (piece > 0 && sentBytes > 0 && isHeld) {
        heldPieces += 1;
        return route.abort('connectionreset');
      }
      const response = await route.fetch();
      if (response.ok()) sentBytes += piece;
      return route.fulfill({ response });
    });
    const lose = async (): Promise<void> => {
      const before = heldPieces;
      // The file is read, hashed and split before its first piece is sent, which takes long on a busy machine.
      await expect.poll(() => heldPieces, { timeout: 60_000 }).toBeGreaterThan(before);
    };
    await aNewVideo(page, 'A long tour');
    await press(page, 'Save draft');
    await readStatus(page, 'Saved.');
    await field(page, 'Video file').setInputFiles(longVideo);
    await lose();
    await press(page, 'Pause');
    await page.getByText('Paused:').waitFor();
    await picture(page, 'video-paused');

    await school.server.database.db.execute('delete from web_sessions');
    await press(page, 'Continue');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Your session has ended.').waitFor();
    const before = school.server.mails.length;
    await dialog.getByRole('button', { name: 'Send me a code' }).click();
    await dialog.getByLabel('Code').waitFor();
    await expect.poll(() => school.server.mails.length).toBeGreaterThan(before);
    await dialog.getByLabel('Code').fill(await school.server.codeFor(ADMIN));
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await lose();

    await page.reload();
    await page.getByText('was interrupted').waitFor();
    await picture(page, 'video-interrupted');
    isHeld = false;
    await field(page, 'Video file').setInputFiles(longVideo);
    await page.getByRole('img', { name: 'Cover' }).waitFor();
    // Nothing was sent twice.
    expect(sentBytes).toBe(LONG_VIDEO_BYTES);
    await page.close();
  });

  it('are refused when the file is not a video', async () => {
    const { page } = await school.open({ isOwnSession: true });
    await aNewVideo(page, 'Not a video');
    await choose(page, 'trick.mp4', Buffer.from('<!doctype html><script>alert(1)</script>'));
    await page.getByRole('alert').filter({ hasText: 'This browser can’t play the file' }).waitFor();
    await picture(page, 'video-refused');
    await page.close();
  });
});
