/**
 * The AI budget for a UTC day: for all learners, for one learner, and for all anonymous accounts. A call reserves its
 * maximum cost first; its actual cost is recorded in the ledger before the reservation is released. The reservation of
 * a dead server expires.
 */
import { randomUUID } from 'node:crypto';
import { ANONYMOUS_SHARE, budgetGroupOf, COACH_BUDGETS_USD, type CoachBudgets, learnerBudgetUsd } from '@parley/domain';
import { and, eq, gte, inArray, lte, sql } from 'drizzle-orm';
import type { PlanState } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { aiReservations, aiSpending, aiUsage } from '../db/metering-tables.ts';
import { tables } from '../db/tables.ts';
import { DomainError } from '../domain-error.ts';

export interface Reservation {
  /** Changes the reserved amount and restarts the reservation's lifetime. Throws `coach.spent`. */
  renew: (costMicros: number) => Promise<void>;
  release: () => Promise<void>;
}

export interface ReservationRequest {
  userId: string;
  /** The maximum cost of the call, rounded up generously. */
  costMicros: number;
  /** Whether leased minutes pay for the call. They have limits of their own. */
  isLeased: boolean;
}

export interface BudgetParts {
  db: Database;
  now: () => Date;
  /** The daily limit for all learners together in US dollars; null for no limit. */
  dailyLimitUsd: number | null;
  learnerBudgetsUsd?: CoachBudgets;
  /** Whether anonymous accounts share a part of the budget. A private server turns this off. */
  limitsAnonymous?: boolean;
  planOf: (userId: string) => Promise<PlanState>;
}

/** Longer than the pause between two messages of any provider. */
export const RESERVATION_LIFETIME_MS = 5 * 60_000;
const MICROS = 1_000_000;
const DAY_MS = 24 * 3_600_000;

/** The kinds of usage that the learner's budget limits, because no leased minutes pay for them. */
const UNLEASED_USAGE_KINDS = ['reply', 'judge', 'review', 'hint', 'translate', 'speak'] as const;

export const utcDay = (now: Date): string => now.toISOString().slice(0, 10);
export const startOfUtcDay = (now: Date): Date => new Date(`${utcDay(now)}T00:00:00.000Z`);
const resetsAt = (now: Date): string => new Date(startOfUtcDay(now).getTime() + DAY_MS).toISOString();

interface Sums {
  all: number;
  anonymous: number;
  /** The learner's own cost, excluding leased calls. */
  own: number;
}

export function createBudget(parts: BudgetParts) {
  const { db, now, dailyLimitUsd, learnerBudgetsUsd = COACH_BUDGETS_USD, limitsAnonymous = true, planOf } = parts;

  async function readPayer(userId: string): Promise<{ isAnonymous: boolean; budgetMicros: number }> {
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

  /** The caller must hold the day's lock. */
  async function readSums(tx: Database, userId: string): Promise<Sums> {
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
    const spentByPayer = (payer: 'all' | 'anonymous'): number =>
      spent.find((row) => row.payer === payer)?.costMicros ?? 0;
    const [own] = await tx
      .select({ micros: sql<string>`coalesce(sum(${aiUsage.costMicros}), 0)` })
      .from(aiUsage)
      .where(
        and(
          eq(aiUsage.userId, userId),
          gte(aiUsage.at, startOfUtcDay(now())),
          eq(aiUsage.style, 'turn_based'),
          inArray(aiUsage.use, UNLEASED_USAGE_KINDS),
        ),
      );
    return {
      all: spentByPayer('all') + Number(reserved?.all ?? 0),
      anonymous: spentByPayer('anonymous') + Number(reserved?.anonymous ?? 0),
      own: Number(own?.micros ?? 0) + Number(reserved?.own ?? 0),
    };
  }

  /** The lock lasts until the transaction ends and works across nodes, so that two reservations never check the same sums. */
  async function lockDay(tx: Database): Promise<void> {
    const day = utcDay(now());
    await tx.insert(aiSpending).values({ day, payer: 'all', costMicros: 0 }).onConflictDoNothing();
    await tx
      .select()
      .from(aiSpending)
      .where(and(eq(aiSpending.day, day), eq(aiSpending.payer, 'all')))
      .for('update');
  }

  async function reserve({ userId, costMicros, isLeased }: ReservationRequest): Promise<Reservation> {
    const id = randomUUID();
    const { isAnonymous, budgetMicros } = await readPayer(userId);
    const renew = (micros: number): Promise<void> =>
      db.transaction(async (tx) => {
        await lockDay(tx);
        await tx.delete(aiReservations).where(eq(aiReservations.id, id));
        const sums = await readSums(tx, userId);
        const data = { resetsAt: resetsAt(now()) };
        if (!isLeased && sums.own + micros > budgetMicros)
          throw new DomainError('coach.spent', { ...data, detail: 'learner' });
        if (dailyLimitUsd !== null) {
          const allMicros = dailyLimitUsd * MICROS;
          if (sums.all + micros > allMicros) throw new DomainError('coach.spent', data);
          if (isAnonymous && limitsAnonymous && sums.anonymous + micros > allMicros * ANONYMOUS_SHARE)
            throw new DomainError('coach.spent', { ...data, detail: 'anonymous' });
        }
        const expiresAt = new Date(now().getTime() + RESERVATION_LIFETIME_MS);
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

/** Adds to the day's cost, in the ledger's transaction. */
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
