/** Decides what follows when a round has failed. */
import type { SyncStatus } from '@parley/contract';
import type { HostFailure } from '../result/index.ts';

export interface RetryPlan {
  state: SyncStatus['state'];
  /** Null when only a sign-in can help. */
  afterMs: number | null;
}

const OUTDATED_RETRY_MS = 60_000;

/** `waitMs` is the minimum time for which to leave the server alone. */
export function planRetry({ code }: HostFailure, waitMs: number): RetryPlan {
  switch (code) {
    case 'auth.required':
    case 'auth.device_revoked':
    case 'auth.forbidden':
      return { state: 'signed_out', afterMs: null };
    // The app or the server is too old; it may have been updated by the next attempt.
    case 'sync.protocol_too_old':
      return { state: 'outdated', afterMs: Math.max(waitMs, OUTDATED_RETRY_MS) };
    case 'sync.protocol_too_new':
      return { state: 'ahead', afterMs: Math.max(waitMs, OUTDATED_RETRY_MS) };
    case 'sync.offline':
      return { state: 'offline', afterMs: waitMs };
    default:
      return { state: 'backing_off', afterMs: waitMs };
  }
}
