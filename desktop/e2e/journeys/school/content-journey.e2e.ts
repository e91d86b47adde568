/** Content in the admin panel, in a real browser: an admin writes a course with a practice and a video, tries it and publishes it. */
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { launchPanelBrowser, openPanel, type PanelServer, startPanelServer } from '../../panel/open-panel.ts';

let server: PanelServer;
let browser: Browser;
beforeAll(async () => {
  server = await startPanelServer();
  browser = await launchPanelBrowser();
});
afterAll(async () => {
  await browser.close();
  await server.stop();
});

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
/** Says what the page shows instead, because a timeout alone explains nothing. */
const readStatus = async (page: Page, text: string): Promise<void> => {
  await page
    .getByRole('status')
    .filter({ hasText: text })
    .waitFor()
    .catch(async (cause: unknown) => {
      const shown = (await page.getByRole('main').innerText()).replaceAll(/\s+/g, ' ');
      throw new Error(`no status "${text}", but: ${shown.slice(0, 1_000)}`, { cause });
    });
};
const isFocused = (element: Element): boolean => element === document.activeElement;
/** The row of a document, once it is published. */
const readTitles = async (table: string): Promise<unknown[]> =>
  (
    (await server.database.db.execute(`select title from ${table} where deleted_at is null`)) as {
      rows: { title: string }[];
    }
  ).rows.map(({ title }) => title);
/** Kept for people to look at when PARLEY_PICTURES names a folder. */
const picture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env['PARLEY_PICTURES'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
};

describe('content in the admin panel', () => {
  it('is written from nothing, tried and published', async () => {
    const { page, problems } = await openPanel(browser, server);

    await page.goto(`${server.address}/admin/videos`);
    await press(page, 'New video');
    await field(page, 'Title').fill('How we answer the phone');
    await field(page, 'Address of the video').fill('https://media.nordhafen.example/phone.mp4');
    await field(page, 'Transcript').fill('Good morning, Nordhafen, Ines speaking.');
    await press(page, 'Publish');
    await readStatus(page, 'Published.');

    await page.goto(`${server.address}/admin/practices`);
    await press(page, 'New practice');
    await field(page, 'Title').fill('Ask for a day off');
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
    await press(page, 'Take over');
    await readStatus(page, 'Taken over.');
    await page.getByRole('tab', { name: 'Dialogue' }).click();
    await field(page, 'Step').selectOption('opening');
    await field(page, 'The coach says').fill('Yes? What can I do for you?');
    await picture(page, 'dialogue');
    await expectAccessible(page);

    await page.getByRole('tab', { name: 'Try it' }).click();
    await press(page, 'Begin');
    await page.getByText('Yes? What can I do for you?').waitFor();
    await field(page, 'Your answer').fill('Could I have Friday off?');
    await page.keyboard.press('Enter');
    await page.getByText('The conversation has ended.').waitFor();
    await page.getByText('Meets “Ask politely”').waitFor();
    await picture(page, 'try');
    await press(page, 'Save draft');
    await readStatus(page, 'Saved.');
    expect(await readTitles('practices')).not.toContain('Ask for a day off');
    await press(page, 'Publish');
    await readStatus(page, 'Published.');
    expect(await readTitles('practices')).toContain('Ask for a day off');

    await page.goto(`${server.address}/admin/courses`);
    await press(page, 'New course');
    await field(page, 'Title').first().fill('Life in the office');
    await field(page, 'What learners will be able to do').fill('Talk to your manager.');
    await press(page, 'Add a section');
    const section = page.getByRole('region', { name: 'Section 1' });
    await section.getByLabel('Title').fill('First words');
    for (const item of ['How we answer the phone (video)', 'Ask for a day off (practice)'])
      await section.getByLabel('Add a practice or a video').selectOption({ label: item });
    const moveUp = section.getByRole('button', { name: 'Move Ask for a day off up' });
    await moveUp.press('Enter');
    await section.getByText('1. Ask for a day off').waitFor();
    // It keeps the focus, so that it can be moved further.
    await page.keyboard.press('Tab');
    expect(await section.getByRole('button', { name: 'Move Ask for a day off down' }).evaluate(isFocused)).toBe(true);
    await expectAccessible(page);
    await picture(page, 'course');
    await press(page, 'Publish');
    await readStatus(page, 'Published.');
    expect(await readTitles('courses')).toContain('Life in the office');
    expect(problems).toEqual([]);
    await page.close();
  });

  it('is withdrawn and restored', async () => {
    const { page } = await openPanel(browser, server);
    await page.goto(`${server.address}/admin/practices?search=day+off`);
    await page.getByRole('link', { name: 'Ask for a day off' }).click();
    await press(page, 'Withdraw');
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await readStatus(page, 'Withdrawn.');
    expect(await readTitles('practices')).not.toContain('Ask for a day off');
    await press(page, 'Publish');
    await readStatus(page, 'Published.');
    expect(await readTitles('practices')).toContain('Ask for a day off');
    await page.close();
  });

  it('is merged when two admins edit it', async () => {
    const one = await openPanel(browser, server);
    const two = await openPanel(browser, server);
    for (const { page } of [one, two]) {
      await page.goto(`${server.address}/admin/practices?search=day+off`);
      await page.getByRole('link', { name: 'Ask for a day off' }).click();
      await field(page, 'Summary').waitFor();
    }
    await field(one.page, 'Summary').fill('Their summary');
    await press(one.page, 'Save draft');
    await readStatus(one.page, 'Saved.');
    await field(two.page, 'Category').fill('My category');
    await press(two.page, 'Save draft');
    const dialog = two.page.getByRole('dialog', { name: 'Someone else has saved this too' });
    await dialog.getByText('summary').waitFor();
    await picture(two.page, 'conflict');
    await expectAccessible(two.page);
    await dialog.getByRole('button', { name: 'Put both together' }).click();
    expect(await field(two.page, 'Summary').inputValue()).toBe('Their summary');
    expect(await field(two.page, 'Category').inputValue()).toBe('My category');
    await press(two.page, 'Save draft');
    await readStatus(two.page, 'Saved.');
    await one.page.close();
    await two.page.close();
  });

  it.each(['courses', 'practices', 'coaches', 'videos', 'blog', 'industries'])(
    'is listed accessibly: %s',
    async (path) => {
      const { page, problems } = await openPanel(browser, server, { colorScheme: 'dark', width: 900 });
      await page.goto(`${server.address}/admin/${path}`);
      await page.getByRole('navigation', { name: 'Pages' }).waitFor();
      await picture(page, `list-${path}`);
      await expectAccessible(page);
      expect(problems).toEqual([]);
      await page.close();
    },
  );
});

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
