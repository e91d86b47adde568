/** A learner's account from the first e-mail to the last paid day, in a real browser. */
import { expect, it } from 'vitest';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { runCustomerLifecycle } from '../../steps/customer-lifecycle.ts';
import { setUpLaptop } from '../../app/set-up-laptop.ts';
import { startCommercialServer } from '../../servers/commercial-server.ts';
import { turnMicrophoneInput } from '../../steps/spoken-turn.ts';

const EMAIL = 'ada@example.com';
const microphoneInput = turnMicrophoneInput();
if (microphoneInput === null) console.warn('skipped: synthesised speech requires espeak-ng (Debian: espeak-ng)');

const fixture = setUpLaptop(startCommercialServer);

it.skipIf(microphoneInput === null)(
  'a learner gets access, uses up the minutes, subscribes and cancels',
  { tags: ['slow'], timeout: 300_000 },
  async () => {
    const page = await fixture.laptop.open(microphoneInput === null ? {} : { microphone: microphoneInput });
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    await runCustomerLifecycle(page, fixture.server, EMAIL, (_name, where) => expectAccessible(where));
    expect(fixture.server.subjectsTo(EMAIL)).toEqual([
      expect.stringContaining('code'),
      expect.stringMatching(/access|in/i),
      expect.stringContaining('code'),
      expect.stringContaining('payment'),
    ]);

    // This switch turns reminders on again for all devices after an unsubscribe.
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
