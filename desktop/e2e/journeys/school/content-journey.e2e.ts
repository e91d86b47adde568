/** Content in the admin panel, in a real browser: an admin writes a course with a practice and a video, tries it and publishes it. */
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { setUpSchool } from '../../panel/set-up-school.ts';
import { field, openNew, picture, press, publish, readStatus, withdraw } from '../../steps/panel.ts';
import { writeCourse, writePractice, writeVideo } from '../../steps/write-course.ts';

const school = setUpSchool();

const isFocused = (element: Element): boolean => element === document.activeElement;
/** The row of a document once it is published. */
const readTitles = async (table: string): Promise<unknown[]> =>
  (
    (await school.server.database.db.execute(`select title from ${table} where deleted_at is null`)) as {
      rows: { title: string }[];
    }
  ).rows.map(({ title }) => title);

describe('content in the admin panel', () => {
  it('is written from nothing, tried and published', async () => {
    const { page, problems } = await school.open();

    await writeVideo(page, school.server, {
      title: 'How we answer the phone',
      address: 'https://media.nordhafen.example/phone.mp4',
      transcript: 'Good morning, Nordhafen, Ines speaking.',
    });
    await publish(page);

    await writePractice(page, school.server, 'Ask for a day off');
    await page.getByRole('tab', { name: 'Dialogue' }).click();
    await field(page, 'Step').selectOption('opening');
    await field(page, 'The coach says').fill('Yes? What can I do for you?');
    await picture(page, 'dialogue');
    await expectAccessible(page);

    await page.getByRole('tab', { name: 'Try it' }).click();
    await press(page, 'Start');
    await page.getByText('Yes? What can I do for you?').waitFor();
    await field(page, 'Your answer').fill('Could I have Friday off?');
    await page.keyboard.press('Enter');
    await page.getByText('The conversation has ended.').waitFor();
    await page.getByText('Meets “Ask politely”').waitFor();
    await picture(page, 'try');
    await press(page, 'Save draft');
    await readStatus(page, 'Saved.');
    expect(await readTitles('practices')).not.toContain('Ask for a day off');
    await publish(page);
    expect(await readTitles('practices')).toContain('Ask for a day off');

    const section = await writeCourse(page, school.server, {
      title: 'Life in the office',
      items: ['How we answer the phone (video)', 'Ask for a day off (practice)'],
    });
    const moveUp = section.getByRole('button', { name: 'Move Ask for a day off up' });
    await moveUp.press('Enter');
    await section.getByText('1. Ask for a day off').waitFor();
    // It keeps the focus, so that it can be moved further.
    await page.keyboard.press('Tab');
    expect(await section.getByRole('button', { name: 'Move Ask for a day off down' }).evaluate(isFocused)).toBe(true);
    await expectAccessible(page);
    await picture(page, 'course');
    await publish(page);
    expect(await readTitles('courses')).toContain('Life in the office');
    expect(problems).toEqual([]);
    await page.close();
  });

  it('keeps a text that is too long, and names its field and limit', { tags: ['slow'] }, async () => {
    const { page, problems } = await school.open();
    await page.goto(`${school.server.address}/admin/courses`);
    await openNew(page, 'New course');
    await field(page, 'Title').fill('At the reception');
    const description = field(page, 'What learners will be able to do');
    const text = 'Welcome guests. '.repeat(1_300);
    await description.focus();
    await page.keyboard.insertText(text);
    expect(await description.inputValue()).toHaveLength(text.length);
    await press(page, 'Save draft');
    await page.getByRole('main').getByText('Nothing was changed for learners. Correct this first:').waitFor();
    const sentence = page.getByText(/^Description is too long or too large: 20,?000 at most\.$/);
    expect(await sentence.count()).toBe(2);
    // The server's earlier findings about the document no longer apply after the edit.
    expect(await page.getByText('Say what learners will be able to do.').count()).toBe(0);
    expect(await description.inputValue()).toHaveLength(text.length);
    await expectAccessible(page);

    await description.fill(text.slice(0, 20_000).trim());
    await press(page, 'Save draft');
    await readStatus(page, 'Saved.');
    expect(await sentence.count()).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('is withdrawn and restored', { tags: ['slow'] }, async () => {
    const { page } = await school.open();
    await page.goto(`${school.server.address}/admin/practices?search=day+off`);
    await page.getByRole('link', { name: 'Ask for a day off' }).click();
    await withdraw(page);
    expect(await readTitles('practices')).not.toContain('Ask for a day off');
    await publish(page);
    expect(await readTitles('practices')).toContain('Ask for a day off');
    await page.close();
  });

  it('keeps text typed during saving, publishing and withdrawing', { tags: ['slow'] }, async () => {
    const { page } = await school.open();
    await page.goto(`${school.server.address}/admin/practices?search=day+off`);
    await page.getByRole('link', { name: 'Ask for a day off' }).click();
    const summary = field(page, 'Summary');
    let waiting = 0;
    let answer = (): void => undefined;
    await page.route(/\/v1\/admin\/content\/(save|publish|withdraw)$/, async (route) => {
      const response = await route.fetch();
      waiting += 1;
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      await route.fulfill({ response });
    });
    const typeMeanwhile = async (text: string): Promise<void> => {
      const before = waiting;
      await expect.poll(() => waiting).toBeGreaterThan(before);
      await summary.fill(text);
      answer();
    };

    await summary.fill('First');
    await Promise.all([typeMeanwhile('Second'), press(page, 'Save draft')]);
    await page.getByText('not saved yet').waitFor();
    expect(await summary.inputValue()).toBe('Second');

    await Promise.all([typeMeanwhile('Third').then(() => typeMeanwhile('Fourth')), press(page, 'Publish')]);
    await readStatus(page, 'Published.');
    expect(await summary.inputValue()).toBe('Fourth');

    await press(page, 'Withdraw');
    await Promise.all([
      typeMeanwhile('Fifth'),
      page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click(),
    ]);
    await readStatus(page, 'Withdrawn.');
    expect(await summary.inputValue()).toBe('Fifth');

    await page.unroute(/\/v1\/admin\/content\/(save|publish|withdraw)$/);
    await press(page, 'Publish');
    await readStatus(page, 'Published.');
    await page.reload();
    expect(await summary.inputValue()).toBe('Fifth');
    await page.close();
  });

  it('keeps unsaved text in History when an earlier version becomes the draft', { tags: ['slow'] }, async () => {
    const { page } = await school.open();
    await page.goto(`${school.server.address}/admin/practices?search=day+off`);
    await page.getByRole('link', { name: 'Ask for a day off' }).click();
    const summary = field(page, 'Summary');
    await summary.fill('Sixth');
    await press(page, 'Save draft');
    await readStatus(page, 'Saved.');
    await summary.fill('Not saved yet');
    const goBack = async (version: number): Promise<void> => {
      await press(page, 'History');
      await page.getByRole('dialog').getByRole('button', { name: 'Go back to this' }).nth(version).click();
      await readStatus(page, 'This version is the draft now.');
    };
    await goBack(0);
    expect(await summary.inputValue()).not.toBe('Not saved yet');
    await goBack(0);
    expect(await summary.inputValue()).toBe('Not saved yet');
    await press(page, 'Publish');
    await readStatus(page, 'Published.');
    await page.close();
  });

  it('asks before unsaved changes are left, and keeps text that is not taken over', { tags: ['slow'] }, async () => {
    const { page } = await school.open();
    await page.goto(`${school.server.address}/admin/practices?search=day+off`);
    await page.getByRole('link', { name: 'Ask for a day off' }).click();
    await page.getByRole('tab', { name: 'Text' }).click();
    const text = field(page, 'The practice as text');
    await text.waitFor();
    const written = `${await text.inputValue()}\n# Ask Ines about Fridays`;
    await text.fill(written);
    await page.getByRole('tab', { name: 'Briefing' }).click();
    await field(page, 'Summary').waitFor();
    await page.getByRole('tab', { name: 'Text' }).click();
    expect(await text.inputValue()).toBe(written);
    const warning = page.getByText('The briefing or the dialogue has changed');
    expect(await warning.count()).toBe(0);
    await page.getByRole('tab', { name: 'Briefing' }).click();
    await field(page, 'Summary').fill('Ask for a Friday off.');
    await page.getByRole('tab', { name: 'Text' }).click();
    await warning.waitFor();
    await picture(page, 'text-after-change');
    expect(await text.inputValue()).toBe(written);

    await page.getByRole('link', { name: 'Learners' }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.waitFor();
    await expectAccessible(page);
    await picture(page, 'leave');
    await question.getByRole('button', { name: 'Stay here' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await text.inputValue()).toBe(written);

    await page.getByRole('link', { name: 'Learners' }).click();
    await question.getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('heading', { name: 'Learners' }).waitFor();
    await page.getByRole('link', { name: 'Practices', exact: true }).click();
    await page.getByRole('heading', { name: 'Practices' }).waitFor();
    await page.close();
  });

  it('is merged when two admins edit it', { tags: ['slow'] }, async () => {
    const one = await school.open();
    const two = await school.open();
    for (const { page } of [one, two]) {
      await page.goto(`${school.server.address}/admin/practices?search=day+off`);
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
    await dialog.getByRole('button', { name: 'Merge both versions' }).click();
    expect(await field(two.page, 'Summary').inputValue()).toBe('Their summary');
    expect(await field(two.page, 'Category').inputValue()).toBe('My category');
    await press(two.page, 'Save draft');
    await readStatus(two.page, 'Saved.');
    await one.page.close();
    await two.page.close();
  });
});
