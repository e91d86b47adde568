/** Takes screenshots of sessions with a model coach. */
import type { Page } from 'playwright';
import { createDevice, type OpenOptions } from '../app/device.ts';
import { callMicrophoneInput, practiseByCall } from '../steps/realtime-session.ts';
import { practiseInWriting } from '../steps/typed-session.ts';
import { turnMicrophoneInput, practiseBySpokenTurn } from '../steps/spoken-turn.ts';
import { startModelCoachServer } from '../servers/model-coach-server.ts';
import type { Camera } from './camera.ts';

export async function takeSessionScreenshots({ size, take, takeScreen }: Camera): Promise<void> {
  const heard = callMicrophoneInput();
  const turn = turnMicrophoneInput();
  if (heard === null || turn === null) throw new Error('The screenshots require espeak-ng.');
  const server = await startModelCoachServer();
  const device = await createDevice();
  const open = async (options: OpenOptions): Promise<Page> => {
    const page = await device.open(options);
    await page.setViewportSize(size);
    return page;
  };
  try {
    await device.start(server.address);
    const page = await open({});
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    await practiseInWriting(page, server, (name) => takeScreen(page, name));
    const calling = await open({ microphone: heard.microphone });
    // A second window would take the call over.
    await practiseByCall(calling, server, heard, (name) =>
      name === 'call-result' ? takeScreen(calling, name) : take(calling, name),
    );
    const speaking = await open({ microphone: turn });
    await practiseBySpokenTurn(speaking, server, (name) => takeScreen(speaking, name));
  } finally {
    await device.remove();
    await server.stop();
  }
}
