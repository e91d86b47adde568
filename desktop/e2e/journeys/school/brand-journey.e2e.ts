/** A school's logo and colour, in a real browser: chosen in the panel's settings, and seen on the site and in the panel. */
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { setUpSchool } from '../../panel/set-up-school.ts';
import { field, picture, press } from '../../steps/panel.ts';

const COLOUR = { chosen: '#7a1f5c', shown: 'rgb(122, 31, 92)' };
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="80"><rect width="200" height="80" rx="40" fill="${COLOUR.chosen}"/></svg>`;

const school = setUpSchool();

const logoOf = (page: Page, place: 'navigation' | 'banner') =>
  page.getByRole(place).first().locator('img[src^="/site/logo/"]');
const widthOf = (image: HTMLImageElement): number => image.naturalWidth;
const strokeOf = (element: Element): string => getComputedStyle(element).stroke;
const backgroundOf = (element: Element): string => getComputedStyle(element).backgroundColor;

it(
  'shows the school’s colour and logo on the site and in the panel, and reverts them',
  { tags: ['slow'] },
  async () => {
    const { page, problems } = await school.open();
    await page.goto(`${school.server.address}/admin/settings`);
    const colour = page.getByText('A colour of our own');
    await colour.click();
    await field(page, 'Colour of buttons on pages and in e-mails').fill(COLOUR.chosen);
    await press(page, 'Save');
    await page.getByText('Settings saved.').waitFor();
    const mark = page.getByRole('navigation', { name: 'Admin' }).locator('svg path').first();
    await expect.poll(() => mark.evaluate(strokeOf)).toBe(COLOUR.shown);

    await field(page, 'Logo').setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(LOGO) });
    await page.getByText('Logo saved.').waitFor();
    await expect.poll(() => logoOf(page, 'navigation').evaluate(widthOf)).toBeGreaterThan(0);
    await expectAccessible(page);
    await picture(page, 'brand-panel');

    const site = await page.context().newPage();
    await site.goto(school.server.address);
    await expect.poll(() => logoOf(site, 'banner').evaluate(widthOf)).toBeGreaterThan(0);
    expect(await site.locator('.button').first().evaluate(backgroundOf)).toBe(COLOUR.shown);
    await expectAccessible(site);
    await picture(site, 'brand-site');

    await press(page, 'Remove the logo');
    await logoOf(page, 'navigation').waitFor({ state: 'detached' });
    await colour.click();
    await press(page, 'Save');
    await expect.poll(() => mark.evaluate(strokeOf)).not.toBe(COLOUR.shown);
    await site.reload();
    await site.getByRole('banner').waitFor();
    expect(await logoOf(site, 'banner').count()).toBe(0);
    expect(await site.locator('.button').first().evaluate(backgroundOf)).not.toBe(COLOUR.shown);
    expect(problems).toEqual([]);
  },
);
