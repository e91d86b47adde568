/** The usage ledger: what AI services were used, for which learner and at what cost. */
import type { PracticeStyle } from '@parley/domain';
import { and, eq, gte, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { aiUsage } from '../db/metering-tables.ts';
import {
  addSpending,
  type BudgetParts,
  createBudget,
  type Reservation,
  type ReservationRequest,
  utcDay,
} from './budget.ts';

export type UsageKind = (typeof aiUsage.$inferInsert)['use'];

export interface UsageRecord {
  /** Identifies the usage, so that recording it twice counts once. */
  id: string;
  userId: string;
  sessionId: string | null;
  use: UsageKind;
  style: PracticeStyle;
  costMicros: number;
  model: string;
  tokens?: { input: number; output: number };
  /** True when the provider did not report the usage. */
  isEstimate?: boolean;
}

export interface Ledger {
  /** Reserves the cost of a call before it is made. Throws `coach.spent` with the time of the reset. */
  reserve: (request: ReservationRequest) => Promise<Reservation>;
  record: (used: UsageRecord) => Promise<void>;
}

export function createLedger(parts: BudgetParts): Ledger {
  const { db, now } = parts;
  return {
    reserve: createBudget(parts).reserve,

    record: ({ tokens, ...used }) =>
      db.transaction(async (tx) => {
        const at = now();
        const [noted] = await tx
          .insert(aiUsage)
          .values({
            ...used,
            inputTokens: tokens?.input ?? 0,
            outputTokens: tokens?.output ?? 0,
            localDay: utcDay(at),
            at,
          })
          .onConflictDoNothing()
          .returning({ id: aiUsage.id });
        if (noted !== undefined && used.costMicros > 0)
          await addSpending(tx, { userId: used.userId, costMicros: used.costMicros, now: at });
      }),
  };
}

/** Returns the metered seconds of a local day or since a time. An entry that started before that time counts in part. */
export async function readUsedSeconds(
  db: Database,
  userId: string,
  within: { localDay: string } | { since: Date },
): Promise<{ liveS: number; realisticS: number }> {
  const seconds =
    'localDay' in within
      ? sql`${aiUsage.seconds}`
      : // An entry's time is its end. A refund has the time of the entry that it refunds.
        sql`sign(${aiUsage.seconds}) * least(abs(${aiUsage.seconds}), floor(extract(epoch from ${aiUsage.at} - ${within.since.toISOString()}::timestamptz)))`;
  const [sums] = await db
    .select({
      liveS: sql<string>`coalesce(sum(${seconds}), 0)`,
      realisticS: sql<string>`coalesce(sum(${seconds}) filter (where ${aiUsage.style} = 'ultra_realistic'), 0)`,
    })
    .from(aiUsage)
    .where(
      and(
        eq(aiUsage.userId, userId),
        eq(aiUsage.use, 'live'),
        'localDay' in within ? eq(aiUsage.localDay, within.localDay) : gte(aiUsage.at, within.since),
      ),
    );
  return { liveS: Math.max(0, Number(sums?.liveS ?? 0)), realisticS: Math.max(0, Number(sums?.realisticS ?? 0)) };
}
