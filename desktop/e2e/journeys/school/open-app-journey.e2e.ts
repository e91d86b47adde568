/** An open app follows what an admin publishes, changes, withdraws and brings back, and a learner practises it offline. */
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevice, DEAD_SERVER, type Device } from '../../app/device.ts';
import { setUpSchool } from '../../panel/set-up-school.ts';
import { field, press, publish, readStatus, withdraw } from '../../steps/panel.ts';
import { writeTurn } from '../../steps/turns.ts';
import { uploadVideo, writeCourse, writePractice } from '../../steps/write-course.ts';

/** Measured from the moment at which the panel says that it is published. */
const WITHIN = { timeout: 5_000 };
const TRANSCRIPT = 'WEBVTT\n\n00:00.000 --> 00:00.500\nHello.\n\n00:00.500 --> 00:02.000\nGood morning.\n';

const school = setUpSchool();
let device: Device;
beforeAll(async () => {
  device = await createDevice();
});
afterAll(async () => {
  await device.remove();
});

/** A retried test uses different documents from its first attempt. */
let tries = 0;
let titles = { course: '', practice: '', video: '' };

const open = (app: Page, screen: 'Courses' | 'Practise'): Promise<void> =>
  app.getByRole('link', { name: screen, exact: true }).click();
const linkTo = (app: Page, title: string) => app.getByRole('link', { name: new RegExp(title) });

async function openApp(): Promise<Page> {
  await device.start(school.server.address);
  return device.open();
}

async function openPractice(panel: Page): Promise<void> {
  await panel.goto(`${school.server.address}/admin/practices?search=${encodeURIComponent(titles.practice)}`);
  await panel.getByRole('link', { name: titles.practice }).click();
  await field(panel, 'Summary').waitFor();
}

async function watchToTheEnd(app: Page): Promise<void> {
  await app.getByRole('button', { name: 'Good morning.', exact: true }).click();
  await expect.poll(() => app.locator('video').evaluate((video: HTMLVideoElement) => video.ended)).toBe(true);
}

describe('an open app', { tags: ['slow'] }, () => {
  it('has a course within 5 s after an admin has published it', { timeout: 240_000 }, async () => {
    tries += 1;
    titles = {
      course: `Life in the office, part ${tries}`,
      practice: `Ask for a day off, part ${tries}`,
      video: `How we say hello, part ${tries}`,
    };
    const app = await openApp();
    await open(app, 'Courses');
    await app.getByRole('heading', { name: 'Courses', level: 1 }).waitFor();

    const { page: panel, problems } = await school.open();
    await uploadVideo(panel, school.server, { title: titles.video, transcript: TRANSCRIPT });
    await publish(panel);
    await writePractice(panel, school.server, titles.practice);
    await publish(panel);
    await writeCourse(panel, school.server, {
      title: titles.course,
      items: [`${titles.video} (video)`, `${titles.practice} (practice)`],
    });
    await press(panel, 'Save draft');
    await readStatus(panel, 'Saved.');
    expect(await linkTo(app, titles.course).count()).toBe(0);
    await publish(panel);
    await linkTo(app, titles.course).waitFor(WITHIN);
    await linkTo(app, titles.course).click();
    await linkTo(app, titles.practice).waitFor();
    await linkTo(app, titles.video).waitFor();
    expect(problems).toEqual([]);
    await panel.close();
  });

  it('follows a changed word, a withdrawal and a restored practice', async () => {
    const app = await openApp();
    await open(app, 'Practise');
    const card = linkTo(app, titles.practice);
    await card.getByText('Ask your manager for a day off.').waitFor();

    const { page: panel } = await school.open();
    await openPractice(panel);
    await field(panel, 'Summary').fill('Ask your boss for a day off.');
    await publish(panel);
    await card.getByText('Ask your boss for a day off.').waitFor(WITHIN);
    await withdraw(panel);
    await card.waitFor({ state: 'detached', ...WITHIN });
    await publish(panel);
    await card.getByText('Ask your boss for a day off.').waitFor(WITHIN);
    await panel.close();

    await open(app, 'Courses');
    await linkTo(app, titles.course).click();
    await linkTo(app, titles.practice).waitFor();
  });

  it('plays the video and the practice without a network', async () => {
    let app = await openApp();
    await open(app, 'Courses');
    await linkTo(app, titles.course).click();
    await linkTo(app, titles.video).click();
    await app.getByRole('button', { name: 'Download for offline use' }).click();
    await app.getByText(/^On this computer: /).waitFor();

    await device.start(DEAD_SERVER);
    app = await device.open();
    await open(app, 'Courses');
    await linkTo(app, titles.course).click();
    await app.getByText('0 of 2 done').waitFor();
    await linkTo(app, titles.video).click();
    await watchToTheEnd(app);
    await app.getByRole('link', { name: 'Back to the course' }).click();
    await app.getByText('1 of 2 done').waitFor();

    await linkTo(app, titles.practice).click();
    await app.getByText('In writing', { exact: true }).click();
    await app.getByText('Medium', { exact: true }).click();
    await app.getByRole('button', { name: 'Start', exact: true }).click();
    await app.getByText('Yes? What is it?').waitFor();
    await writeTurn(app, 'Could I have Friday off?');
    await app.getByText('Of course.').waitFor();
    await app.getByRole('button', { name: 'See your result' }).click();
    await app.getByRole('img', { name: /^Overall score/ }).waitFor();
    expect(await app.getByText('(reached)').count()).toBe(1);
    await open(app, 'Courses');
    await linkTo(app, titles.course).click();
    await app.getByText('2 of 2 done').waitFor();
  });
});
