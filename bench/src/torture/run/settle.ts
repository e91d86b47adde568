/** Faults stop, everybody is online, and each device syncs until it is quiet. */
import { setTimeout as pause } from 'node:timers/promises';
import type { HostDevice } from './host-device.ts';
import type { OldClient } from './old-client.ts';

const TRIES = 25;
const RETRY_MS = 150;

/** What does not come to rest in time, in words. */
export async function settle(hosts: readonly HostDevice[], oldClient: OldClient | null): Promise<string[]> {
  const lines = [...hosts.map(({ line }) => line), ...(oldClient === null ? [] : [oldClient.line])];
  await Promise.all(lines.map((line) => line.calm()));
  // First everything goes up, then everybody hears of it.
  for (let pass = 0; pass < 2; pass += 1) {
    const problems = await Promise.all([
      ...hosts.map((host) => quiet(`device ${host.deviceId.slice(0, 8)}`, () => syncHost(host))),
      ...(oldClient === null ? [] : [quiet('the old client', () => syncOldClient(oldClient))]),
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
