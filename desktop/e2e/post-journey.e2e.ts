/** A post of the blog, from the admin panel to the public site, the feed and an open app, and back out of all three. */
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDevice, type Device } from './app/device.ts';
import { launchPanelBrowser, openPanel, type PanelServer, startPanelServer } from './panel/open-panel.ts';

const TITLE = 'How to say that you are late';
const WITHIN = { timeout: 5_000 };

let server: PanelServer;
let browser: Browser;
let device: Device;
beforeAll(async () => {
  server = await startPanelServer();
  browser = await launchPanelBrowser();
  device = await createDevice();
  await device.start(server.address);
});
afterAll(async () => {
  await device.remove();
  await browser.close();
  await server.stop();
});

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const read = async (path: string): Promise<string> => (await fetch(server.address + path)).text();

it('goes from the panel to the site, the feed and an open app, and disappears again', async () => {
  const app = await device.open();
  await app.evaluate(() => {
    location.hash = '#/blog';
  });
  await app.getByRole('heading', { name: 'Blog' }).waitFor();

  const { page: panel, problems } = await openPanel(browser, server);
  await panel.goto(`${server.address}/admin/blog`);
  await press(panel, 'New post');
  await field(panel, 'Title').fill(TITLE);
  await field(panel, 'Excerpt').fill('Three sentences that your manager will not mind.');
  await field(panel, 'Text').fill('## Say it early\n\nCall *before* the meeting. <script>alert(1)</script>');
  await press(panel, 'Save draft');
  await panel.getByRole('status').filter({ hasText: 'Saved.' }).waitFor();
  expect(await read('/blog')).not.toContain(TITLE);

  await press(panel, 'Publish');
  await panel.getByRole('status').filter({ hasText: 'Published.' }).waitFor();
  await app.getByRole('link', { name: TITLE }).first().waitFor(WITHIN);
  expect(await read('/blog')).toContain(TITLE);
  expect(await read('/blog/rss.xml')).toContain(TITLE);
  const post = await read('/blog/how-to-say-that-you-are-late');
  expect(post).toContain('<em>before</em>');
  expect(post).not.toContain('alert(1)');
  await app.getByRole('link', { name: TITLE }).first().click();
  await app.getByRole('heading', { name: 'Say it early' }).waitFor();
  await app.goBack();

  await press(panel, 'Withdraw');
  await panel.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await panel.getByRole('status').filter({ hasText: 'Withdrawn.' }).waitFor();
  await app
    .getByRole('link', { name: TITLE })
    .first()
    .waitFor({ state: 'detached', ...WITHIN });
  expect(await read('/blog')).not.toContain(TITLE);
  expect(await read('/blog/rss.xml')).not.toContain(TITLE);
  expect((await fetch(`${server.address}/blog/how-to-say-that-you-are-late`)).status).toBe(404);
  expect(problems).toEqual([]);
});
