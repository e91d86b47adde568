/** The ledger of AI: what was used, by whom, at what cost; and the stop when a day has cost enough. */
import type { PracticeStyle } from '@parley/domain';
import { and, eq, gte, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { aiUsage } from '../db/tables.ts';
import { failure } from '../failure.ts';

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
  /** Throws `coach.spent` when the server has spent what it may in a day. */
  mayStillSpend: () => Promise<void>;
  note: (used: Used) => Promise<void>;
}

export interface LedgerParts {
  db: Database;
  now: () => Date;
  /** US dollars that all learners together may cost in a day of UTC; null: no end. */
  dailyLimitUsd: number | null;
}

const MICROS = 1_000_000;
const utcDay = (now: Date): Date => new Date(`${now.toISOString().slice(0, 10)}T00:00:00.000Z`);

export function createLedger({ db, now, dailyLimitUsd }: LedgerParts): Ledger {
  return {
    async mayStillSpend() {
      if (dailyLimitUsd === null) return;
      const [sum] = await db
        .select({ micros: sql<string>`coalesce(sum(${aiUsage.costMicros}), 0)` })
        .from(aiUsage)
        .where(gte(aiUsage.at, utcDay(now())));
      if (Number(sum?.micros ?? 0) >= dailyLimitUsd * MICROS) throw failure('coach.spent');
    },

    async note({ tokens, ...used }) {
      await db
        .insert(aiUsage)
        .values({
          ...used,
          inputTokens: tokens?.input ?? 0,
          outputTokens: tokens?.output ?? 0,
          localDay: now().toISOString().slice(0, 10),
          at: now(),
        })
        .onConflictDoNothing();
    },
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
