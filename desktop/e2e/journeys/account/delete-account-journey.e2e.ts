/** A learner orders the deletion of the account with an e-mailed code, and changes their mind. */
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { setUpLaptop } from '../../app/set-up-laptop.ts';
import { startCommercialServer } from '../../servers/commercial-server.ts';
import { signIn } from '../../steps/customer-lifecycle.ts';

const EMAIL = 'lea@example.com';
/** A code that was entered to sign in covers deletion for ten minutes. */
const LATER_MS = 11 * 60_000;

const fixture = setUpLaptop(startCommercialServer);

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const textWithFocus = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(() => document.activeElement?.textContent);

it('a learner deletes the account with the second code, and keeps it after all', { tags: ['slow'] }, async () => {
  const { server, laptop } = fixture;
  const page = await laptop.open();
  await signIn(page, server, { email: EMAIL, onStep: async () => undefined });
  await button(page, 'Ask for access').waitFor();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await server.stripeFake.advance(LATER_MS);

  await button(page, 'Delete my account…').press('Enter');
  await page.getByText('In thirty days everything the server keeps').waitFor();
  await expectAccessible(page);
  const mails = server.subjectsTo(EMAIL).length;
  await button(page, 'Delete in 30 days').press('Enter');
  await page.clock.install();
  await page.getByText('We’re sending a code to').waitFor();
  const again = page.getByRole('button', { name: /^Send it again/ });
  expect(await again.count()).toBe(0);
  await button(page, 'I haven’t received it').waitFor();
  await expect.poll(() => server.subjectsTo(EMAIL).length).toBe(mails + 1);
  const field = page.getByLabel('Code', { exact: true });
  const wrong = (Number(await server.codeFor(EMAIL)) + 1) % 1_000_000;
  await field.fill(String(wrong).padStart(6, '0'));
  await field.press('Enter');
  await page.getByText('This code is wrong').waitFor();

  // The sentence about the wrong code says to ask for a new one.
  expect(await button(page, 'I haven’t received it').count()).toBe(0);
  expect(await again.textContent()).toMatch(/in \d+ s/);
  expect(await again.isDisabled()).toBe(true);
  await expectAccessible(page);
  await expect.poll(async () => (await page.clock.runFor(1_000), again.isEnabled()), { interval: 10 }).toBe(true);
  await again.press('Enter');
  await page.getByText('We’re sending a new e-mail.').waitFor();
  expect(await page.getByText('This code is wrong').count()).toBe(0);
  expect(await field.inputValue()).toBe('');
  await expectAccessible(page);
  await expect.poll(() => server.subjectsTo(EMAIL).length).toBe(mails + 2);
  // The field has the focus again.
  await page.keyboard.type(await server.codeFor(EMAIL));
  await page.keyboard.press('Enter');

  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => textWithFocus(page)).toMatch(/^This account will be erased on/);
  await button(page, 'Keep my account').press('Enter');
  await expect.poll(() => textWithFocus(page)).toBe('Your account won’t be deleted.');
  await button(page, 'Delete my account…').waitFor();
  await expectAccessible(page);
});
