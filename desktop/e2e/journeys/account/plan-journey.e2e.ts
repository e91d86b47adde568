/**
 * A learner signs in, is given access and buys a plan, in a real browser. `account-journey.e2e.ts` continues to the
 * last paid day.
 */
import { expect, it } from 'vitest';
import { setUpLaptop } from '../../app/set-up-laptop.ts';
import { startCommercialServer } from '../../servers/commercial-server.ts';
import { buyPlus, signIn } from '../../steps/customer-lifecycle.ts';

const EMAIL = 'grace@example.com';

const fixture = setUpLaptop(startCommercialServer);

it('a learner buys a plan', async () => {
  const { server, laptop } = fixture;
  const page = await laptop.open();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  const onStep = async (): Promise<void> => undefined;
  await signIn(page, server, { email: EMAIL, onStep });
  await page.getByRole('button', { name: 'Ask for access' }).click();
  await page.getByRole('heading', { name: 'What happens next' }).waitFor();
  await server.grantWaiting();
  await page.reload();
  await buyPlus(page, onStep);
  // The sidebar of a narrow window has no room for the sentence.
  await page.setViewportSize({ width: 900, height: 700 });
  const minutes = page.getByRole('link', { name: '600 live minutes left' });
  expect(await minutes.getByText('600', { exact: true }).isVisible()).toBe(true);
  expect((await minutes.boundingBox())?.height).toBeGreaterThan(24);
});
