/** A post of the blog, from the admin panel to the public site, the feed and an open app, and back out of all three. */
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDevice, type Device } from '../../app/device.ts';
import { launchPanelBrowser, openPanel, type PanelServer, startPanelServer } from '../../panel/open-panel.ts';
import { field, press, publish, readStatus, withdraw } from '../../steps/panel.ts';

/** Open apps have a post within seconds; a busy machine needs longer. */
const WITHIN = { timeout: 20_000 };

/** A repeated test must not meet the post of its first try, whose address is taken. */
let tries = 0;

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

const read = async (path: string): Promise<string> => (await fetch(server.address + path)).text();

it('goes from the panel to the site, the feed and an open app, and disappears again', async () => {
  tries += 1;
  const title = `How to say that you are late, part ${tries}`;
  const slug = `how-to-say-that-you-are-late-part-${tries}`;
  const app = await device.open();
  await app.evaluate(() => {
    location.hash = '#/blog';
  });
  await app.getByRole('heading', { name: 'Blog' }).waitFor();

  const { page: panel, problems } = await openPanel(browser, server);
  await panel.goto(`${server.address}/admin/blog`);
  await press(panel, 'New post');
  await field(panel, 'Title').fill(title);
  await field(panel, 'Excerpt').fill('Three sentences that your manager will not mind.');
  await field(panel, 'Text').fill('## Say it early\n\nCall *before* the meeting. <script>alert(1)</script>');
  await press(panel, 'Save draft');
  await readStatus(panel, 'Saved.');
  expect(await read('/blog')).not.toContain(title);

  await publish(panel);
  await app.getByRole('link', { name: title }).first().waitFor(WITHIN);
  expect(await read('/blog')).toContain(title);
  expect(await read('/blog/rss.xml')).toContain(title);
  const post = await read(`/blog/${slug}`);
  expect(post).toContain('<em>before</em>');
  expect(post).not.toContain('alert(1)');
  await app.getByRole('link', { name: title }).first().click();
  await app.getByRole('heading', { name: 'Say it early' }).waitFor();
  await app.goBack();

  await withdraw(panel);
  await app
    .getByRole('link', { name: title })
    .first()
    .waitFor({ state: 'detached', ...WITHIN });
  expect(await read('/blog')).not.toContain(title);
  expect(await read('/blog/rss.xml')).not.toContain(title);
  expect((await fetch(`${server.address}/blog/${slug}`)).status).toBe(404);
  expect(problems).toEqual([]);
});
