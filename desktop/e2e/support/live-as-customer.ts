/** From a stranger's first e-mail to a paying learner's last day, and after it, in a real browser; stops to be looked at on the way. */
import type { Page } from 'playwright';
import { LIVE_PRACTICE } from './hold-live.ts';
import type { ShopServer } from './shop-server.ts';

export interface Stop {
  (
    name:
      | 'sign-in'
      | 'sign-in-code'
      | 'waiting'
      | 'live-closed'
      | 'welcome'
      | 'welcome-level'
      | 'quota-out'
      | 'plan-free'
      | 'checkout'
      | 'plan-plus'
      | 'plan-ending'
      | 'plan-over',
    page: Page,
  ): Promise<void>;
}

const DAY_MS = 86_400_000;

const go = (page: Page, name: string): Promise<void> => page.getByRole('link', { name, exact: true }).click();

/** Presses what opens a page in the system's browser, and returns that page. */
async function opened(page: Page, press: () => Promise<void>): Promise<Page> {
  const [outside] = await Promise.all([page.context().waitForEvent('page'), press()]);
  await outside.waitForLoadState();
  return outside;
}

/** Begins at Today, with a microphone that hears a sentence. */
export async function liveAsCustomer(page: Page, shop: ShopServer, email: string, stop: Stop): Promise<void> {
  await go(page, 'Settings');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Your e-mail').fill(email);
  await stop('sign-in', page);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await page.getByLabel('Code').fill(await shop.codeFor(email));
  await stop('sign-in-code', page);
  await page.getByRole('button', { name: 'Sign in' }).click();

  await page.getByRole('button', { name: 'Ask to be let in' }).click();
  await page.getByRole('heading', { name: 'What happens next' }).waitFor();
  await stop('waiting', page);
  await practiseFromTheScript(page, 'has to wait until you are let in', stop);
  await page.getByRole('link', { name: 'Today', exact: true }).click();
  await page.getByRole('button', { name: 'What happens next' }).click();
  await shop.letIn();
  await page.reload();
  await page.getByRole('heading', { name: 'Today' }).waitFor();

  await page.getByRole('button', { name: 'Set up Parley' }).click();
  await page.getByLabel('What should your coach call you?').fill('Ada');
  await stop('welcome', page);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('Intermediate', { exact: true }).click();
  await page.getByRole('button', { name: 'Find out by reading aloud' }).click();
  await stop('welcome-level', page);
  for (const step of [3, 4, 5]) {
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText(`Step ${step} of 5`).waitFor();
  }
  await page.getByRole('button', { name: 'Look around first' }).click();
  await page.getByRole('heading', { name: 'Today' }).waitFor();

  await go(page, 'Practise');
  await page.getByRole('link', { name: new RegExp(LIVE_PRACTICE) }).click();
  await page.getByRole('radio', { name: 'Freely', exact: true, checked: true }).waitFor();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('button', { name: 'Go on without a check' }).click();
  await shop.talkElsewhere(email, 600);
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
  await page.getByText('Recording').waitFor();
  await page.waitForTimeout(4_500);
  await page.getByRole('button', { name: 'Stop and see what was heard' }).click();
  await page.getByText(/Your live minutes are used up/).waitFor();
  await stop('quota-out', page);
  await practiseFromTheScript(page, 'Your live minutes are used up.', stop);

  await go(page, 'Plan');
  await page.getByRole('button', { name: 'Choose Plus' }).waitFor();
  await stop('plan-free', page);
  const checkout = await opened(page, () => page.getByRole('button', { name: 'Choose Plus' }).click());
  await stop('checkout', checkout);
  await checkout.getByRole('button', { name: 'Pay' }).click();
  await checkout.getByText('Your plan is ready in a moment').waitFor();
  await checkout.close();
  await page.getByRole('button', { name: 'Manage my plan' }).waitFor();
  await page.getByText('It is renewed on').waitFor();
  await page.getByRole('heading', { name: 'Plan', exact: true }).scrollIntoViewIfNeeded();
  await stop('plan-plus', page);

  const portal = await opened(page, () => page.getByRole('button', { name: 'Manage my plan' }).click());
  await portal.getByRole('button', { name: /Cancel/ }).click();
  await portal.close();
  await page.getByText('and is not renewed').waitFor();
  await stop('plan-ending', page);
  await shop.stripe.advance(32 * DAY_MS);
  await page.getByText('You have no paid plan.').waitFor();
  await stop('plan-over', page);

  await shop.takeAway(email);
  await go(page, 'Today');
  await page.getByText('Your access to this server was taken away').waitFor();
  await practiseFromTheScript(page, 'Your access to this server was taken away', stop);
  await go(page, 'Settings');
  await page.getByText('Their reason: “The pilot is over”.').waitFor();
}

/** A live coach is shown with the reason why not now; the script is chosen, and works. */
async function practiseFromTheScript(page: Page, reason: string, stop: Stop): Promise<void> {
  await go(page, 'Practise');
  await page.getByRole('link', { name: new RegExp(LIVE_PRACTICE) }).click();
  await page.getByText(reason).waitFor();
  await page.getByRole('radio', { name: 'From the script', checked: true }).waitFor();
  await page.getByRole('radio', { name: 'Freely', disabled: true }).waitFor();
  await stop('live-closed', page);
  await page.getByText('In writing', { exact: true }).click();
  await page.getByText('From the script', { exact: true }).click();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByLabel('Write your answer').waitFor();
}
