/** Tracks how many decompressed request bytes are in memory, and limits them per caller, per network and per process. */

export interface BodyLimits {
  /** How many bodies of one caller may be arriving or in progress at the same time. */
  bodiesPerCaller: number;
  bytesPerCaller: number;
  bytesPerNetwork: number;
  bytesPerProcess: number;
}

/** A device sends one push and one recording at a time, and an account has a handful of devices. */
export const BODY_LIMITS: BodyLimits = {
  bodiesPerCaller: 16,
  bytesPerCaller: 12 * 1_048_576,
  // A stranger can register many accounts, but not send from many networks.
  bytesPerNetwork: 32 * 1_048_576,
  bytesPerProcess: 64 * 1_048_576,
};

/**
 * A learner sends 32 kB a second while speaking, and until they are recognised, the bytes are held twice: as received,
 * and in the provider's format.
 */
export const SPEECH_LIMITS: BodyLimits = {
  ...BODY_LIMITS,
  bytesPerNetwork: 64 * 1_048_576,
  bytesPerProcess: 96 * 1_048_576,
};

/** The first bytes of a body do not count towards the limits that callers share, so a turn gets through while large bodies fill them. */
export const UNCOUNTED_BYTES: number = 16 * 1_024;

export interface TrackedBody {
  /** Returns false, without counting the bytes, if they would exceed a limit. */
  add: (bytes: number) => boolean;
  release: () => void;
}

export interface BodySource {
  /** The account or, without one, the network. */
  caller: string;
  network: string;
}

export interface BodyBudget {
  /** Returns null when the caller has too many open bodies. */
  track: (source: BodySource) => TrackedBody | null;
  trackedBytes: () => number;
}

export function createBodyBudget(limits: BodyLimits): BodyBudget {
  const trackedByCaller = new Map<string, { bodies: number; bytes: number }>();
  const bytesByNetwork = new Map<string, number>();
  let processBytes = 0;

  function addShared(network: string, bytes: number): void {
    processBytes += bytes;
    const networkBytes = (bytesByNetwork.get(network) ?? 0) + bytes;
    if (networkBytes > 0) bytesByNetwork.set(network, networkBytes);
    else bytesByNetwork.delete(network);
  }

  const fits = (network: string, bytes: number): boolean =>
    processBytes + bytes <= limits.bytesPerProcess &&
    (bytesByNetwork.get(network) ?? 0) + bytes <= limits.bytesPerNetwork;

  const open = ({ caller, network }: BodySource): TrackedBody | null => {
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
        if (isReleased || held.bytes + more > limits.bytesPerCaller || !fits(network, added)) return false;
        bytes += more;
        held.bytes += more;
        addShared(network, added);
        return true;
      },
      release: () => {
        if (isReleased) return;
        isReleased = true;
        held.bodies -= 1;
        held.bytes -= bytes;
        addShared(network, -countedBytes(bytes));
        if (held.bodies === 0) trackedByCaller.delete(caller);
      },
    };
  };
  return { track: open, trackedBytes: () => processBytes };
}
