/** Purges deletions that every device has had half a year to fetch. */
import { TOMBSTONE_DAYS } from '@parley/contract';
import { columnName, ENTITY_KEYS, entities, type EntityKey, type Field } from '@parley/domain';
import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { lockLearner, userScope } from '../../account/index.ts';
import type { Database } from '../../db/client.ts';
import { syncScopes, tables } from '../../db/tables.ts';

const Learner = z.object({ userId: z.uuid() });
const Purged = z.object({ version: z.coerce.number() });

/** Returns how many rows were purged. From then on, a device that is behind the newest of them gets `sync.resync`. */
export async function purgeTombstones(
  { db, now }: { db: Database; now: () => Date },
  signal?: AbortSignal,
): Promise<number> {
  const before = new Date(now().getTime() - TOMBSTONE_DAYS * 24 * 3_600_000).toISOString();
  const { rows } = (await db.execute(learnersWithTombstones(before))) as { rows: unknown[] };
  let count = 0;
  for (const { userId } of z.array(Learner).parse(rows)) {
    if (signal?.aborted === true) return count;
    count += await db.transaction((tx) => purgeLearner(tx, userId, before));
  }
  return count;
}

/** Locks the learner's scope before any row, as a push does, so that the two cannot deadlock. */
async function purgeLearner(tx: Database, userId: string, before: string): Promise<number> {
  await lockLearner(tx, userId);
  let count = 0;
  let floor = 0;
  // Rows that reference others are purged first.
  for (const key of PURGED_KEYS.toReversed()) {
    const { rows } = (await tx.execute(createPurge(key, userId, before))) as { rows: unknown[] };
    for (const { version } of z.array(Purged).parse(rows)) {
      count += 1;
      floor = Math.max(floor, version);
    }
  }
  await tx
    .update(syncScopes)
    .set({ floor: sql`greatest(${syncScopes.floor}, ${floor})`, storedBytes: null })
    .where(eq(syncScopes.scope, userScope(userId)));
  return count;
}

const PURGED_KEYS: readonly EntityKey[] = ENTITY_KEYS.filter(
  (key) => entities[key].owner === 'learner' && key !== 'users',
);

const columnsOf = (key: EntityKey): Record<string, AnyPgColumn> => getTableColumns(tables[key]);

const learnersWithTombstones = (before: string): SQL =>
  sql.join(
    PURGED_KEYS.map((key) => {
      const { userId, deletedAt } = columnsOf(key);
      return sql`select ${userId} as "userId" from ${tables[key]} where ${deletedAt} < ${before}::timestamptz`;
    }),
    sql` union `,
  );

/** A session is purged with all its turns, deleted or not. */
function isOfPurgedSession(userId: string, before: string): SQL {
  const { id, userId: owner, deletedAt } = tables.practiceHistory;
  return sql`${tables.aiConversations.sessionId} in (
    select ${id} from ${tables.practiceHistory} where ${owner} = ${userId} and ${deletedAt} < ${before}::timestamptz)`;
}

function createPurge(key: EntityKey, userId: string, before: string): SQL {
  const columns = columnsOf(key);
  const isUsed = ENTITY_KEYS.flatMap((other) =>
    Object.entries(entities[other].fields as Record<string, Field>)
      .filter(([, { references }]) => references?.entity === entities[key].name)
      .map(([name, field]) => {
        const to = columns[field.references?.field ?? ''];
        return sql`and not exists (select from ${tables[other]} as other where other.${sql.identifier(columnName(name))} = ${to})`;
      }),
  );
  const isOld = sql`${columns['deletedAt']} < ${before}::timestamptz`;
  return sql`delete from ${tables[key]} where ${columns['userId']} = ${userId} and ${key === 'aiConversations' ? sql`(${isOld} or ${isOfPurgedSession(userId, before)})` : isOld}
    ${sql.join(isUsed, sql` `)}
    returning ${columns['syncVersion']} as version`;
}
