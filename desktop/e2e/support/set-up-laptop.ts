/** What most journeys begin with: a laptop, and the server that it speaks to. */
import { afterAll, beforeAll } from 'vitest';
import { createDevice, type Device } from './device.ts';

interface Scene<Server> {
  server: Server;
  laptop: Device;
}

/** For the file that calls this: empty until its tests begin, closed when they are over. */
export function setUpLaptop<Server extends { address: string; stop: () => Promise<void> }>(
  startServer: () => Promise<Server>,
): Scene<Server> {
  const scene = {} as Scene<Server>;
  beforeAll(async () => {
    scene.server = await startServer();
    scene.laptop = await createDevice();
    await scene.laptop.start(scene.server.address);
  });
  afterAll(async () => {
    await scene.laptop.remove();
    await scene.server.stop();
  });
  return scene;
}
