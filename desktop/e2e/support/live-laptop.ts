/** What journeys with a live coach begin with: a laptop, on a server that has one. */
import { afterAll, beforeAll } from 'vitest';
import { createDevice, type Device } from './device.ts';
import { type LiveServer, startLiveServer } from './live-server.ts';

export interface LiveScene {
  server: LiveServer;
  laptop: Device;
}

/** For the file that calls this: empty until its tests begin, closed when they are over. */
export function setUpLiveLaptop(): LiveScene {
  const scene = {} as LiveScene;
  beforeAll(async () => {
    scene.server = await startLiveServer();
    scene.laptop = await createDevice();
    await scene.laptop.start(scene.server.address);
  });
  afterAll(async () => {
    await scene.laptop.remove();
    await scene.server.stop();
  });
  return scene;
}
