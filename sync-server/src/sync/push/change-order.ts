/**
 * Orders the changes of one device by the device's own clock. A device sends its changes in the order in which it made them, except after its
 * database was replaced by an older copy: then it numbers them again, and may send some that the server has had for a long time.
 */
import type { Mutation } from '@parley/contract';
import { parseHybridTime, wasMadeBefore } from '@parley/domain';
import type { SpokenProtocol } from '../protocol-version.ts';

/** The newest change that the server has received from a device. */
export interface NewestChange {
  /** Its time by the device's clock. */
  at: string;
  /** The correction that was added to this time to match the server's clock, in ms. */
  offsetMs: number;
}

export interface ChangeOrder {
  /** The ids of changes that were made after all others that the server has received from the device. */
  newest: ReadonlySet<string>;
  /** The ids of changes that were made before the newest. */
  older: ReadonlySet<string>;
  /**
   * Added to the times of older changes. A larger correction than that of the newest change would make them later than
   * it.
   */
  olderOffsetMs: number;
  /** The newest change after this push. */
  last: NewestChange | null;
}

interface KnownDevice {
  protocol: SpokenProtocol;
  /** The clock of the change times as the request was sent; null in protocol 2, where each change counts as the newest. */
  deviceNow: Date | null;
  offsetMs: number;
  /** Null when none is known. */
  last: NewestChange | null;
  /** Whether the device has sent changes before, perhaps to a server version that did not record the newest. */
  hasSentChanges: boolean;
}

export function orderChanges(
  changes: readonly Pick<Mutation, 'id' | 'op' | 'at'>[],
  { protocol, deviceNow, offsetMs, last: before, hasSentChanges }: KnownDevice,
): ChangeOrder {
  // A clock that is behind the newest change has been reset, so its times cannot be compared with those before.
  const hasRestarted = before !== null && deviceNow !== null && deviceNow.getTime() < parseHybridTime(before.at).ms;
  const isUnknown = protocol === 3 && (hasRestarted || (before === null && hasSentChanges));
  const newest = new Set<string>();
  const older = new Set<string>();
  let last = hasRestarted ? null : before;
  // A restore is sent before the waiting changes, although its own time is later. It has a time for each field.
  for (const { id, at } of changes.filter(({ op }) => op !== 'restore')) {
    const isNewest = !wasMadeBefore(at, last?.at ?? null);
    if (isNewest) last = { at, offsetMs };
    if (protocol === 2 || (isNewest && !isUnknown)) newest.add(id);
    else if (!isUnknown) older.add(id);
  }
  return {
    newest,
    older,
    olderOffsetMs: Math.min(offsetMs, before?.offsetMs ?? offsetMs),
    last: last ?? before,
  };
}
