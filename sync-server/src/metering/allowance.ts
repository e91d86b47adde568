/** What is left of a plan's time for live conversation, by the ledger. */
import { ALLOWANCES, localDays, type PracticeStyle, remainingSeconds } from '@parley/domain';
import type { PlanState } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { usedSeconds } from './ledger.ts';

interface Asked extends PlanState {
  userId: string;
  /** IANA name: a free plan begins anew at the learner's midnight. */
  timeZone: string;
  now: Date;
}

/** Seconds, by the style of conversation. */
export async function readAllowance(
  db: Database,
  { userId, plan, periodStart, timeZone, now }: Asked,
): Promise<Record<PracticeStyle, number>> {
  const within =
    ALLOWANCES[plan].every === 'local_day' || periodStart === null
      ? { localDay: localDays(timeZone)(now) }
      : { since: periodStart };
  const used = await usedSeconds(db, userId, within);
  return {
    turn_based: remainingSeconds(plan, 'turn_based', used),
    ultra_realistic: remainingSeconds(plan, 'ultra_realistic', used),
  };
}
