/** The privacy text of a school, from a draft in the admin panel to the public site, and back to Parley's text. */
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { setUpSchool } from '../../panel/set-up-school.ts';

const school = setUpSchool();

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const waitForStatus = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();
const read = async (path: string): Promise<string> => (await fetch(school.server.address + path)).text();

it('drafts, publishes and discards a site text in the panel', { tags: ['slow'] }, async () => {
  const { page, problems } = await school.open();
  await page.goto(`${school.server.address}/admin/settings`);
  await page.getByRole('link', { name: 'Privacy' }).click();
  const field = page.getByLabel('Text, in Markdown');
  await expect.poll(() => field.inputValue()).toContain('## On your computer');
  await field.fill('## What Nordhafen keeps\n\nAsk *us*.');
  await page.getByRole('region', { name: 'Preview' }).getByRole('heading', { name: 'What Nordhafen keeps' }).waitFor();
  await expectAccessible(page);
  // A pasted text that is too long stays complete, with a message that says so.
  await field.selectText();
  await page.keyboard.insertText('Ask us. '.repeat(7_501));
  await page
    .getByRole('alert')
    .getByText(/^Text is too long or too large: 60,?000 at most\.$/)
    .waitFor();
  expect(await field.inputValue()).toHaveLength(60_008);
  expect(await page.getByRole('button', { name: 'Save draft' }).isDisabled()).toBe(true);
  await field.fill('## What Nordhafen keeps\n\nAsk *us*.');
  // Typing continues while the draft is being saved.
  let answer = (): void => undefined;
  const saved = new Promise<void>((resolve) => {
    void page.route('**/v1/admin/save-site-text', async (route) => {
      const response = await route.fetch();
      resolve();
      await new Promise<void>((release) => {
        answer = release;
      });
      await route.fulfill({ response });
    });
  });
  await press(page, 'Save draft');
  await saved;
  await field.fill('## What Nordhafen keeps\n\nAsk *us*, at any time.');
  answer();
  await page.getByText('not saved yet').waitFor();
  expect(await field.inputValue()).toContain('at any time');
  await page.unrouteAll();
  await press(page, 'Save draft');
  await waitForStatus(page, 'Saved.');
  expect(await read('/privacy')).not.toContain('What Nordhafen keeps');

  await press(page, 'Publish');
  await waitForStatus(page, 'Published.');
  expect(await read('/privacy')).toContain('<h2>What Nordhafen keeps</h2>');
  expect(await read('/privacy?lang=de')).toContain('Diesen Text gibt es nicht in deiner Sprache.');

  await press(page, 'Use Parley’s text again');
  await page.getByRole('dialog').getByRole('button', { name: 'Use Parley’s text' }).click();
  await waitForStatus(page, 'Parley’s text is used again.');
  expect(await read('/privacy')).not.toContain('What Nordhafen keeps');
  await page.goto(`${school.server.address}/admin/audit`);
  await page.getByRole('cell', { name: 'reverted to Parley’s site text' }).waitFor();
  expect(problems).toEqual([]);
});
