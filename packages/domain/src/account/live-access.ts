/**
 * Decides whether a learner may use the server's coach. The server's last answer stays valid offline for a limited time. Guided practices
 * need no access.
 */

/** The server's last response about an account. */
export interface AccessSnapshot {
  /** Null for an anonymous account, which cannot be granted access. */
  email: string | null;
  /** True when an admin of this server must grant access. */
  mustBeGranted: boolean;
  hasAccess: boolean;
  /** True when access was granted and later revoked. */
  isTaken: boolean;
  confirmedAt: Date;
}

/**
 * `sign_in`: no account is signed in to which access could be granted. `waiting`: signed in, but access has not been
 * granted yet. `taken`: access was revoked. `unconfirmed`: access was granted, but the last confirmation is too old.
 */
export const LIVE_ACCESS = ['granted', 'sign_in', 'waiting', 'taken', 'unconfirmed'] as const;
export type LiveAccess = (typeof LIVE_ACCESS)[number];

export const LIVE_ACCESS_TTL_MS: number = 72 * 3_600_000;

/**
 * `snapshot` is null on a device that has never reached its server. Access is then assumed, because the server checks
 * it as well.
 */
export function liveAccessOf(
  snapshot: AccessSnapshot | null,
  { isSignedOut, now }: { isSignedOut: boolean; now: Date },
): LiveAccess {
  if (isSignedOut) return 'sign_in';
  if (snapshot === null) return 'granted';
  const { email, mustBeGranted, hasAccess, isTaken, confirmedAt } = snapshot;
  if (!hasAccess && email === null) return 'sign_in';
  if (!hasAccess) return isTaken ? 'taken' : 'waiting';
  if (email === null || !mustBeGranted) return 'granted';
  return now.getTime() - confirmedAt.getTime() < LIVE_ACCESS_TTL_MS ? 'granted' : 'unconfirmed';
}
