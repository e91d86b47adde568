/** Sets up the device and the server that most tests use. */
import { afterAll, beforeAll } from 'vitest';
import { createDevice, type Device } from './device.ts';

interface LaptopFixture<Server> {
  server: Server;
  laptop: Device;
}

/** Registers hooks in the calling file; the properties are set before its tests run. */
export function setUpLaptop<Server extends { address: string; stop: () => Promise<void> }>(
  startServer: () => Promise<Server>,
): LaptopFixture<Server> {
  const fixture = {} as LaptopFixture<Server>;
  beforeAll(async () => {
    fixture.server = await startServer();
    fixture.laptop = await createDevice();
    await fixture.laptop.start(fixture.server.address);
  });
  afterAll(async () => {
    await fixture.laptop.remove();
    await fixture.server.stop();
  });
  return fixture;
}
