/** Takes screenshots of a customer's account from sign-up to its end. */
import { createDevice } from '../app/device.ts';
import { runCustomerLifecycle } from '../steps/customer-lifecycle.ts';
import { startCommercialServer } from '../servers/commercial-server.ts';
import { turnMicrophoneInput } from '../steps/spoken-turn.ts';
import type { Camera } from './camera.ts';

export async function takeCustomerScreenshots({ size, takeScreen }: Camera): Promise<void> {
  const microphone = turnMicrophoneInput();
  if (microphone === null) throw new Error('The screenshots require espeak-ng.');
  const shop = await startCommercialServer();
  const device = await createDevice();
  try {
    await device.start(shop.address);
    const page = await device.open({ microphone });
    await page.setViewportSize(size);
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    await runCustomerLifecycle(page, shop, 'ada@example.com', async (name, where) => {
      // The checkout is a page of the payment service.
      if (name !== 'checkout') await takeScreen(where, name);
    });
  } finally {
    await device.remove();
    await shop.stop();
  }
}
