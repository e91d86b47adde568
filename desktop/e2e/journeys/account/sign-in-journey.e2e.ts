/** Sign-in when things go wrong: wrong codes, long addresses and a computer that another learner used before. */
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { setUpLaptop } from '../../app/set-up-laptop.ts';
import { startCommercialServer } from '../../servers/commercial-server.ts';

/** Each part has the maximum length, and nothing in it allows a line break. */
const LONG_EMAIL = `${'w'.repeat(64)}@${'m'.repeat(60)}.example.com`;

const fixture = setUpLaptop(startCommercialServer);

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

it('after five wrong codes the learner is told to use the link', { tags: ['slow'] }, async () => {
  const page = await fixture.laptop.open();
  await page.setViewportSize({ width: 640, height: 900 });
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await button(page, 'Sign in').click();
  await page.getByText('What you did here without an account moves into it').waitFor();
  expect(await fieldWithFocus(page)).toBe('email');
  await askForCode(page, LONG_EMAIL);

  const field = page.getByLabel('Code', { exact: true });
  await field.waitFor();
  await expectNoOverflow(page);
  expect(await fieldWithFocus(page)).toBe('numeric');
  const right = Number(await fixture.server.codeFor(LONG_EMAIL));
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
  await page.getByText('Five wrong codes were entered').waitFor();
  expect(await field.count()).toBe(0);
  expect(await page.getByText('six digits').count()).toBe(0);
  await expectAccessible(page);
  await expectNoOverflow(page);

  await button(page, 'Another address').click();
  await askForCode(page, LONG_EMAIL);
  await page.getByText('We’re sending a new e-mail').waitFor();
  await page.getByText('Five wrong codes were entered').waitFor();
  await expect.poll(() => fixture.server.subjectsTo(LONG_EMAIL).at(-1)).toContain('link');

  const ben = 'ben@example.com';
  await button(page, 'Another address').click();
  await askForCode(page, ben);
  await field.fill(await fixture.server.codeFor(ben));
  await button(page, 'Sign in').click();
  await button(page, 'Ask for access').waitFor();
});

it('explains on a shared computer where each learner’s work is kept', { tags: ['slow'] }, async () => {
  const page = await fixture.laptop.open();
  await page.goto(`${page.url().split('#')[0]}#/sign-in`);
  await page.getByText('belongs to ben@example.com').waitFor();
  await page.getByLabel('Your e-mail').fill(LONG_EMAIL);
  await page.getByText('What ben@example.com did here stays in that account').waitFor();
  await page.getByLabel('Your e-mail').fill('Ben@example.com');
  await page.getByText('is already in this account').waitFor();
  await page.goto(`${page.url().split('#')[0]}#/settings`);
  await button(page, 'I have a code').click();
  await page.getByText('What ben@example.com did here stays in that account').waitFor();
  await expectAccessible(page);
});

it('a used link is not offered again in the same window', { tags: ['slow'] }, async () => {
  const cleo = 'cleo@example.com';
  const page = await fixture.laptop.open();
  const home = page.url().split('#')[0] ?? '';
  await page.goto(`${home}#/sign-in`);
  await askForCode(page, cleo);
  await fixture.server.codeFor(cleo);
  const byLink = `${home}#/sign-in?link=${fixture.server.linkFor(cleo)}`;
  await page.goto(byLink);
  await page.getByText(`Sign in on this computer as ${cleo}?`).waitFor();
  await button(page, 'Sign in').click();
  await button(page, 'Ask for access').waitFor();
  await page.goto(byLink);
  await page.getByText('This link was already used').waitFor();
  expect(await page.getByText('Sign in on this computer as').count()).toBe(0);
  expect(await button(page, 'Use a code instead').count()).toBe(1);
});

it('unsent work after a sign-out survives another learner’s sign-in', { tags: ['slow'] }, async () => {
  const page = await fixture.laptop.open();
  const home = page.url().split('#')[0] ?? '';
  await page.goto(`${home}#/settings`);
  await button(page, 'Sign out').click();
  await page.getByText('You’re signed out. What you did stays').waitFor();
  const firstName = page.getByLabel('First name');
  await firstName.fill('Cleo');
  await firstName.press('Enter');
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.goto(`${home}#/sign-in`);
  await page.getByLabel('Your e-mail').fill('fred@example.com');
  await page.getByText('Some of it hasn’t been sent yet').waitFor();
  await expectAccessible(page);
  for (const [email, name] of [
    ['fred@example.com', ''],
    ['cleo@example.com', 'Cleo'],
  ] as const) {
    await page.goto(`${home}#/sign-in`);
    const before = fixture.server.subjectsTo(email).length;
    await askForCode(page, email);
    await expect.poll(() => fixture.server.subjectsTo(email).length, { timeout: 20_000 }).toBeGreaterThan(before);
    await page.getByLabel('Code', { exact: true }).fill(await fixture.server.codeFor(email));
    await button(page, 'Sign in').click();
    await page.getByLabel('Code', { exact: true }).waitFor({ state: 'detached' });
    await page.goto(`${home}#/settings`);
    await expect.poll(() => firstName.inputValue()).toBe(name);
  }
});
