/** How long the runs of each periodic job have been waiting, for the operator's metrics. */
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Database } from '../db/client.ts';

const Found = z.object({ rows: z.array(z.object({ found: z.boolean() })) });
const Ages = z.object({ rows: z.array(z.object({ queue: z.string(), seconds: z.number() })) });

export interface QueueAge {
  queue: string;
  /** Age of the run that has waited longest. */
  seconds: number;
}

/** Contains only queues in which a run is due. Empty until the first node has created the queue's tables. */
export async function readQueueAges(db: Database): Promise<QueueAge[]> {
  const [tables] = Found.parse(await db.execute(sql`select to_regclass('pgboss.job') is not null as found`)).rows;
  if (tables?.found !== true) return [];
  return Ages.parse(
    await db.execute(sql`
      select name as queue, extract(epoch from now() - min(start_after))::float8 as seconds
      from pgboss.job where state = 'created' and start_after <= now() group by name order by name`),
  ).rows;
}
