/** Clears all faults, brings every device online, and syncs each until it is idle. */
import { setTimeout as pause } from 'node:timers/promises';
import type { HostDevice } from './host-device.ts';
import type { OldApp } from './old-app.ts';
import type { SecondClientDevice } from './second-client-device.ts';

const TRIES = 25;
const RETRY_MS = 150;

/** Returns the devices that do not become idle in time, as sentences. */
export async function waitForConvergence(
  hosts: readonly HostDevice[],
  oldClient: OldApp | null,
  second: SecondClientDevice | null,
): Promise<string[]> {
  const others = [oldClient, second].filter((other) => other !== null);
  const lines = [...hosts, ...others].map(({ proxy }) => proxy);
  await Promise.all(lines.map((line) => line.clearFaults()));
  // The first pass uploads, the second distributes. The third is for rows that return after a restore.
  for (let pass = 0; pass < 3; pass += 1) {
    const problems = await Promise.all([
      ...hosts.map((host) => syncUntilQuiet(`device ${host.deviceId.slice(0, 8)}`, () => syncHost(host))),
      ...(oldClient === null ? [] : [syncUntilQuiet('the old client', () => syncOldClient(oldClient))]),
      ...(second === null ? [] : [syncUntilQuiet('the second client', second.sync)]),
    ]);
    const found = problems.flat();
    if (found.length > 0) return found;
  }
  return [];
}

/** Returns null when the device is idle, otherwise its state. */
async function syncHost(host: HostDevice): Promise<string | null> {
  const { state, waiting } = await host.sync();
  return state === 'idle' && waiting.length === 0 ? null : `${state} with ${waiting.length} changes waiting`;
}

const syncOldClient = async (client: OldApp): Promise<string | null> =>
  (await client.sync()) ? null : 'it gets no response';

async function syncUntilQuiet(deviceName: string, sync: () => Promise<string | null>): Promise<string[]> {
  let last = '';
  for (let tried = 0; tried < TRIES; tried += 1) {
    const status = await sync();
    if (status === null) return [];
    last = status;
    await pause(RETRY_MS);
  }
  return [`${deviceName} does not converge: ${last}`];
}
