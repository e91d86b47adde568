/** Pictures of a live conversation, on a server that has a coach. */
import type { Page } from 'playwright';
import { createDevice, type Device } from './device.ts';
import { holdLive } from './hold-live.ts';
import { startLiveServer } from './live-server.ts';

export interface LivePictures {
  open: (device: Device) => Promise<Page>;
  shoot: (page: Page, name: string) => Promise<void>;
}

export async function shootLive({ open, shoot }: LivePictures): Promise<void> {
  const server = await startLiveServer();
  const device = await createDevice();
  try {
    await device.start(server.address);
    const page = await open(device);
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    await holdLive(page, server, (name) => shoot(page, name));
  } finally {
    await device.remove();
    await server.stop();
  }
}
