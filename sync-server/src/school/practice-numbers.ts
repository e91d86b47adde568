/** Sums up practices by week, for the whole school or for one learner. */
import type { Week } from '@parley/contract';
import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { abandonedAccountIds, hasAdminActedSince } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { hasLearnerTurn, isPractised } from './practised.ts';

/** PostgreSQL sends sums and counts as text, because they may exceed a number's precision. */
const Count = z.coerce.number();
const WeekRow = z.object({
  start: z.string(),
  learners: Count,
  practices: Count,
  seconds: Count,
  score: Count.nullable(),
  cost: Count,
});

export async function queryRows<Row extends z.ZodType>(db: Database, row: Row, query: SQL): Promise<z.output<Row>[]> {
  const { rows } = (await db.execute(query)) as { rows: unknown[] };
  return z.array(row).parse(rows);
}

const KEPT_MS = 60_000;
/** An action carries the time at which it began, and may have ended after a response that was read later. */
const ACTION_MS = 5_000;

/**
 * Caches each response for a minute, or until an admin changes something: on an embedded database, reading the numbers
 * of a large school delays every other request. Concurrent requests for the same response share one read.
 */
export function keepAnswers<Answer>(
  { db, now }: { db: Database; now: () => Date },
  read: (weeks: number) => Promise<Answer>,
): (weeks: number) => Promise<Answer> {
  const keptByWeeks = new Map<number, { at: Date; answer: Promise<Answer> }>();
  return async (weeks) => {
    const kept = keptByWeeks.get(weeks);
    const isCurrent =
      kept !== undefined &&
      now().getTime() - kept.at.getTime() <= KEPT_MS &&
      !(await hasAdminActedSince(db, new Date(kept.at.getTime() - ACTION_MS)));
    if (isCurrent) return kept.answer;
    const next = keptByWeeks.get(weeks);
    if (next !== undefined && next !== kept) return next.answer;
    const answer = read(weeks);
    keptByWeeks.set(weeks, { at: now(), answer });
    answer.catch(() => keptByWeeks.delete(weeks));
    return answer;
  };
}

/** Rounds to tenths and then to minutes, as the app does, so that 88 seconds are 2 minutes for admin and learner. */
const toMinutes = (seconds: number): number => Math.round(Math.round(seconds / 6) / 10);

/** The last weeks, oldest first, including weeks without practice. */
export async function readWeeks(
  db: Database,
  asked: { weeks: number; timeZone: string; now: Date; userId?: string },
): Promise<Week[]> {
  const { weeks, timeZone, userId } = asked;
  const now = sql`${asked.now.toISOString()}::timestamptz`;
  const first = sql`(date_trunc('week', ${now} at time zone ${timeZone}) - ${weeks - 1} * interval '1 week')`;
  const since = sql`(${first} at time zone ${timeZone})`;
  const ofLearner = userId === undefined ? sql`` : sql`and user_id = ${userId}`;
  const whose = userId === undefined ? sql`and user_id not in ${abandonedAccountIds()}` : ofLearner;
  const weekOf = (column: SQL) => sql`date_trunc('week', ${column} at time zone ${timeZone})`;
  const rows = await queryRows(
    db,
    WeekRow,
    sql`
      with weeks as (
        select ${first} + n * interval '1 week' as start from generate_series(0, ${weeks - 1}::int) n
      ), practised as (
        select ${weekOf(sql`created_at`)} as start,
          count(distinct user_id) filter (where ${hasLearnerTurn('practice_history')}) as learners,
          count(*) filter (where ${isPractised('practice_history')}) as practices,
          sum(duration) filter (where ${hasLearnerTurn('practice_history')}) as seconds,
          percentile_cont(0.5) within group (order by score) as score
        from practice_history
        where created_at >= ${since} and created_at <= ${now} and deleted_at is null ${whose} group by 1
      ), spent as (
        select ${weekOf(sql`at`)} as start, sum(cost_micros) as cost
        from ai_usage where at >= ${since} ${ofLearner} group by 1
      )
      select to_char(weeks.start, 'YYYY-MM-DD') as start, coalesce(learners, 0) as learners,
        coalesce(practices, 0) as practices, coalesce(seconds, 0) as seconds, score, coalesce(cost, 0) as cost
      from weeks left join practised using (start) left join spent using (start) order by weeks.start`,
  );
  return rows.map(({ seconds, cost, ...row }) => ({ ...row, minutes: toMinutes(seconds), costMicros: cost }));
}

const Totals = z.object({ finished: Count, seconds: Count, score: Count.nullable(), last: z.coerce.date().nullable() });

export async function readPracticeTotals(
  db: Database,
  userId: string,
): Promise<{ finished: number; minutes: number; score: number | null; lastAt: string | null }> {
  const [row] = await queryRows(
    db,
    Totals,
    sql`
      select count(*) filter (where ${isPractised('practice_history')}) as finished,
        coalesce(sum(duration) filter (where ${hasLearnerTurn('practice_history')}), 0) as seconds,
        percentile_cont(0.5) within group (order by score) as score, max(created_at) as last
      from practice_history where user_id = ${userId} and deleted_at is null`,
  );
  const { finished = 0, seconds = 0, score = null, last = null } = row ?? {};
  return { finished, minutes: toMinutes(seconds), score, lastAt: last?.toISOString() ?? null };
}
