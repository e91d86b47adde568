/** Reads how much realtime and turn-based time a plan has left, according to the usage ledger. */
import { allowanceIn, localDayFormatter, type PracticeStyle, remainingSeconds } from '@parley/domain';
import type { PlanState } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { readUsedSeconds } from './ledger.ts';

interface AllowanceQuery extends PlanState {
  userId: string;
  /** An IANA name. A free plan's allowance resets at the learner's midnight. */
  timeZone: string;
  now: Date;
}

/** Returns seconds by practice style. */
export async function readRemainingSeconds(
  db: Database,
  { userId, plan, periodStart, periodEnd, timeZone, now }: AllowanceQuery,
): Promise<Record<PracticeStyle, number>> {
  const allowance = allowanceIn(plan, { startsAt: periodStart, endsAt: periodEnd });
  const within =
    allowance.resetsEvery === 'local_day' || periodStart === null
      ? { localDay: localDayFormatter(timeZone)(now) }
      : { since: periodStart };
  const used = await readUsedSeconds(db, userId, within);
  return {
    turn_based: remainingSeconds(allowance, 'turn_based', used),
    ultra_realistic: remainingSeconds(allowance, 'ultra_realistic', used),
  };
}
