/**
 * A learner signs in, is given access and buys a plan, in a real browser. `account-journey.e2e.ts` continues to the
 * last paid day.
 */
import { it } from 'vitest';
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
});
