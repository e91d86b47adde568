/**
 * An admin creates a video, a practice and a course from scratch. Each step leaves its editor open, with nothing
 * published.
 */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright';
import type { PanelServer } from '../panel/open-panel.ts';
import { field, openNew, press, readStatus } from './panel.ts';

export async function writeVideo(
  page: Page,
  server: PanelServer,
  { title, address, transcript }: { title: string; address: string; transcript: string },
): Promise<void> {
  await beginVideo(page, server, title);
  await field(page, 'Address of the video').fill(address);
  await field(page, 'Transcript').fill(transcript);
}

/** Two seconds of picture and sound. */
export async function uploadVideo(
  page: Page,
  server: PanelServer,
  { title, transcript }: { title: string; transcript: string },
): Promise<void> {
  await beginVideo(page, server, title);
  await field(page, 'Video file').setInputFiles({
    name: 'hello.webm',
    mimeType: 'video/webm',
    buffer: await readFile(new URL('../../../sync-server/test-kit/media/bars.webm', import.meta.url)),
  });
  await page.getByRole('img', { name: 'Cover' }).waitFor();
  await field(page, 'Transcript').fill(transcript);
}

async function beginVideo(page: Page, server: PanelServer, title: string): Promise<void> {
  await page.goto(`${server.address}/admin/videos`);
  await openNew(page, 'New video');
  await field(page, 'Title').fill(title);
}

/** Asks for a day off: one answer is understood, meets the objective and ends the conversation. */
export async function writePractice(page: Page, server: PanelServer, title: string): Promise<void> {
  await page.goto(`${server.address}/admin/practices`);
  await openNew(page, 'New practice');
  await field(page, 'Title').fill(title);
  await field(page, 'Category').fill('Teamwork');
  await field(page, 'Coach').selectOption({ label: 'Grace' });
  await field(page, 'Summary').fill('Ask your manager for a day off.');
  await field(page, 'Scenario').fill('{coach} is your manager, and busy.');
  await field(page, 'What the learner has to do').fill('You need next Friday off.');
  await field(page, 'Who the learner is').fill('You work in a small team.');
  await press(page, 'Add an objective');
  await field(page, 'Objective 1').fill('Ask politely');
  await field(page, 'Short name').fill('ask');
  await page.getByRole('tab', { name: 'Text' }).click();
  const text = field(page, 'The practice as text');
  await text.waitFor();
  await text.fill(`${(await text.inputValue()).replace(/start: opening[^]*$/, '')}${DIALOGUE}`);
  await press(page, 'Apply');
  await readStatus(page, 'Applied.');
}

/** Returns its only section. */
export async function writeCourse(
  page: Page,
  server: PanelServer,
  { title, items }: { title: string; items: readonly string[] },
): Promise<Locator> {
  await page.goto(`${server.address}/admin/courses`);
  await openNew(page, 'New course');
  await field(page, 'Title').first().fill(title);
  await field(page, 'What learners will be able to do').fill('Talk to your manager.');
  await press(page, 'Add a section');
  const section = page.getByRole('region', { name: 'Section 1' });
  await section.getByLabel('Title').fill('First words');
  for (const item of items) await section.getByLabel('Add a practice or a video').selectOption({ label: item });
  return section;
}

const DIALOGUE = `start: opening
nodes:
  opening:
    say: [Yes?, Yes? What is it?, 'Yes? I have a minute, what is it?']
    rephrase: [What do you need?]
    replies:
      - to: yes-of-course
        hint: day off
        easy: '[Could I have Friday off?](ask)'
        intermediate: '[Could I have Friday off?](ask)'
        hard: '[Would it be possible to have Friday off?](ask)'
      - to: later
        hint: nothing
        easy: Nothing, sorry.
        intermediate: Nothing, it can wait.
        hard: Nothing that can't wait.
  yes-of-course:
    say: [Yes., Of course., Of course. Enjoy your day.]
  later:
    say: [Fine., Come back later., Come back when you have more time.]
`;
