/** Leases a realtime session minute by minute, warns before the balance runs out, and detects a lost lease. */
import { randomUUID } from 'node:crypto';
import type { Lease } from '@parley/contract';
import { assertNever, createMachine } from '@parley/domain';
import type { SignedInDevice } from '../../account/index.ts';
import { hasErrorCode } from '../../domain-error.ts';
import type { RealtimeSessionEnd, Leases } from '../../metering/index.ts';
import { type LeaseEffect, type LeaseInput, type LeaseState, reduceLease, startOfLease } from './lease-reducer.ts';

export interface RenewingLeaseParts {
  leases: Leases;
  device: SignedInDevice;
  request: Parameters<Leases['acquire']>[1];
  now: () => Date;
  checkEveryMs: number;
  /** Called every few seconds and before each further minute. It throws the error that ends the session. */
  assertStillAdmitted: () => Promise<void>;
  /** Called before each further minute. It throws the error that ends the session. */
  renewBudget: () => Promise<void>;
  /** Called when the remaining time falls below a warning threshold. */
  onLowBalance: (remainingS: number) => void;
  /** Called when no time is left. */
  onQuotaExhausted: () => void;
  /** Called when another device has taken the lease, or the learner may no longer hold one. */
  onLeaseLost: (error: unknown) => void;
}

export interface RenewingLease {
  lease: Lease;
  /** Releases the lease and counts the time that was used. */
  end: (end: Pick<RealtimeSessionEnd, 'servedUntil' | 'spokenS' | 'outcome'>) => Promise<void>;
  /** Releases the lease and refunds its time, because the session failed or never began. */
  refund: () => Promise<void>;
}

/** Throws `live.elsewhere` or `quota.out`. */
export async function acquireRenewingLease(parts: RenewingLeaseParts): Promise<RenewingLease> {
  const { leases, device, request, now } = parts;
  const takenAt = now();
  const connectionId = randomUUID();
  const lease = await leases.acquire(device, { ...request, connection: { id: connectionId, state: 'begins' } });
  const pending = new Set<Promise<void>>();
  const { dispatch } = createMachine<LeaseState, LeaseInput, LeaseEffect>({
    state: startOfLease(lease, now().getTime()),
    reduce: (state, input) => reduceLease(state, input, now().getTime()),
    run,
  });
  const timer = setInterval(() => dispatch({ type: 'timeChecked' }), parts.checkEveryMs);
  timer.unref();

  function run(effect: LeaseEffect): void {
    switch (effect.type) {
      case 'check':
        return dispatchResult(check());
      case 'renew':
        return dispatchResult(renew());
      case 'warn':
        return parts.onLowBalance(effect.remainingS);
      case 'stop':
        return clearInterval(timer);
      case 'reportExhausted':
        return parts.onQuotaExhausted();
      case 'reportLost':
        return parts.onLeaseLost(effect.error);
      default:
        return assertNever(effect);
    }
  }

  function dispatchResult(asked: Promise<LeaseInput>): void {
    const handled = asked
      .catch((error: unknown): LeaseInput => {
        return { type: 'refused', isQuotaExhausted: hasErrorCode(error, 'quota.out'), error };
      })
      .then(dispatch)
      .finally(() => pending.delete(handled));
    pending.add(handled);
  }

  /** The lease is gone if the device has released it after a gap; renewing fails if another connection has taken it over. */
  async function check(): Promise<LeaseInput> {
    await parts.assertStillAdmitted();
    try {
      await leases.heartbeat(device, { sessionId: request.sessionId, connectionId });
      return { type: 'confirmed' };
    } catch (error) {
      if (hasErrorCode(error, 'live.elsewhere')) return { type: 'released' };
      throw error;
    }
  }

  async function renew(): Promise<LeaseInput> {
    await parts.assertStillAdmitted();
    await parts.renewBudget();
    return {
      type: 'renewed',
      lease: await leases.acquire(device, {
        ...request,
        takeOver: false,
        connection: { id: connectionId, state: 'lives' },
      }),
    };
  }

  const end: RenewingLease['end'] = async (ended) => {
    dispatch({ type: 'ended' });
    // A renewal in progress would create a lease that outlives the session.
    await Promise.all(pending);
    await leases.endRealtimeSession(device, { sessionId: request.sessionId, connectionId, since: takenAt, ...ended });
  };
  return { lease, end, refund: () => end({ servedUntil: now(), spokenS: 0, outcome: 'failed' }) };
}
