/** Pictures of writing content in the admin panel: a practice, a course, a coach, a video, and the school's look. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import type { PanelServer } from '../panel/open-panel.ts';
import { field, openNew, press, publish, readStatus } from '../steps/panel.ts';
import { uploadVideo, writeCourse, writePractice } from '../steps/write-course.ts';

export type TakePicture = (name: string) => Promise<void>;

const VIDEO = 'How we say hello';
const PRACTICE = 'Ask for a day off';
const COLOUR = '#7a1f5c';
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="80" viewBox="0 0 200 80"><path d="M20 70V10l40 60V10M100 40h80M140 10v60" fill="none" stroke="${COLOUR}" stroke-width="14"/></svg>`;

export async function takeContentPictures(page: Page, server: PanelServer, take: TakePicture): Promise<void> {
  await takePractice(page, server, take);
  await uploadVideo(page, server, { title: VIDEO, transcript: 'Good morning.' });
  await publish(page);
  await takeCourse(page, server, take);
  await takeCoach(page, server, take);
  await takeMerge(page, server, take);
}

async function takePractice(page: Page, server: PanelServer, take: TakePicture): Promise<void> {
  await writePractice(page, server, PRACTICE);
  await page.getByRole('tab', { name: 'Dialogue' }).click();
  await field(page, 'Step').selectOption('opening');
  await page.locator('.react-flow__node').first().waitFor();
  await take('dialogue');
  await page.getByRole('tab', { name: 'Try it' }).click();
  await press(page, 'Start');
  await field(page, 'Your answer').fill('Could I have Friday off?');
  await page.keyboard.press('Enter');
  await page.getByText('The conversation has ended.').waitFor();
  await take('try-it');
  await publish(page);
}

async function takeCourse(page: Page, server: PanelServer, take: TakePicture): Promise<void> {
  const section = await writeCourse(page, server, {
    title: 'Life in the office',
    items: [`${VIDEO} (video)`, `${PRACTICE} (practice)`],
  });
  await section.getByLabel('Description').fill('How we greet each other, and how we ask for something.');
  // The form is checked a moment after the last change.
  await page.getByText('The course needs a title.').first().waitFor({ state: 'hidden' });
  await section.scrollIntoViewIfNeeded();
  await take('course');
  await publish(page);
  const download = page.waitForEvent('download');
  await press(page, 'Export');
  const pack = await readFile(await (await download).path());
  // A changed course makes a difference that the import shows.
  await field(page, 'What learners will be able to do').fill('Talk to your manager and your team.');
  await publish(page);
  await page.goto(`${server.address}/admin/courses`);
  await press(page, 'Import');
  const file = { name: 'life-in-the-office.zip', mimeType: 'application/zip', buffer: pack };
  await field(page, 'Course pack').setInputFiles(file);
  await page.getByText('This will change:').waitFor();
  await take('import');
}

async function takeCoach(page: Page, server: PanelServer, take: TakePicture): Promise<void> {
  await page.goto(`${server.address}/admin/coaches`);
  await page.getByRole('link', { name: 'Grace' }).click();
  await field(page, 'Name').waitFor();
  await page.getByRole('button', { name: 'Play a sample' }).scrollIntoViewIfNeeded();
  await take('coach');
}

/** Two windows of one admin edit the practice. */
async function takeMerge(page: Page, server: PanelServer, take: TakePicture): Promise<void> {
  const other = await page.context().newPage();
  for (const window of [page, other]) {
    await window.goto(`${server.address}/admin/practices?search=${encodeURIComponent(PRACTICE)}`);
    await window.getByRole('link', { name: PRACTICE }).click();
    await field(window, 'Summary').waitFor();
  }
  await field(other, 'Summary').fill('Ask your boss for a day off.');
  await press(other, 'Save draft');
  await readStatus(other, 'Saved.');
  await other.close();
  await field(page, 'Category').fill('Holidays');
  await press(page, 'Save draft');
  await page.getByRole('dialog', { name: 'Someone else has saved this too' }).waitFor();
  await take('merge');
}

export async function takePost(page: Page, server: PanelServer, take: TakePicture): Promise<void> {
  await page.goto(`${server.address}/admin/blog`);
  await openNew(page, 'New post');
  await field(page, 'Title').fill('Our new course begins in January');
  await field(page, 'Excerpt').fill('Talk to your manager and your team, ten minutes a day.');
  await field(page, 'Text').fill('## Who it is for\n\nEveryone who talks to **colleagues in English**.');
  const chooser = page.waitForEvent('filechooser');
  await press(page, 'Insert a picture');
  await (await chooser).setFiles('docs/screenshots/briefing.png');
  await page.getByRole('dialog').getByLabel('Description').fill('A practice of the course');
  await take('post-picture');
  await press(page, 'Insert');
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByRole('img').waitFor();
  await preview.scrollIntoViewIfNeeded();
  await take('post');
}

/** Leaves the school with its own look. */
export async function takeBrand(page: Page, server: PanelServer, take: TakePicture): Promise<void> {
  await page.goto(`${server.address}/admin/settings`);
  await page.getByText('A colour of our own').click();
  await field(page, 'Colour of buttons on pages and in e-mails').fill(COLOUR);
  await press(page, 'Save');
  await page.getByText('Settings saved.').waitFor();
  await field(page, 'Logo').setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(LOGO) });
  await page.getByText('Logo saved.').waitFor();
  await page.goto(server.address);
  await page.locator('img.logo').waitFor();
  await take('site');
}
