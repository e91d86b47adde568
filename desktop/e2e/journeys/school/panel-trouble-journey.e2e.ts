/** The admin panel when something gets in the way: no network, a double click, another admin, a narrow window. */
import { sql } from 'drizzle-orm';
import { seedSchool } from '@parley/sync-server/test-kit/school';
import { beforeAll, expect, it } from 'vitest';
import { setUpSchool } from '../../panel/set-up-school.ts';
import { PANEL_SCREENS } from '../../panel/panel-screens.ts';
import { field, press } from '../../steps/panel.ts';

const school = setUpSchool();
beforeAll(async () => {
  await seedSchool(school.server.database.db, school.server.now(), { learners: 8, practicesEach: 2, waiting: 1 });
});

it('says at once that a change cannot be saved without a network, and keeps it', async () => {
  const { page } = await school.open();
  await page.goto(`${school.server.address}/admin/settings`);
  await field(page, 'Name').fill('Nordhafen Academy');
  await page.context().setOffline(true);
  await press(page, 'Save');
  await page.getByRole('alert').filter({ hasText: 'The server can’t be reached.' }).waitFor();
  expect(await field(page, 'Name').inputValue()).toBe('Nordhafen Academy');
  await page.context().setOffline(false);
  await press(page, 'Save');
  await page.getByText('Settings saved.').waitFor();
  await page.close();
});

it('says that it could not sign out without a network', async () => {
  const { page } = await school.open();
  await page.context().setOffline(true);
  await press(page, 'Sign out');
  await page.getByRole('alert').filter({ hasText: 'You’re still signed in.' }).waitFor();
  await page.context().setOffline(false);
  await page.close();
});

it('says that another code was sent, and forgets the wrong one', async () => {
  const context = await school.browser.newContext();
  const page = await context.newPage();
  await page.goto(`${school.server.address}/admin`);
  await field(page, 'Your e-mail address').fill('rui.costa@nordhafen.example');
  await press(page, 'Send me a code');
  await field(page, 'Code').fill('000 000');
  await press(page, 'Sign in');
  await page.getByRole('alert').waitFor();
  await press(page, 'Send another code');
  await page.getByRole('status').filter({ hasText: 'We’re sending a new e-mail.' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(await field(page, 'Code').inputValue()).toBe('');
  expect(await field(page, 'Code').evaluate((code) => code === document.activeElement)).toBe(true);
  await context.close();
});

it('writes the time of an entry on one line beside long addresses', async () => {
  const { page } = await school.open();
  await page.goto(`${school.server.address}/admin/audit`);
  const time = page.getByRole('cell').locator('time').first();
  await time.waitFor();
  expect(await time.evaluate((text) => text.getClientRects().length)).toBe(1);
  await page.close();
});

it('does not count a list that could not be loaded', async () => {
  const { page } = await school.open();
  await page.getByRole('link', { name: 'Home' }).waitFor();
  await page.route('**/v1/admin/users', (route) => route.abort());
  await page.getByRole('link', { name: 'Learners' }).click();
  await page.getByRole('alert').filter({ hasText: 'The server can’t be reached.' }).waitFor();
  expect(await page.getByText('0 learners').count()).toBe(0);
  await page.close();
});

it('creates one class and one course for a double click', async () => {
  const { page } = await school.open();
  const { db } = school.server.database;
  await page.goto(`${school.server.address}/admin/classes`);
  await press(page, 'New class');
  await field(page, 'Name').last().fill('Evening');
  await page.getByRole('button', { name: 'Create the class' }).dblclick();
  await page.getByRole('heading', { name: 'Evening' }).waitFor();
  await page.goto(`${school.server.address}/admin/courses`);
  await page.getByRole('button', { name: 'New course' }).dblclick();
  await page.getByRole('button', { name: 'Publish', exact: true }).waitFor();
  const { rows } = (await db.execute(sql`
    select (select count(*)::int from classes) as classes,
      (select count(*)::int from content_documents where kind = 'course' and draft ->> 'title' = '') as courses`)) as {
    rows: unknown[];
  };
  expect(rows).toEqual([{ classes: 1, courses: 1 }]);
  await page.close();
});

it('shows the settings that another admin has saved, and keeps text being typed', async () => {
  const [{ page: mine }, { page: theirs }] = [await school.open(), await school.open()];
  for (const page of [mine, theirs]) {
    await page.goto(`${school.server.address}/admin/settings`);
    await field(page, 'Contact address').waitFor();
  }
  await field(mine, 'Contact address').fill('mine@nordhafen.example');
  await field(theirs, 'Name').fill('Their name');
  await press(theirs, 'Save');
  await theirs.getByText('Settings saved.').waitFor();
  // The panel caches what it has read for five seconds.
  await mine.waitForTimeout(5_100);
  await mine.evaluate(() => globalThis.dispatchEvent(new Event('visibilitychange')));
  await expect.poll(() => field(mine, 'Name').inputValue()).toBe('Their name');
  expect(await field(mine, 'Contact address').inputValue()).toBe('mine@nordhafen.example');
  await press(mine, 'Save');
  await mine.getByText('Settings saved.').waitFor();
  await theirs.goto(`${school.server.address}/admin/settings`);
  expect(await field(theirs, 'Contact address').inputValue()).toBe('mine@nordhafen.example');
  expect(await field(theirs, 'Name').inputValue()).toBe('Their name');
  await mine.close();
  await theirs.close();
});

/** 320 pixels correspond to a window of 1,280 at 400 percent. */
it.each([320, 800])(
  'scrolls only its own screen, and only down, at %i px',
  { timeout: 300_000, tags: ['slow'] },
  async (width) => {
    const { page } = await school.open({ width });
    for (const { name, path, isReady } of PANEL_SCREENS.filter((screen) => screen.name !== 'classes')) {
      await page.goto(`${school.server.address}/admin${path}`);
      await isReady(page);
      const excess = await page.evaluate(() => {
        const root = document.documentElement;
        const main = document.querySelector('main');
        return [
          root.scrollWidth - globalThis.innerWidth,
          root.scrollHeight - globalThis.innerHeight,
          (main?.scrollWidth ?? 0) - (main?.clientWidth ?? 0),
        ];
      });
      expect([name, ...excess]).toEqual([name, 0, 0, 0]);
    }
    await page.close();
  },
);
