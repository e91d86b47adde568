/** Counts the bytes of request bodies that are in memory, inflated, and refuses more than one caller or this process may hold. */

export interface BodyLimits {
  /** Bodies of one caller that may be arriving or being worked on at the same time. */
  bodiesPerCaller: number;
  bytesPerCaller: number;
  bytesPerProcess: number;
}

/** A device sends one push and one recording at a time; an account has a handful of devices. */
export const BODY_LIMITS: BodyLimits = {
  bodiesPerCaller: 16,
  bytesPerCaller: 12 * 1_048_576,
  bytesPerProcess: 64 * 1_048_576,
};

/** The first bytes of a body are not counted for the process: while a few large bodies fill it, a turn still gets through. */
const FREE_BYTES = 16 * 1_024;

export interface HeldBody {
  /** False when these bytes are more than may be held; they are not counted then. */
  add: (bytes: number) => boolean;
  release: () => void;
}

export interface BodyBudget {
  /** Null when the caller has too many bodies open. */
  open: (caller: string) => HeldBody | null;
  heldBytes: () => number;
}

export function createBodyBudget(limits: BodyLimits = BODY_LIMITS): BodyBudget {
  const heldByCaller = new Map<string, { bodies: number; bytes: number }>();
  let processBytes = 0;

  const open = (caller: string): HeldBody | null => {
    const held = heldByCaller.get(caller) ?? { bodies: 0, bytes: 0 };
    if (held.bodies >= limits.bodiesPerCaller) return null;
    held.bodies += 1;
    heldByCaller.set(caller, held);
    let bytes = 0;
    let isReleased = false;
    const countedOf = (total: number): number => Math.max(0, total - FREE_BYTES);
    return {
      add: (more) => {
        const added = countedOf(bytes + more) - countedOf(bytes);
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
        processBytes -= countedOf(bytes);
        if (held.bodies === 0) heldByCaller.delete(caller);
      },
    };
  };
  return { open, heldBytes: () => processBytes };
}
