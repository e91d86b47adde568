/** The numbers of the whole school. */
import type { AdminNumbers } from '@parley/contract';
import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { abandonedAccountIds } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { COURSE_ITEMS } from './assignments.ts';
import { queryRows, readWeeks } from './practice-numbers.ts';
import { isPractised } from './practised.ts';
import { readSchoolSettings } from './settings.ts';

const Count = z.coerce.number();
const COST_DAYS = 30;

export interface NumbersRequest {
  weeks: number;
  now: Date;
  /** False on an open server, where learners have access unless it was revoked. */
  mustBeGranted: boolean;
}

export async function readNumbers(db: Database, { weeks, now, mustBeGranted }: NumbersRequest): Promise<AdminNumbers> {
  const { timeZone } = await readSchoolSettings(db);
  const [byWeek, courses, conversion, cost, costByDay] = await Promise.all([
    readWeeks(db, { weeks, timeZone, now }),
    readCourses(db),
    readConversion(db, mustBeGranted),
    readCost(db, { timeZone, now }),
    readCostByDay(db, { timeZone, now }),
  ]);
  return { weeks: byWeek, courses, conversion, cost, costByDay };
}

const readCourses = (db: Database): Promise<AdminNumbers['courses']> =>
  queryRows(
    db,
    z.object({ courseId: z.string(), title: z.string(), practices: Count, began: Count, finished: Count }),
    sql`
      with parts as (
        select course_id, id as practice_id from (${COURSE_ITEMS}) items where kind = 'practice'
      ), sizes as (
        select course_id, count(distinct practice_id) as size from parts group by 1
      ), done as (
        select parts.course_id, h.user_id, count(distinct h.practice_id) as done from parts
        join practice_history h on h.practice_id = parts.practice_id and h.deleted_at is null
          and ${isPractised('h')} and h.user_id not in ${abandonedAccountIds()}
        group by 1, 2
      )
      select c.course_id as "courseId", c.title, size as practices, count(done.user_id) as began,
        count(done.user_id) filter (where done.done >= size) as finished
      from courses c join sizes on sizes.course_id = c.course_id left join done on done.course_id = c.course_id
      where c.deleted_at is null group by c.course_id, c.title, size order by c.title`,
  );

async function readConversion(db: Database, mustBeGranted: boolean): Promise<AdminNumbers['conversion']> {
  const isEntitled = mustBeGranted ? sql`has_access` : sql`(has_access or access_date is null)`;
  const [row] = await queryRows(
    db,
    z.object({ accounts: Count, withAccess: Count, practised: Count, paying: Count }),
    sql`
      select count(*) as accounts, count(*) filter (where is_entitled) as "withAccess",
        count(*) filter (where is_entitled and practised) as practised,
        count(*) filter (where is_entitled and practised and paying) as paying
      from (
        select ${isEntitled} as is_entitled,
          exists (select 1 from practice_history h where h.user_id = u.user_id and h.deleted_at is null
            and ${isPractised('h')}) as practised,
          exists (select 1 from subscriptions s where s.user_id = u.user_id and s.status in ('active', 'past_due')
            and s.deleted_at is null) as paying
        from users u where u.email is not null and u.deleted_at is null
      ) learners`,
  );
  return row ?? { accounts: 0, withAccess: 0, practised: 0, paying: 0 };
}

interface CostPeriod {
  timeZone: string;
  now: Date;
}

/**
 * Midnight at the start of the first day in local time, because the sum of part of a day would look like a cheap day.
 */
const firstCostDay = ({ timeZone, now }: CostPeriod): SQL =>
  sql`(date_trunc('day', ${now.toISOString()}::timestamptz at time zone ${timeZone}) - ${COST_DAYS - 1} * interval '1 day')`;

function readCost(db: Database, period: CostPeriod): Promise<AdminNumbers['cost']> {
  const { timeZone } = period;
  const first = firstCostDay(period);
  return queryRows(
    db,
    z.object({ day: z.string(), model: z.string(), calls: Count, costMicros: Count }),
    sql`
      select to_char(at at time zone ${timeZone}, 'YYYY-MM-DD') as day, coalesce(model, use) as model,
        count(*) as calls, sum(cost_micros) as "costMicros"
      from ai_usage where at >= ${first} at time zone ${timeZone}
      group by 1, 2 having sum(cost_micros) > 0 order by 1 desc, 4 desc`,
  );
}

function readCostByDay(db: Database, period: CostPeriod): Promise<AdminNumbers['costByDay']> {
  const { timeZone } = period;
  const first = firstCostDay(period);
  return queryRows(
    db,
    z.object({ day: z.string(), costMicros: Count }),
    sql`
      with days as (
        select ${first} + n * interval '1 day' as day from generate_series(0, ${COST_DAYS - 1}::int) n
      ), spent as (
        select date_trunc('day', at at time zone ${timeZone}) as day, sum(cost_micros) as cost
        from ai_usage where at >= ${first} at time zone ${timeZone} group by 1
      )
      select to_char(days.day, 'YYYY-MM-DD') as day, coalesce(cost, 0) as "costMicros"
      from days left join spent using (day) order by days.day`,
  );
}
