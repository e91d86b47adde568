/** Pictures of a live conversation, on a server that has a coach. */
import type { Page } from 'playwright';
import { createDevice, type Device, type OpenOptions } from './device.ts';
import { heardInCall, holdCall } from './hold-call.ts';
import { holdLive } from './hold-live.ts';
import { heardInTurn, speakLive } from './speak-live.ts';
import { startLiveServer } from './live-server.ts';

export interface LivePictures {
  open: (device: Device, options?: OpenOptions) => Promise<Page>;
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
    const heard = heardInCall();
    if (heard === null) return console.warn('no pictures of a call: that needs a voice, espeak-ng');
    const calling = await open(device, { microphone: heard.microphone });
    await holdCall(calling, server, heard, (name) => shoot(calling, name));
    const turn = heardInTurn();
    if (turn === null) return undefined;
    const speaking = await open(device, { microphone: turn });
    await speakLive(speaking, server, (name) => shoot(speaking, name));
  } finally {
    await device.remove();
    await server.stop();
  }
}
