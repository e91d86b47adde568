/** Decides when a realtime session's lease is checked and renewed, and when the learner is warned; without I/O. */
import { LEASE_RENEW_BEFORE_MS, type Lease } from '@parley/contract';
import { assertNever, type Step } from '@parley/domain';
import { HEARTBEAT_INTERVAL_MS } from '../../metering/index.ts';

const WARN_AT_S = [300, 60] as const;
/** After a session moves to another device, both devices may be connected for at most this long. */
const LEASE_CHECK_INTERVAL_MS = HEARTBEAT_INTERVAL_MS;

interface HeldLease {
  status: 'held' | 'checking';
  lease: Lease;
  leasedAtMs: number;
  checkedAtMs: number;
  /** The remaining time at which the learner was last warned. */
  warnedS: number;
}
export type LeaseState = HeldLease | { status: 'ended' };

export type LeaseInput =
  | { type: 'timeChecked' }
  | { type: 'confirmed' }
  /** Another connection has released it; this device may still acquire it again. */
  | { type: 'released' }
  | { type: 'renewed'; lease: Lease }
  | { type: 'refused'; isQuotaExhausted: boolean; error: unknown }
  | { type: 'ended' };

export type LeaseEffect =
  /** Asks whether this device still holds the lease. */
  | { type: 'check' }
  | { type: 'renew' }
  | { type: 'warn'; remainingS: number }
  | { type: 'stop' }
  | { type: 'reportExhausted' }
  | { type: 'reportLost'; error: unknown };

type LeaseStep = Step<LeaseState, LeaseEffect>;

const secondsOrInfinity = (seconds: number | null): number => seconds ?? Number.POSITIVE_INFINITY;

export const startOfLease = (lease: Lease, nowMs: number): LeaseState => ({
  status: 'held',
  lease,
  leasedAtMs: nowMs,
  checkedAtMs: nowMs,
  warnedS: secondsOrInfinity(lease.remainingS),
});

export function reduceLease(state: LeaseState, input: LeaseInput, nowMs: number): LeaseStep {
  if (state.status === 'ended') return { state, effects: [] };
  switch (input.type) {
    case 'timeChecked':
      return state.status === 'held' ? checkTime(state, nowMs) : { state, effects: [] };
    case 'confirmed':
      return warn({ ...state, status: 'held' }, nowMs);
    case 'released':
      return { state, effects: [{ type: 'renew' }] };
    case 'renewed': {
      const warnedS = Math.max(state.warnedS, secondsOrInfinity(input.lease.remainingS));
      return warn({ ...state, status: 'held', lease: input.lease, leasedAtMs: nowMs, warnedS }, nowMs);
    }
    case 'refused':
      return {
        state: { status: 'ended' },
        effects: [
          { type: 'stop' },
          input.isQuotaExhausted ? { type: 'reportExhausted' } : { type: 'reportLost', error: input.error },
        ],
      };
    case 'ended':
      return { state: { status: 'ended' }, effects: [{ type: 'stop' }] };
    default:
      return assertNever(input);
  }
}

/**
 * The last lease of an allowance is renewed only when it ends, because the plan or the day may have changed by then.
 */
function renewsAtMs({ lease, leasedAtMs }: HeldLease): number {
  const endsAtMs = Date.parse(lease.expiresAt);
  const isLast = lease.remainingS !== null && endsAtMs - leasedAtMs >= lease.remainingS * 1_000;
  return endsAtMs - (isLast ? 0 : LEASE_RENEW_BEFORE_MS);
}

function checkTime(state: HeldLease, nowMs: number): LeaseStep {
  if (nowMs >= renewsAtMs(state)) return { state: { ...state, status: 'checking' }, effects: [{ type: 'renew' }] };
  if (nowMs - state.checkedAtMs >= LEASE_CHECK_INTERVAL_MS)
    return { state: { ...state, status: 'checking', checkedAtMs: nowMs }, effects: [{ type: 'check' }] };
  return warn(state, nowMs);
}

function warn(state: HeldLease, nowMs: number): LeaseStep {
  const remainingS = secondsOrInfinity(state.lease.remainingS) - (nowMs - state.leasedAtMs) / 1_000;
  const warnedS = WARN_AT_S.findLast((atS) => remainingS <= atS && state.warnedS > atS);
  if (warnedS === undefined) return { state, effects: [] };
  return {
    state: { ...state, warnedS },
    effects: [{ type: 'warn', remainingS: Math.max(0, Math.round(remainingS)) }],
  };
}
