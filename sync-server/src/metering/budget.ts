/**
 * What AI may cost in a day of UTC: all learners together, one learner, and all anonymous accounts together. A call reserves what it may cost
 * before it is made; what it did cost is in the ledger before the reservation is released. A reservation whose server died expires.
 */
import { randomUUID } from 'node:crypto';
import { ANONYMOUS_SHARE, budgetGroupOf, COACH_BUDGETS_USD, type CoachBudgets, learnerBudgetUsd } from '@parley/domain';
import { and, eq, gte, inArray, lte, sql } from 'drizzle-orm';
import type { PlanState } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { aiReservations, aiSpending, aiUsage, tables } from '../db/tables.ts';
import { failure } from '../failure.ts';

export interface Reservation {
  /** From now on so much is reserved, for another `RESERVED_FOR_MS`. Throws `coach.spent`. */
  renew: (costMicros: number) => Promise<void>;
  release: () => Promise<void>;
}

export interface ReservationWish {
  userId: string;
  /** What it may cost: rather too much. */
  costMicros: number;
  /** Paid for with live minutes, which have limits of their own. */
  isLeased: boolean;
}

export interface BudgetParts {
  db: Database;
  now: () => Date;
  /** US dollars that all learners together may cost in a day; null: no end. */
  dailyLimitUsd: number | null;
  learnerBudgetsUsd?: CoachBudgets;
  /** Whether anonymous accounts share a part of it: not on a server that somebody runs for themselves. */
  limitsAnonymous?: boolean;
  planOf: (userId: string) => Promise<PlanState>;
}

/** Longer than any call takes between two signs of its provider. */
export const RESERVED_FOR_MS = 5 * 60_000;
const MICROS = 1_000_000;
const DAY_MS = 24 * 3_600_000;

/** Of what is limited by learner: these take no live minutes. */
const UNLEASED_USES = ['reply', 'judge', 'review', 'hint', 'translate', 'speak'] as const;

export const utcDay = (now: Date): string => now.toISOString().slice(0, 10);
const dayBegins = (now: Date): Date => new Date(`${utcDay(now)}T00:00:00.000Z`);
const resetsAt = (now: Date): string => new Date(dayBegins(now).getTime() + DAY_MS).toISOString();

interface Sums {
  all: number;
  anonymous: number;
  /** Of this learner's, without what is leased. */
  own: number;
}

export function createBudget(parts: BudgetParts) {
  const { db, now, dailyLimitUsd, learnerBudgetsUsd = COACH_BUDGETS_USD, limitsAnonymous = true, planOf } = parts;

  async function payerOf(userId: string): Promise<{ isAnonymous: boolean; budgetMicros: number }> {
    const [user] = await db
      .select({ email: tables.users.email })
      .from(tables.users)
      .where(eq(tables.users.userId, userId));
    const email = user?.email ?? null;
    const group = budgetGroupOf({ email, plan: (await planOf(userId)).plan });
    return {
      isAnonymous: email === null,
      budgetMicros: learnerBudgetUsd(group, learnerBudgetsUsd, dailyLimitUsd) * MICROS,
    };
  }

  /** Call it under the day's lock. */
  async function sumsOf(tx: Database, userId: string): Promise<Sums> {
    await tx.delete(aiReservations).where(lte(aiReservations.expiresAt, now()));
    const micros = sql<string>`coalesce(sum(${aiReservations.costMicros}), 0)`;
    const isOwn = and(eq(aiReservations.userId, userId), eq(aiReservations.isLeased, false));
    const [reserved] = await tx
      .select({
        all: micros,
        anonymous: sql<string>`coalesce(sum(${aiReservations.costMicros}) filter (where ${aiReservations.isAnonymous}), 0)`,
        own: sql<string>`coalesce(sum(${aiReservations.costMicros}) filter (where ${isOwn}), 0)`,
      })
      .from(aiReservations);
    const spent = await tx
      .select()
      .from(aiSpending)
      .where(eq(aiSpending.day, utcDay(now())));
    const spentBy = (payer: 'all' | 'anonymous'): number => spent.find((row) => row.payer === payer)?.costMicros ?? 0;
    const [own] = await tx
      .select({ micros: sql<string>`coalesce(sum(${aiUsage.costMicros}), 0)` })
      .from(aiUsage)
      .where(
        and(
          eq(aiUsage.userId, userId),
          gte(aiUsage.at, dayBegins(now())),
          eq(aiUsage.style, 'turn_based'),
          inArray(aiUsage.use, UNLEASED_USES),
        ),
      );
    return {
      all: spentBy('all') + Number(reserved?.all ?? 0),
      anonymous: spentBy('anonymous') + Number(reserved?.anonymous ?? 0),
      own: Number(own?.micros ?? 0) + Number(reserved?.own ?? 0),
    };
  }

  /** Held to the end of the transaction, on every node: no two reservations are checked against the same sums. */
  async function lockDay(tx: Database): Promise<void> {
    const day = utcDay(now());
    await tx.insert(aiSpending).values({ day, payer: 'all', costMicros: 0 }).onConflictDoNothing();
    await tx
      .select()
      .from(aiSpending)
      .where(and(eq(aiSpending.day, day), eq(aiSpending.payer, 'all')))
      .for('update');
  }

  async function reserve({ userId, costMicros, isLeased }: ReservationWish): Promise<Reservation> {
    const id = randomUUID();
    const { isAnonymous, budgetMicros } = await payerOf(userId);
    const renew = (micros: number): Promise<void> =>
      db.transaction(async (tx) => {
        await lockDay(tx);
        await tx.delete(aiReservations).where(eq(aiReservations.id, id));
        const sums = await sumsOf(tx, userId);
        const data = { resetsAt: resetsAt(now()) };
        if (!isLeased && sums.own + micros > budgetMicros) throw failure('coach.spent', { ...data, detail: 'learner' });
        if (dailyLimitUsd !== null) {
          const allMicros = dailyLimitUsd * MICROS;
          if (sums.all + micros > allMicros) throw failure('coach.spent', data);
          if (isAnonymous && limitsAnonymous && sums.anonymous + micros > allMicros * ANONYMOUS_SHARE)
            throw failure('coach.spent', { ...data, detail: 'anonymous' });
        }
        const expiresAt = new Date(now().getTime() + RESERVED_FOR_MS);
        await tx.insert(aiReservations).values({ id, userId, isAnonymous, isLeased, costMicros: micros, expiresAt });
      });
    await renew(costMicros);
    return {
      renew,
      release: async () => {
        await db.delete(aiReservations).where(eq(aiReservations.id, id));
      },
    };
  }

  return { reserve };
}

/** Adds to what the day has cost. In the ledger's own transaction. */
export async function addSpending(
  tx: Database,
  { userId, costMicros, now }: { userId: string; costMicros: number; now: Date },
): Promise<void> {
  const [user] = await tx
    .select({ email: tables.users.email })
    .from(tables.users)
    .where(eq(tables.users.userId, userId));
  const isAnonymous = (user?.email ?? null) === null;
  const payers = isAnonymous ? (['all', 'anonymous'] as const) : (['all'] as const);
  for (const payer of payers)
    await tx
      .insert(aiSpending)
      .values({ day: utcDay(now), payer, costMicros })
      .onConflictDoUpdate({
        target: [aiSpending.day, aiSpending.payer],
        set: { costMicros: sql`${aiSpending.costMicros} + ${costMicros}` },
      });
}
