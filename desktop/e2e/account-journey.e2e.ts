/** Everything between a stranger's first e-mail and the last day of what they paid for, in a real browser. */
import { expect, it } from 'vitest';
import { expectAccessible } from './support/accessible.ts';
import { liveAsCustomer } from './support/live-as-customer.ts';
import { setUpLaptop } from './support/set-up-laptop.ts';
import { startShopServer } from './support/shop-server.ts';
import { heardInTurn } from './support/speak-live.ts';

const EMAIL = 'ada@example.com';
const heard = heardInTurn();
if (heard === null)
  console.warn('skipped: a turn that uses up the minutes needs a voice, espeak-ng (Debian: espeak-ng)');

const scene = setUpLaptop(startShopServer);

it.skipIf(heard === null)(
  'a learner is let in, runs out of minutes, pays, cancels, and stays until the last day',
  async () => {
    const page = await scene.laptop.open(heard === null ? {} : { microphone: heard });
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    await liveAsCustomer(page, scene.server, EMAIL, (_name, where) => expectAccessible(where));
    expect(scene.server.subjectsTo(EMAIL)).toEqual([
      expect.stringContaining('code'),
      expect.stringMatching(/access|in/i),
      expect.stringContaining('code'),
      expect.stringContaining('payment'),
    ]);

    // Who has unsubscribed from an e-mail turns reminders on again here, for all their devices.
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    const reminders = page.getByRole('switch', { name: 'Remind me by e-mail' });
    for (const isOn of [false, true]) {
      await page.getByText('Remind me by e-mail').click();
      await page.reload();
      await reminders.waitFor({ state: 'attached' });
      expect(await reminders.isChecked()).toBe(isOn);
    }
  },
);
