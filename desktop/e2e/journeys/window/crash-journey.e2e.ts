/** A crash of a screen: noted on the computer, read by the learner, sent when they agree, and seen by an admin. */
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { createDevice, type Device } from '../../app/device.ts';
import { setUpSchool } from '../../panel/set-up-school.ts';

const SAID = 'what Ada said to her coach';

const school = setUpSchool();
let laptop: Device;
beforeAll(async () => {
  laptop = await createDevice();
  await laptop.start(school.server.address);
});
afterAll(async () => {
  await laptop.remove();
});

async function crash(page: Page): Promise<void> {
  await page.evaluate((said) => {
    setTimeout(() => {
      throw new TypeError(said);
    });
  }, SAID);
}

const openHelp = (page: Page): Promise<void> =>
  page.evaluate(() => {
    location.hash = '#/help';
  });

it('records a crash but asks about it only after the learner opts in', { tags: ['slow'] }, async () => {
  const page = await laptop.open();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  await crash(page);
  await openHelp(page);
  // A window that is reloaded at once may not have passed the crash on.
  await page.getByRole('button', { name: 'Read the report…' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Read the report…' }).waitFor();
  expect(await page.getByText('May it send a report').count()).toBe(0);
  await page.getByText('After a crash, ask me whether to send a report').click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await expectAccessible(page);
});

it('the learner reads the report and sends it, and an admin finds it', { tags: ['slow'] }, async () => {
  const page = await laptop.open();
  await page.getByText('Parley crashed. Nothing you saved is lost.').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Read the report' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('This is exactly what will be sent to').waitFor();
  const text = (await dialog.getByLabel('The text of the report').textContent()) ?? '';
  expect(text).toContain('"kind": "TypeError"');
  expect(text).not.toContain(SAID);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Send' }).click();
  await dialog.getByText('Sent. Thank you').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.reload();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  expect(await page.getByText('Parley crashed.').count()).toBe(0);

  const panel = await school.open();
  await panel.page.getByRole('link', { name: 'Crash reports' }).click();
  await panel.page.getByRole('cell', { name: 'TypeError' }).waitFor();
  await expectAccessible(panel.page);
  expect(panel.problems).toEqual([]);
});
