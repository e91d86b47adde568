/** Who may talk with the server's coach: what the server last said of an account holds for a while without it. A guided practice asks nobody. */

/** What is known of an account, and since when. */
export interface KnownAccess {
  /** Null: an account of devices alone, which nobody can let in. */
  email: string | null;
  /** Whether the server lets in only whom somebody has granted access. */
  mustBeGranted: boolean;
  hasAccess: boolean;
  /** They had it, and somebody took it away. */
  isTaken: boolean;
  confirmedAt: Date;
}

/**
 * `sign_in`: nobody is signed in whom the server could let in. `waiting`: signed in, and not let in yet. `taken`: not any more.
 * `unconfirmed`: let in, and too long ago to be sure.
 */
export const LIVE_ACCESS = ['granted', 'sign_in', 'waiting', 'taken', 'unconfirmed'] as const;
export type LiveAccess = (typeof LIVE_ACCESS)[number];

export const LIVE_ACCESS_HOLDS_MS: number = 72 * 3_600_000;

/** Null is known of a device that has never met its server: the server itself will say. */
export function liveAccessOf(
  known: KnownAccess | null,
  { isSignedOut, now }: { isSignedOut: boolean; now: Date },
): LiveAccess {
  if (isSignedOut) return 'sign_in';
  if (known === null) return 'granted';
  const { email, mustBeGranted, hasAccess, isTaken, confirmedAt } = known;
  if (!hasAccess && email === null) return 'sign_in';
  if (!hasAccess) return isTaken ? 'taken' : 'waiting';
  if (email === null || !mustBeGranted) return 'granted';
  return now.getTime() - confirmedAt.getTime() < LIVE_ACCESS_HOLDS_MS ? 'granted' : 'unconfirmed';
}
