/** Takes screenshots of a customer's account from sign-up to its end. */
import type { ScreenshotTools } from './session-screenshots.ts';
import { createDevice } from '../app/device.ts';
import { runCustomerLifecycle } from '../steps/customer-lifecycle.ts';
import { startCommercialServer } from '../servers/commercial-server.ts';
import { turnMicrophoneInput } from '../steps/spoken-turn.ts';

export async function takeCustomerScreenshots({ open, takeScreenshot }: ScreenshotTools): Promise<void> {
  const microphone = turnMicrophoneInput();
  if (microphone === null) return console.warn('skipped: the customer screenshots require espeak-ng');
  const shop = await startCommercialServer();
  const device = await createDevice();
  try {
    await device.start(shop.address);
    const page = await open(device, { microphone });
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    await runCustomerLifecycle(page, shop, 'ada@example.com', (name, where) => takeScreenshot(where, name));
  } finally {
    await device.remove();
    await shop.stop();
  }
  return undefined;
}
