/** A post of the blog, from the admin panel to the public site, the feed and an open app, and back out of all three. */
import { aPng } from '@parley/sync-server/test-kit/a-png';
import type { Locator } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDevice, type Device } from '../../app/device.ts';
import { setUpSchool } from '../../panel/set-up-school.ts';
import { field, openNew, picture, press, publish, readStatus, withdraw } from '../../steps/panel.ts';

/** Open apps have a post within seconds; a busy machine needs longer. */
const WITHIN = { timeout: 20_000 };

/** A retried test must not collide with the post of its first attempt, whose address is taken. */
let tries = 0;

const school = setUpSchool();
let device: Device;
beforeAll(async () => {
  device = await createDevice();
  await device.start(school.server.address);
});
afterAll(async () => {
  await device.remove();
});

const read = async (path: string): Promise<string> => (await fetch(school.server.address + path)).text();

it('publishes a post to the site, the feed and an open app, and withdraws it', { tags: ['slow'] }, async () => {
  tries += 1;
  const title = `How to say that you are late, part ${tries}`;
  const slug = `how-to-say-that-you-are-late-part-${tries}`;
  const app = await device.open();
  await app.evaluate(() => {
    location.hash = '#/blog';
  });
  await app.getByRole('heading', { name: 'Blog' }).waitFor();

  const { page: panel, problems } = await school.open();
  await panel.goto(`${school.server.address}/admin/blog`);
  await openNew(panel, 'New post');
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
  expect((await fetch(`${school.server.address}/blog/${slug}`)).status).toBe(404);
  expect(problems).toEqual([]);
});

it('schedules a post for a time whose year is typed key by key', { tags: ['slow'] }, async () => {
  tries += 1;
  const { page: panel, problems } = await school.open();
  await panel.goto(`${school.server.address}/admin/blog`);
  await openNew(panel, 'New post');
  await field(panel, 'Title').fill(`Happy new year, part ${tries}`);
  await field(panel, 'Excerpt').fill('What we plan.');
  await field(panel, 'Text').fill('More coaches.');
  const time = field(panel, 'When it appears');
  await time.fill('2031-12-24T18:00');
  await time.focus();
  await panel.keyboard.press('Tab');
  await panel.keyboard.press('Tab');
  await panel.keyboard.type('0202');
  expect(await time.inputValue()).toBe('0202-12-24T18:00');
  await panel.getByText('The year must be between 2000 and 2099.').first().waitFor();
  // After four digits, the next part of the field has the focus.
  await panel.keyboard.press('Shift+Tab');
  await panel.keyboard.type('2032');
  expect(await time.inputValue()).toBe('2032-12-24T18:00');
  // A time with a missing part counts as no choice, and does not publish the post at once.
  await panel.keyboard.press('Shift+Tab');
  await panel.keyboard.press('Delete');
  expect(await time.inputValue()).toBe('');
  await press(panel, 'Publish');
  await readStatus(panel, 'Scheduled.');
  await panel.reload();
  expect(await time.inputValue()).toBe('2032-12-24T18:00');
  expect(problems).toEqual([]);
});

it('shows an uploaded picture on the site, and its description in the app', { tags: ['slow'] }, async () => {
  tries += 1;
  const title = `Where we meet, part ${tries}`;
  const slug = `where-we-meet-part-${tries}`;
  const { page: panel, problems } = await school.open();
  await panel.goto(`${school.server.address}/admin/blog`);
  await openNew(panel, 'New post');
  await field(panel, 'Title').fill(title);
  await field(panel, 'Excerpt').fill('The way to our rooms.');
  await field(panel, 'Text').fill('First.\n\nLast.');
  await field(panel, 'Text').evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(6, 6));
  const chooser = panel.waitForEvent('filechooser');
  await press(panel, 'Insert a picture');
  await (await chooser).setFiles({ name: 'door.png', mimeType: 'image/png', buffer: aPng(640, 360) });
  await panel.getByRole('dialog').getByLabel('Description').fill('Our front door');
  await picture(panel, 'post-picture-dialog');
  await press(panel, 'Insert');
  await panel.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await field(panel, 'Text').inputValue()).toMatch(
    /^First\.\n\n!\[Our front door\]\(\/media\/[0-9a-f-]{36}\)\n\nLast\.$/,
  );
  await field(panel, 'Text').press('ControlOrMeta+End');
  await field(panel, 'Text').pressSequentially('\n\n| Floor | Room |\n| - | - |\n| 2 | 12 |\n\n<em>Welcome</em>');
  const previewed = panel.getByRole('region', { name: 'Preview' });
  await previewed.getByRole('cell', { name: '12' }).waitFor();
  await previewed.getByRole('emphasis').filter({ hasText: 'Welcome' }).waitFor();
  const preview = previewed.getByRole('img', { name: 'Our front door' });
  await expect.poll(() => sizeOf(preview)).toEqual({ width: 640, height: 360 });
  await picture(panel, 'post-with-picture');
  await press(panel, 'Save draft');
  await readStatus(panel, 'Saved.');
  const address = await preview.getAttribute('src');
  expect((await fetch(school.server.address + address)).status).toBe(401);

  await publish(panel);
  const visitor = await (await school.browser.newContext()).newPage();
  await visitor.goto(`${school.server.address}/blog/${slug}`);
  const shown = visitor.getByRole('img', { name: 'Our front door' });
  await shown.scrollIntoViewIfNeeded();
  await expect.poll(() => sizeOf(shown)).toEqual({ width: 640, height: 360 });
  expect([await shown.getAttribute('width'), await shown.getAttribute('height')]).toEqual(['640', '360']);
  await picture(visitor, 'post-picture-site');
  const app = await device.open();
  await app.evaluate((hash) => {
    location.hash = hash;
  }, `#/blog/${slug}`);
  await app.getByText('Picture: Our front door').waitFor(WITHIN);

  await withdraw(panel);
  expect((await fetch(school.server.address + address)).status).toBe(401);
  expect(problems).toEqual([]);
});

/** The size of the picture itself, once it has loaded. */
const sizeOf = (image: Locator): Promise<{ width: number; height: number }> =>
  image.evaluate(({ naturalWidth, naturalHeight }: HTMLImageElement) => ({
    width: naturalWidth,
    height: naturalHeight,
  }));
