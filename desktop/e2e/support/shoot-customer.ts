/** Pictures of becoming a customer, and of ceasing to be one. */
import type { LivePictures } from './shoot-live.ts';
import { createDevice } from './device.ts';
import { liveAsCustomer } from './live-as-customer.ts';
import { startShopServer } from './shop-server.ts';
import { heardInTurn } from './speak-live.ts';

export async function shootCustomer({ open, shoot }: LivePictures): Promise<void> {
  const microphone = heardInTurn();
  if (microphone === null) return console.warn('no pictures of a customer: that needs a voice, espeak-ng');
  const shop = await startShopServer();
  const device = await createDevice();
  try {
    await device.start(shop.address);
    const page = await open(device, { microphone });
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    await liveAsCustomer(page, shop, 'ada@example.com', (name, where) => shoot(where, name));
  } finally {
    await device.remove();
    await shop.stop();
  }
  return undefined;
}
