/** A course pack, in a real browser: exported by one school's server, imported by another's, and brought back. */
import { readFile } from 'node:fs/promises';
import type { Browser, Locator, Page } from 'playwright';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { launchPanelBrowser, openPanel, type PanelServer, startPanelServer } from '../../panel/open-panel.ts';
import { field, picture, press, publish } from '../../steps/panel.ts';
import { uploadVideo, writeCourse, writePractice } from '../../steps/write-course.ts';

let home: PanelServer;
let abroad: PanelServer;
let browser: Browser;
beforeEach(async () => {
  home = await startPanelServer();
  abroad = await startPanelServer();
  browser = await launchPanelBrowser();
});
afterEach(async () => {
  await browser.close();
  await abroad.stop();
  await home.stop();
});

/** On the page of a course, whose pack also contains its practices, videos and their coaches. */
async function exportCourse(page: Page): Promise<Buffer> {
  const download = page.waitForEvent('download');
  await press(page, 'Export');
  return readFile(await (await download).path());
}

async function choosePack(page: Page, server: PanelServer, pack: Buffer): Promise<Locator> {
  await page.goto(`${server.address}/admin/courses`);
  await press(page, 'Import');
  await field(page, 'Course pack').setInputFiles({
    name: 'courses.parleypack',
    mimeType: 'application/zip',
    buffer: pack,
  });
  return page.getByRole('dialog', { name: 'Import a course pack' });
}

it(
  'carries a course pack from one server to another and back unchanged',
  { tags: ['slow'], timeout: 240_000 },
  async () => {
    const here = await openPanel(browser, home);
    const there = await openPanel(browser, abroad);
    await uploadVideo(here.page, home, { title: 'How we say hello', transcript: 'Good morning.' });
    await publish(here.page);
    await writePractice(here.page, home, 'Ask for a day off');
    await publish(here.page);
    await writeCourse(here.page, home, {
      title: 'Life in the office',
      items: ['How we say hello (video)', 'Ask for a day off (practice)'],
    });
    await publish(here.page);
    const pack = await exportCourse(here.page);

    const dialog = await choosePack(there.page, abroad, pack);
    await dialog.getByText('Life in the office · course: new').waitFor();
    await picture(there.page, 'import');
    await expectAccessible(there.page);
    await dialog.getByText('Publish it now').click();
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.getByText('3 imported. 3 published.').waitFor();
    await press(there.page, 'Done');
    await there.page.getByRole('link', { name: 'Life in the office' }).click();
    const back = await exportCourse(there.page);
    expect(back.equals(pack)).toBe(true);

    const returned = await choosePack(here.page, home, back);
    await returned.getByText('Everything in this pack is already here.').waitFor();
    expect(await returned.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true);
    expect([...here.problems, ...there.problems]).toEqual([]);
  },
);
