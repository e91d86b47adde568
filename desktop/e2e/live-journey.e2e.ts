/** A live coach in a real browser: words as they come, a failure that loses nothing, the judgement, and what is remembered and forgotten. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible } from './support/accessible.ts';
import { createDevice, type Device } from './support/device.ts';
import { holdLive, REVIEW } from './support/hold-live.ts';
import { type LiveServer, startLiveServer } from './support/live-server.ts';

let server: LiveServer;
let laptop: Device;
beforeAll(async () => {
  server = await startLiveServer();
  laptop = await createDevice();
  await laptop.start(server.address);
});
afterAll(async () => {
  await laptop.remove();
  await server.stop();
});

it('a live conversation is held, judged, remembered, and forgotten when the learner says so', async () => {
  const page = await laptop.open();
  const seen: string[] = [];
  await holdLive(page, server, async (name) => {
    seen.push(name);
    await expectAccessible(page);
  });
  expect(seen.at(-1)).toBe('coach');
  await page.getByRole('button', { name: `Forget: ${REVIEW.remember[0]}` }).click();
  await page.getByText('Nothing yet').waitFor();
});
