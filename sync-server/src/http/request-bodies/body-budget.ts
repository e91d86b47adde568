/** Tracks how many decompressed request bytes are in memory, and limits them per caller and per process. */

export interface BodyLimits {
  /** Bodies of one caller that may be arriving or in progress at the same time. */
  bodiesPerCaller: number;
  bytesPerCaller: number;
  bytesPerProcess: number;
}

/** A device sends one push and one recording at a time, and an account has a handful of devices. */
export const BODY_LIMITS: BodyLimits = {
  bodiesPerCaller: 16,
  bytesPerCaller: 12 * 1_048_576,
  bytesPerProcess: 64 * 1_048_576,
};

/** The first bytes of a body do not count towards the process limit, so a turn gets through while large bodies fill it. */
const UNCOUNTED_BYTES = 16 * 1_024;

export interface TrackedBody {
  /** Returns false, without counting the bytes, when they would exceed a limit. */
  add: (bytes: number) => boolean;
  release: () => void;
}

export interface BodyBudget {
  /** Returns null when the caller has too many open bodies. */
  track: (caller: string) => TrackedBody | null;
  trackedBytes: () => number;
}

export function createBodyBudget(limits: BodyLimits = BODY_LIMITS): BodyBudget {
  const trackedByCaller = new Map<string, { bodies: number; bytes: number }>();
  let processBytes = 0;

  const open = (caller: string): TrackedBody | null => {
    const held = trackedByCaller.get(caller) ?? { bodies: 0, bytes: 0 };
    if (held.bodies >= limits.bodiesPerCaller) return null;
    held.bodies += 1;
    trackedByCaller.set(caller, held);
    let bytes = 0;
    let isReleased = false;
    const countedBytes = (total: number): number => Math.max(0, total - UNCOUNTED_BYTES);
    return {
      add: (more) => {
        const added = countedBytes(bytes + more) - countedBytes(bytes);
        if (isReleased || held.bytes + more > limits.bytesPerCaller || processBytes + added > limits.bytesPerProcess)
          return false;
        bytes += more;
        held.bytes += more;
        processBytes += added;
        return true;
      },
      release: () => {
        if (isReleased) return;
        isReleased = true;
        held.bodies -= 1;
        held.bytes -= bytes;
        processBytes -= countedBytes(bytes);
        if (held.bodies === 0) trackedByCaller.delete(caller);
      },
    };
  };
  return { track: open, trackedBytes: () => processBytes };
}
