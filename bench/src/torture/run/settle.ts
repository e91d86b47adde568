/** Faults stop, everybody is online, and each device syncs until it is quiet. */
import { setTimeout as pause } from 'node:timers/promises';
import type { HostDevice } from './host-device.ts';
import type { OldClient } from './old-client.ts';
import type { SecondDevice } from './second-device.ts';

const TRIES = 25;
const RETRY_MS = 150;

/** What does not come to rest in time, in words. */
export async function settle(
  hosts: readonly HostDevice[],
  oldClient: OldClient | null,
  second: SecondDevice | null,
): Promise<string[]> {
  const others = [oldClient, second].filter((other) => other !== null);
  const lines = [...hosts, ...others].map(({ line }) => line);
  await Promise.all(lines.map((line) => line.calm()));
  // First everything goes up, then everybody hears of it; after a restore they hear of what the others still had.
  for (let pass = 0; pass < 3; pass += 1) {
    const problems = await Promise.all([
      ...hosts.map((host) => quiet(`device ${host.deviceId.slice(0, 8)}`, () => syncHost(host))),
      ...(oldClient === null ? [] : [quiet('the old client', () => syncOldClient(oldClient))]),
      ...(second === null ? [] : [quiet('the second client', second.sync)]),
    ]);
    const found = problems.flat();
    if (found.length > 0) return found;
  }
  return [];
}

/** Null when it is quiet, else what it says of itself. */
async function syncHost(host: HostDevice): Promise<string | null> {
  const { state, waiting } = await host.sync();
  return state === 'idle' && waiting.length === 0 ? null : `${state} with ${waiting.length} changes waiting`;
}

const syncOldClient = async (client: OldClient): Promise<string | null> =>
  (await client.sync()) ? null : 'it gets no answer';

async function quiet(who: string, sync: () => Promise<string | null>): Promise<string[]> {
  let last = '';
  for (let tried = 0; tried < TRIES; tried += 1) {
    const unrest = await sync();
    if (unrest === null) return [];
    last = unrest;
    await pause(RETRY_MS);
  }
  return [`${who} does not converge: ${last}`];
}
