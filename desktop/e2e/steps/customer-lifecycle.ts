/** Steps of a customer's account, from the first e-mail to the end of the paid plan and of the access. */
import type { Page } from 'playwright';
import { speakTurn } from './turns.ts';
import { LIVE_PRACTICE } from './typed-session.ts';
import type { CommercialServer } from '../servers/commercial-server.ts';

export interface OnStep {
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

const openScreen = (page: Page, name: string): Promise<void> => page.getByRole('link', { name, exact: true }).click();

/** Returns the page that `press` opens in a new tab. */
async function pageOpenedBy(page: Page, press: () => Promise<void>): Promise<Page> {
  const [outside] = await Promise.all([page.context().waitForEvent('page'), press()]);
  await outside.waitForLoadState();
  return outside;
}

/** Starts on Today with a microphone that plays a sentence. */
export async function runCustomerLifecycle(
  page: Page,
  server: CommercialServer,
  email: string,
  onStep: OnStep,
): Promise<void> {
  await signIn(page, server, { email, onStep });
  await page.getByRole('button', { name: 'Ask for access' }).click();
  await page.getByRole('heading', { name: 'What happens next' }).waitFor();
  await onStep('waiting', page);
  await practiseWithGuidedCoach(page, 'once your access is approved', onStep);
  await page.getByRole('link', { name: 'Today', exact: true }).click();
  await page.getByRole('button', { name: 'See what happens next' }).click();
  await server.grantWaiting();
  await page.reload();
  await page.getByRole('heading', { name: 'Today' }).waitFor();

  await page.getByRole('button', { name: 'Set up Parley' }).click();
  await page.getByLabel('What should your coach call you?').fill('Ada');
  await onStep('welcome', page);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('Intermediate', { exact: true }).click();
  await page.getByRole('button', { name: 'Find out by reading aloud' }).click();
  await onStep('welcome-level', page);
  for (const step of [3, 4, 5]) {
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText(`Step ${step} of 5`).waitFor();
  }
  await page.getByRole('button', { name: 'I’ll look around first' }).click();
  await page.getByRole('heading', { name: 'Today' }).waitFor();

  await openScreen(page, 'Practise');
  await page.getByRole('link', { name: new RegExp(LIVE_PRACTICE) }).click();
  await page.getByRole('radio', { name: 'Live coach', exact: true, checked: true }).waitFor();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('button', { name: 'Continue without a check' }).click();
  await server.spendMinutesElsewhere(email, 600);
  await speakTurn(page, 4_500);
  await page.getByText(/Your live minutes are used up/).waitFor();
  await onStep('quota-out', page);
  await practiseWithGuidedCoach(page, 'Your live minutes are used up.', onStep);

  await buyPlus(page, onStep);

  const portal = await pageOpenedBy(page, () => page.getByRole('button', { name: 'Manage my plan' }).click());
  await portal.getByRole('button', { name: /Cancel/ }).click();
  await portal.close();
  await page.getByText('and won’t be renewed').waitFor();
  await onStep('plan-ending', page);
  await server.stripeFake.advance(32 * DAY_MS);
  await page.getByText('You don’t have a paid plan.').waitFor();
  await onStep('plan-over', page);

  await server.revokeAccess(email);
  await openScreen(page, 'Today');
  await page.getByText('Your school has ended your access').waitFor();
  await practiseWithGuidedCoach(page, 'Your school has ended your access', onStep);
  await openScreen(page, 'Settings');
  await page.getByText('The reason given: “The pilot is over”.').waitFor();
}

/** Starts on any screen of the app. */
export async function signIn(
  page: Page,
  server: CommercialServer,
  { email, onStep }: { email: string; onStep: OnStep },
): Promise<void> {
  await openScreen(page, 'Settings');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Your e-mail').fill(email);
  await onStep('sign-in', page);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await page.getByLabel('Code').fill(await server.codeFor(email));
  await onStep('sign-in-code', page);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Pays on the provider's page, and waits until the app shows the plan. */
export async function buyPlus(page: Page, onStep: OnStep): Promise<void> {
  await openScreen(page, 'Plan');
  await page.getByRole('button', { name: 'Choose Plus' }).waitFor();
  await onStep('plan-free', page);
  const checkout = await pageOpenedBy(page, () => page.getByRole('button', { name: 'Choose Plus' }).click());
  await onStep('checkout', checkout);
  await checkout.getByRole('button', { name: 'Pay' }).click();
  await checkout.getByText('Your plan will be ready in a moment').waitFor();
  await checkout.close();
  await page.getByRole('button', { name: 'Manage my plan' }).waitFor();
  await page.getByText('It renews on').waitFor();
  await page.getByRole('heading', { name: 'Plan', exact: true }).scrollIntoViewIfNeeded();
  await onStep('plan-plus', page);
}

/** The model coach is shown as unavailable with a reason; the guided coach works. */
async function practiseWithGuidedCoach(page: Page, reason: string, stop: OnStep): Promise<void> {
  await openScreen(page, 'Practise');
  await page.getByRole('link', { name: new RegExp(LIVE_PRACTICE) }).click();
  await page.getByText(reason).waitFor();
  await page.getByRole('radio', { name: 'Guided coach', checked: true }).waitFor();
  await page.getByRole('radio', { name: 'Live coach', disabled: true }).waitFor();
  await stop('live-closed', page);
  await page.getByText('In writing', { exact: true }).click();
  await page.getByText('Guided coach', { exact: true }).click();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByLabel('Write your answer').waitFor();
}
