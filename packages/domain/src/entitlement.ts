/** Who may begin a practice: what the server last said of an account holds for a while without it. */

/** What is known of an account, and since when. */
export interface KnownAccess {
  /** Null: an account of devices alone, which nobody has to let in. */
  email: string | null;
  /** Whether the server lets in only whom somebody has granted access. */
  mustBeGranted: boolean;
  hasAccess: boolean;
  /** They had it, and somebody took it away. */
  isTaken: boolean;
  confirmedAt: Date;
}

/** `waiting`: not let in yet. `taken`: not any more. `unconfirmed`: too long ago to be sure. */
export type Entitlement = 'granted' | 'waiting' | 'taken' | 'unconfirmed';

export const ENTITLEMENT_HOLDS_MS: number = 72 * 3_600_000;

/** Null is known of a device that has never met a server. Review and history never ask. */
export function entitlementOf(known: KnownAccess | null, now: Date): Entitlement {
  if (known === null || known.email === null || !known.mustBeGranted) return 'granted';
  if (!known.hasAccess) return known.isTaken ? 'taken' : 'waiting';
  return now.getTime() - known.confirmedAt.getTime() < ENTITLEMENT_HOLDS_MS ? 'granted' : 'unconfirmed';
}
