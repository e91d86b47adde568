/** Of an account with an address only what the server holds can be come back to: nobody takes its place before all of it was sent. */
import type { SyncStatus } from '@parley/contract';

export const isHeldUp = (at: {
  /** The address whose work is on this computer. */
  held: string | null;
  /** The address that is signed in to; null while it is not known. */
  to: string | null;
  status: Pick<SyncStatus, 'state' | 'waiting'> | undefined;
}): boolean =>
  // Whoever is signed in still sends what waits before they leave.
  at.held !== null && at.held !== at.to && at.status?.state === 'signed_out' && at.status.waiting > 0;
