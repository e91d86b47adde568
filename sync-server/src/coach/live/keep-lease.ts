/** Leases a live conversation minute by minute while it goes on, warns before the time is used up, and notices when it was taken over. */
import { type ErrorCode, LEASE_RENEW_BEFORE_MS, type Lease } from '@parley/contract';
import { ORPCError } from '@orpc/server';
import type { SignedInDevice } from '../../account/index.ts';
import { type CallEnd, type Leases, SIGN_OF_LIFE_MS } from '../../metering/index.ts';

export interface LeaseKeeping {
  leases: Leases;
  device: SignedInDevice;
  wish: Parameters<Leases['take']>[1];
  now: () => Date;
  checkEveryMs: number;
  /** Every few seconds, and before each further minute. Throws what ends the conversation. */
  stillAdmitted: () => Promise<void>;
  /** Before each further minute. The same. */
  mayGoOn: () => Promise<void>;
  /** So much is left. */
  low: (remainingS: number) => void;
  /** Nothing is left. */
  out: () => void;
  /** Held by another device now, or by nobody that may. */
  lost: (error: unknown) => void;
}

export interface KeptLease {
  lease: Lease;
  /** Counts what was used of it. */
  end: (end: Pick<CallEnd, 'servedUntil' | 'spokenS' | 'outcome'>) => Promise<void>;
  /** Gives back what was used of it: it failed, or never began. */
  giveBack: () => Promise<void>;
}

const WARN_AT_S = [300, 60] as const;
/** So long, too, both devices may speak after the conversation has moved from one to the other. */
const LOOK_EVERY_MS = SIGN_OF_LIFE_MS;

const isCode = (error: unknown, code: ErrorCode): boolean => error instanceof ORPCError && error.code === code;

/** Throws `live.elsewhere`, `quota.out`. */
export async function keepLease(keeping: LeaseKeeping): Promise<KeptLease> {
  const { leases, device, wish, now } = keeping;
  const nowMs = (): number => now().getTime();
  const takenAt = now();
  let lease = await leases.take(device, { ...wish, line: 'begins' });
  let leasedAtMs = nowMs();
  let lookedAtMs = leasedAtMs;
  let warnedS = lease.remainingS ?? Number.POSITIVE_INFINITY;
  let isEnded = false;
  let checking: Promise<void> = Promise.resolve();

  const remainingS = (): number =>
    lease.remainingS === null ? Number.POSITIVE_INFINITY : lease.remainingS - (nowMs() - leasedAtMs) / 1_000;
  const endsAtMs = (): number => Date.parse(lease.expiresAt);
  /** A lease that is all that is left can be renewed only when it is used up: by then the plan may be another, or the day. */
  const renewsAtMs = (): number => {
    const isLast = lease.remainingS !== null && endsAtMs() - leasedAtMs >= lease.remainingS * 1_000;
    return endsAtMs() - (isLast ? 0 : LEASE_RENEW_BEFORE_MS);
  };

  async function renew(): Promise<void> {
    await keeping.stillAdmitted();
    await keeping.mayGoOn();
    lease = await leases.take(device, { ...wish, takeOver: false, line: 'lives' });
    leasedAtMs = nowMs();
    if (remainingS() > warnedS) warnedS = remainingS();
  }

  /** By this device. One who came back over another line may have lost its minute to the old line's end, and takes it anew. */
  async function isStillHeld(): Promise<boolean> {
    if (nowMs() - lookedAtMs < LOOK_EVERY_MS) return true;
    lookedAtMs = nowMs();
    await keeping.stillAdmitted();
    try {
      await leases.keep(device, wish.sessionId);
      return true;
    } catch (error) {
      if (isCode(error, 'live.elsewhere')) return false;
      throw error;
    }
  }

  async function check(): Promise<void> {
    try {
      if (nowMs() >= renewsAtMs() || !(await isStillHeld())) await renew();
    } catch (error) {
      if (isEnded) return;
      end();
      return isCode(error, 'quota.out') ? keeping.out() : keeping.lost(error);
    }
    const leftS = remainingS();
    const warning = WARN_AT_S.findLast((atS) => leftS <= atS && warnedS > atS);
    if (warning === undefined || isEnded) return;
    warnedS = warning;
    keeping.low(Math.max(0, Math.round(leftS)));
  }

  let isChecking = false;
  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    checking = check().finally(() => {
      isChecking = false;
    });
  }, keeping.checkEveryMs);
  timer.unref();
  const end = (): void => {
    isEnded = true;
    clearInterval(timer);
  };

  const endCall: KeptLease['end'] = async (ended) => {
    end();
    // A minute that is just being leased would outlive what it is for.
    await checking;
    await leases.endCall(device, { sessionId: wish.sessionId, since: takenAt, ...ended });
  };
  return {
    lease,
    end: endCall,
    giveBack: () => endCall({ servedUntil: now(), spokenS: 0, outcome: 'failed' }),
  };
}
