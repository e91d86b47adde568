/** Sets up the device and the server that most tests use. */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { createDevice, type Device } from './device.ts';

interface LaptopFixture<Server> {
  server: Server;
  laptop: Device;
}

/**
 * Registers hooks in the calling file; the properties are set before its tests run. With `isFresh`, every attempt of a
 * test gets its own device and server, so that a failed attempt cannot make the next one fail.
 */
export function setUpLaptop<Server extends { address: string; stop: () => Promise<void> }>(
  startServer: () => Promise<Server>,
  { isFresh = false }: { isFresh?: boolean } = {},
): LaptopFixture<Server> {
  const fixture = {} as LaptopFixture<Server>;
  const [before, after] = isFresh ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    fixture.server = await startServer();
    fixture.laptop = await createDevice();
    await fixture.laptop.start(fixture.server.address);
  });
  after(async () => {
    await fixture.laptop.remove();
    await fixture.server.stop();
  });
  return fixture;
}
