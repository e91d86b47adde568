/**
 * Draws what happens to whole data folders: one is restored from a backup of the computer, or two computers use copies
 * of one.
 */
import type { Random } from '../seeded-random.ts';
import { type HostPlan, isBackdated, type Step } from './plan.ts';

/** Inserts the copy and the restore into the steps of one device. */
export function addFolderRestore(random: Random, hosts: readonly HostPlan[]): void {
  const { steps } = random.pick(hosts);
  const first = steps.findLastIndex(isBackdated) + 1;
  const restoreAt = random.int(first, steps.length);
  steps.splice(restoreAt, 0, { do: 'restoreFolder' });
  steps.splice(random.int(first, restoreAt), 0, { do: 'copyFolder' });
}

/** Returns another device with the folder of the first one. */
export function drawFolderCopy(random: Random, [first]: readonly HostPlan[], steps: Step[]): HostPlan {
  if (first === undefined) throw new Error('a run without devices');
  first.isFolderShared = true;
  return { ...first, chanceSeed: random.int(0, 2 ** 31), isOffline: random.happens(0.3), steps };
}
