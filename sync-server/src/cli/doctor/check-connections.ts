/** Checks for `doctor` that PostgreSQL accepts as many connections as one node opens. */
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Database } from '../../db/client.ts';
import type { Finding } from '../command.ts';

/** Ten for requests, one for LISTEN, two for jobs, and one for a command such as this one. */
const CONNECTIONS_PER_NODE = 14;

const Limit = z.array(z.object({ count: z.coerce.number() }));

export async function checkConnections(db: Database): Promise<Finding> {
  const { rows } = (await db.execute(sql`select current_setting('max_connections') as count`)) as { rows: unknown[] };
  const count = Limit.parse(rows)[0]?.count ?? 0;
  return count >= CONNECTIONS_PER_NODE
    ? { name: 'connections', isGood: true, text: `PostgreSQL accepts ${count}` }
    : {
        name: 'connections',
        isGood: false,
        text: `PostgreSQL accepts only ${count}: set max_connections to at least ${CONNECTIONS_PER_NODE} per node.`,
      };
}
