/** The admin panel in a real browser: an admin lets three learners in, and every screen is accessible and works by keyboard. */
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { seedSchool } from '@parley/sync-server/test-kit/school';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { ADMIN, signIn } from '../../panel/open-panel.ts';
import { setUpSchool } from '../../panel/set-up-school.ts';
import { findUnreachable } from '../../panel/find-unreachable.ts';
import { PANEL_SCREENS } from '../../panel/panel-screens.ts';
import { picture } from '../../steps/panel.ts';

const school = setUpSchool();
beforeAll(async () => {
  await seedSchool(school.server.database.db, school.server.now(), { learners: 40, practicesEach: 3, waiting: 3 });
});

/** A test that opens every screen needs longer than others. */
const EVERY_SCREEN = { timeout: 300_000, tags: ['slow'] };

const cell = (page: Page, text: string) => page.getByRole('cell', { name: text }).first();

describe('the admin panel', () => {
  it('signs an admin in with a code, and out', async () => {
    const { page, problems } = await school.open({ isOwnSession: true });
    await page.getByRole('link', { name: 'Learners' }).click();
    await cell(page, ADMIN).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to the admin panel' }).waitFor();
    await expectAccessible(page);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('keeps a screen and its address when the session ends', { tags: ['slow'] }, async () => {
    const { page } = await school.open();
    await page.goto(`${school.server.address}/admin/learners?search=nobody`);
    await page.getByText('Nothing matches').waitFor();
    await page.context().clearCookies();
    await page.getByLabel('Name or address').fill('ines');
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    await signIn(page, school.server);
    await cell(page, ADMIN).waitFor();
    expect(page.url()).toContain('search=ines');
    await page.close();
  });

  it('lets an admin approve three waiting learners, who then get their links', async () => {
    const { page, problems } = await school.open();
    await page.getByRole('heading', { name: 'Three things need your attention' }).waitFor();
    const before = school.server.mails.length;
    await page.getByRole('button', { name: 'Approve all 3' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve all 3' }).click();
    await page.getByRole('heading', { name: 'Nothing needs your attention' }).waitFor();
    await expect.poll(() => school.server.mails.length).toBe(before + 3);
    expect(school.server.mails.slice(before).every(({ text }) => text.includes('/sign-in?link='))).toBe(true);
    await page.getByRole('link', { name: 'Audit log' }).click();
    await cell(page, 'Access: no → yes').waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  it('invites learners from a pasted list although the mail server fails', { tags: ['slow'] }, async () => {
    const { page } = await school.open();
    school.server.failMail(true);
    await page.goto(`${school.server.address}/admin/learners/invite`);
    const lines = [
      'Zoë Ünal <zoe@nordhafen.example>',
      'no address here',
      'سارة <sara@nordhafen.example>',
      'zoe@nordhafen.example',
    ];
    await page.getByLabel('Addresses, one person on each line').fill(lines.join('\n'));
    await page.getByText('Line 2').waitFor();
    await page.getByRole('button', { name: 'Invite 2 learners' }).click();
    await page.getByText('2 invitations are on the way').waitFor();
    await page.getByRole('link', { name: 'See the e-mail log' }).click();
    await cell(page, 'sara@nordhafen.example').waitFor();
    school.server.failMail(false);
    school.server.advanceClock(10 * 60_000);
    await page.goto(`${school.server.address}/admin/learners?search=zoe`);
    await page.getByRole('link', { name: 'Zoë Ünal' }).click();
    await page.getByRole('button', { name: 'Send a new link' }).click();
    await page.getByRole('button', { name: 'Send the link' }).click();
    await expect
      .poll(() => school.server.mails.filter(({ to }) => to === 'zoe@nordhafen.example').length)
      .toBeGreaterThan(0);
    await page.close();
  });

  it.each([
    { width: 1280, colorScheme: 'light' },
    { width: 768, colorScheme: 'dark' },
  ] as const)('has accessible screens that fit at $width px in $colorScheme colours', EVERY_SCREEN, async (options) => {
    const { page, problems } = await school.open(options);
    for (const screen of PANEL_SCREENS) {
      await page.goto(`${school.server.address}/admin${screen.path}`);
      await screen.isReady(page);
      await expectAccessible(page);
      const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      expect([screen.name, overflow]).toEqual([screen.name, 0]);
      await picture(page, `${screen.name}-${options.width}`);
    }
    expect(problems).toEqual([]);
    await page.close();
  });

  it('speaks the language that an admin chooses, mirrored in Arabic', { tags: ['slow'] }, async () => {
    const { page, problems } = await school.open({ width: 768 });
    await page.goto(`${school.server.address}/admin/settings`);
    await page.getByRole('button', { name: 'Language of this panel' }).click();
    await page.getByRole('option', { name: 'العربية', exact: true }).click();
    await page.getByRole('link', { name: 'المتعلّمون' }).click();
    await page.getByRole('heading', { name: 'المتعلّمون' }).waitFor();
    expect(await page.evaluate('[document.documentElement.lang, document.documentElement.dir]')).toEqual(['ar', 'rtl']);
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
    await expectAccessible(page);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('begins the dates of a plot at the right in Arabic', async () => {
    const { page: signedIn } = await school.open();
    const context = await school.browser.newContext({
      locale: 'ar',
      storageState: await signedIn.context().storageState(),
    });
    const page = await context.newPage();
    await page.goto(`${school.server.address}/admin/numbers`);
    const date = page.locator('figcaption ~ div').getByText(/^\d/).first();
    await date.waitFor();
    // The day comes first, as in the lists.
    const [dayX = 0, yearX = 0] = await date.evaluate((element) => {
      const [text] = element.childNodes;
      if (text === undefined) return [];
      return [0, (text.textContent ?? '').length - 1].map((at) => {
        const range = document.createRange();
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        return range.getBoundingClientRect().x;
      });
    });
    expect(dayX).toBeGreaterThan(yearX);
    await context.close();
    await signedIn.close();
  });

  it('shows all its pages and “Sign out” in the window of a small laptop', async () => {
    const { page } = await school.open({ width: 1366, height: 650 });
    const box = await page.getByRole('button', { name: 'Sign out' }).boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(650);
    await page.close();
  });

  it('leads the keyboard to everything on every screen', EVERY_SCREEN, async () => {
    const { page } = await school.open();
    for (const screen of PANEL_SCREENS) {
      await page.goto(`${school.server.address}/admin${screen.path}`);
      await screen.isReady(page);
      expect([screen.name, await findUnreachable(page)]).toEqual([screen.name, []]);
    }
    await page.close();
  });

  it('can be used by keyboard alone', async () => {
    const { page } = await school.open();
    await page.goto(`${school.server.address}/admin/learners`);
    await cell(page, ADMIN).waitFor();
    const focused = () => page.evaluate('document.activeElement?.textContent ?? ""') as Promise<string>;
    await page.getByRole('link', { name: 'Skip to content' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused()).toContain('Invite learners');
    await page.getByLabel('Name or address').focus();
    await page.keyboard.type(ADMIN);
    await expect.poll(() => page.getByRole('checkbox').count()).toBe(2);
    await page.getByRole('checkbox', { name: /^Select ines/ }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'End access' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.close();
  });

  it('survives a learner with a name of 10,000 letters, in Arabic and emoji', { tags: ['slow'] }, async () => {
    const { page, problems } = await school.open({ width: 768 });
    await school.server.database.db.execute(
      `update users set first_name = repeat('م🎧', 5000), last_name = repeat('w', 10000)
       where user_id = (select user_id from users where email like 'learner-%' order by email limit 1)`,
    );
    await page.goto(`${school.server.address}/admin/learners?search=ww`);
    await page.getByRole('link', { name: /م/ }).click();
    await page.getByRole('heading', { name: 'Practice' }).waitFor();
    const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
    expect(overflow).toBe(0);
    await expectAccessible(page);
    expect(problems).toEqual([]);
    await page.close();
  });
});
