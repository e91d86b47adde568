/** The ledger of AI: what was used, by whom, at what cost. */
import type { PracticeStyle } from '@parley/domain';
import { and, eq, gte, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { aiUsage } from '../db/tables.ts';
import {
  addSpending,
  type BudgetParts,
  createBudget,
  type Reservation,
  type ReservationWish,
  utcDay,
} from './budget.ts';

export type Use = (typeof aiUsage.$inferInsert)['use'];

export interface Used {
  /** Names what was used; the same twice is counted once. */
  id: string;
  userId: string;
  sessionId: string | null;
  use: Use;
  style: PracticeStyle;
  costMicros: number;
  model: string;
  tokens?: { input: number; output: number };
  /** The provider did not tell what it took. */
  isEstimate?: boolean;
}

export interface Ledger {
  /** Before a call is made that costs. Throws `coach.spent`, which says when there is a budget again. */
  reserve: (wish: ReservationWish) => Promise<Reservation>;
  note: (used: Used) => Promise<void>;
}

export function createLedger(parts: BudgetParts): Ledger {
  const { db, now } = parts;
  return {
    reserve: createBudget(parts).reserve,

    note: ({ tokens, ...used }) =>
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

/** Seconds of live conversation on a learner's day, or since a time: of what went on then already, the rest. */
export async function usedSeconds(
  db: Database,
  userId: string,
  within: { localDay: string } | { since: Date },
): Promise<{ liveS: number; realisticS: number }> {
  const seconds =
    'localDay' in within
      ? sql`${aiUsage.seconds}`
      : // An entry's seconds end with its time; what is given back has the time of what it gives back.
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
