/** Sets up the device of a test that needs no server of its own. */
import { afterAll, beforeAll } from 'vitest';
import { createDevice, type Device } from './device.ts';

/** Registers hooks in the calling file, which start the device before its tests; its properties are set only then. */
export function setUpDevice(serverUrl: string | null): Device {
  const device = {} as Device;
  beforeAll(async () => {
    Object.assign(device, await createDevice());
    await device.start(serverUrl);
  });
  afterAll(() => device.remove());
  return device;
}
