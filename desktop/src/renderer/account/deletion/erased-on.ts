/**
 * Infers whether this device's account was erased. The server keeps no record of it that could be queried, so the last
 * known date decides.
 */
interface LastKnownAccount {
  /** When the erasure was due; null when none was requested. */
  eraseAt: string | null;
  isSignedOut: boolean;
}

/** When this device's account was erased; null if it was not. */
export const findErasureDate = ({ eraseAt, isSignedOut }: LastKnownAccount, now: Date): string | null =>
  isSignedOut && eraseAt !== null && Date.parse(eraseAt) <= now.getTime() ? eraseAt : null;
