/** Takes screenshots of sessions with a model coach. */
import type { Page } from 'playwright';
import { createDevice, type Device, type OpenOptions } from '../app/device.ts';
import { callMicrophoneInput, practiseByCall } from '../steps/realtime-session.ts';
import { practiseInWriting } from '../steps/typed-session.ts';
import { turnMicrophoneInput, practiseBySpokenTurn } from '../steps/spoken-turn.ts';
import { startModelCoachServer } from '../servers/model-coach-server.ts';

export interface ScreenshotTools {
  open: (device: Device, options?: OpenOptions) => Promise<Page>;
  takeScreenshot: (page: Page, name: string) => Promise<void>;
}

export async function takeSessionScreenshots({ open, takeScreenshot }: ScreenshotTools): Promise<void> {
  const server = await startModelCoachServer();
  const device = await createDevice();
  try {
    await device.start(server.address);
    const page = await open(device);
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    await practiseInWriting(page, server, (name) => takeScreenshot(page, name));
    const heard = callMicrophoneInput();
    if (heard === null) return console.warn('skipped: the call screenshots require espeak-ng');
    const calling = await open(device, { microphone: heard.microphone });
    await practiseByCall(calling, server, heard, (name) => takeScreenshot(calling, name));
    const turn = turnMicrophoneInput();
    if (turn === null) return undefined;
    const speaking = await open(device, { microphone: turn });
    await practiseBySpokenTurn(speaking, server, (name) => takeScreenshot(speaking, name));
  } finally {
    await device.remove();
    await server.stop();
  }
}
