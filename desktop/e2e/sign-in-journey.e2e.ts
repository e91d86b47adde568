/** Signing in when things go wrong: codes that are wrong, addresses that are long, and a computer that somebody else used before. */
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { expectAccessible } from './support/accessible.ts';
import { setUpLaptop } from './support/set-up-laptop.ts';
import { startShopServer } from './support/shop-server.ts';

/** As long as a part of an address may be, and without a place at which it could break. */
const LONG = `${'w'.repeat(64)}@${'m'.repeat(60)}.example.com`;

const scene = setUpLaptop(startShopServer);

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const fieldWithFocus = (page: Page): Promise<string | null> =>
  page.evaluate(
    () => document.activeElement?.getAttribute('inputmode') ?? document.activeElement?.getAttribute('type') ?? null,
  );
const expectNoOverflow = async (page: Page): Promise<void> =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(
    0,
  );

async function askForCode(page: Page, email: string): Promise<void> {
  await page.getByLabel('Your e-mail').fill(email);
  await button(page, 'Send me a code').click();
}

it('whoever types five wrong codes is shown the way that is left, and that a new message was sent', async () => {
  const page = await scene.laptop.open();
  await page.setViewportSize({ width: 640, height: 900 });
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await button(page, 'Sign in').click();
  await page.getByText('What you did here without an account moves into it').waitFor();
  expect(await fieldWithFocus(page)).toBe('email');
  await askForCode(page, LONG);

  const field = page.getByLabel('Code', { exact: true });
  await field.waitFor();
  await expectNoOverflow(page);
  expect(await fieldWithFocus(page)).toBe('numeric');
  const right = Number(await scene.server.codeFor(LONG));
  for (let wrong = 1; wrong <= 5; wrong += 1) {
    await field.fill(String((right + wrong) % 1_000_000).padStart(6, '0'));
    expect(await field.getAttribute('aria-invalid')).toBeNull();
    await button(page, 'Sign in').click();
    if (wrong === 5) break;
    await page.getByText('This code is wrong').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await button(page, 'Sign in').isDisabled()).toBe(true);
    expect(await fieldWithFocus(page)).toBe('numeric');
  }
  await page.getByText('Five codes were wrong').waitFor();
  expect(await field.count()).toBe(0);
  expect(await page.getByText('six digits').count()).toBe(0);
  await expectAccessible(page);
  await expectNoOverflow(page);

  await button(page, 'Another address').click();
  await askForCode(page, LONG);
  await page.getByText('We have sent a new message').waitFor();
  await page.getByText('Five codes were wrong').waitFor();
  await expect.poll(() => scene.server.subjectsTo(LONG).at(-1)).toContain('link');

  const ben = 'ben@example.com';
  await button(page, 'Another address').click();
  await askForCode(page, ben);
  await field.fill(await scene.server.codeFor(ben));
  await button(page, 'Sign in').click();
  await button(page, 'Ask to be let in').waitFor();
});

it('whoever comes to a computer that somebody else used is told what stays with whom', async () => {
  const page = await scene.laptop.open();
  await page.goto(`${page.url().split('#')[0]}#/sign-in`);
  await page.getByText('belongs to ben@example.com').waitFor();
  await page.getByLabel('Your e-mail').fill(LONG);
  await page.getByText('What ben@example.com did here stays in that account').waitFor();
  await page.getByLabel('Your e-mail').fill('Ben@example.com');
  await page.getByText('you go on with it').waitFor();
  await page.goto(`${page.url().split('#')[0]}#/settings`);
  await button(page, 'I have a code').click();
  await page.getByText('What ben@example.com did here stays in that account').waitFor();
  await expectAccessible(page);
});

it('a link that was used is not offered again in the same window', async () => {
  const cleo = 'cleo@example.com';
  const page = await scene.laptop.open();
  const home = page.url().split('#')[0] ?? '';
  await page.goto(`${home}#/sign-in`);
  await askForCode(page, cleo);
  await scene.server.codeFor(cleo);
  const byLink = `${home}#/sign-in?link=${scene.server.linkFor(cleo)}`;
  await page.goto(byLink);
  await page.getByText(`Sign in on this computer as ${cleo}?`).waitFor();
  await button(page, 'Sign in').click();
  await button(page, 'Ask to be let in').waitFor();
  await page.goto(byLink);
  await page.getByText('This link was used before').waitFor();
  expect(await page.getByText('Sign in on this computer as').count()).toBe(0);
  expect(await button(page, 'Use a code instead').count()).toBe(1);
});

it('who signed out and did more here loses nothing to whoever signs in after them', async () => {
  const page = await scene.laptop.open();
  const home = page.url().split('#')[0] ?? '';
  await page.goto(`${home}#/settings`);
  await button(page, 'Sign out').click();
  await page.getByText('You are signed out. What you did stays').waitFor();
  const firstName = page.getByLabel('First name');
  await firstName.fill('Cleo');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await save.click();
  await save.waitFor({ state: 'detached' });
  await page.goto(`${home}#/sign-in`);
  await page.getByLabel('Your e-mail').fill('fred@example.com');
  await page.getByText('Some of it was not sent yet: it waits on this computer').waitFor();
  await expectAccessible(page);
  for (const [email, name] of [
    ['fred@example.com', ''],
    ['cleo@example.com', 'Cleo'],
  ] as const) {
    await page.goto(`${home}#/sign-in`);
    const before = scene.server.subjectsTo(email).length;
    await askForCode(page, email);
    await expect.poll(() => scene.server.subjectsTo(email).length, { timeout: 20_000 }).toBeGreaterThan(before);
    await page.getByLabel('Code', { exact: true }).fill(await scene.server.codeFor(email));
    await button(page, 'Sign in').click();
    await page.getByLabel('Code', { exact: true }).waitFor({ state: 'detached' });
    await page.goto(`${home}#/settings`);
    await expect.poll(() => firstName.inputValue()).toBe(name);
  }
});
